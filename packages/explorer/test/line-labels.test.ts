/** Where the names of lines stand that do not end in the plot. */
import { expect, it } from 'vitest';
import { exitPlaces, placeLabels, type DrawnPoint } from '../src/charts/place-labels.ts';

const line = (...ys: readonly number[]): DrawnPoint[] => ys.map((y, i) => [100 * i, y]);

it('stand where their lines leave the plot, one beneath the other', () => {
  const early = line(50, 250, 1000);
  const late = line(50, 100, 250);
  const above = line(50, -50);
  expect(exitPlaces([early, late, above], 0, 200, 15)).toEqual([
    { x: 75, y: 180 },
    { x: 100 + 200 / 3, y: 195 },
    { x: 50, y: 11 },
  ]);
});

it('stand beside the plot where lines end in it, come back, or never are in it', () => {
  const lines = [line(50, 60), line(50, 300, 70), line(300, 400)];
  expect(exitPlaces(lines, 0, 200, 15)).toEqual([null, null, null]);
  // In the order of the lines, also beyond the edge.
  const [first, second] = placeLabels([400, 300], 15, 0, 200);
  expect(first).toBeGreaterThan(second!);
});
