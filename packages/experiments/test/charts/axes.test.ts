/** Marks at the ends of an axis stand clear of the frame. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisOf, domainOf } from '../../src/charts/axes.ts';
import type { ChartAxis } from '../../src/charts/chart.ts';

/** Of the largest mark, a paper's: an area of 110 and a stroke of 2, in pixels. */
const LARGEST_MARK = Math.sqrt(110 / Math.PI) + 1;
/** The lowest of all panels, three in a row. */
const LOWEST_PANEL = 150;

/** Pixels from the lowest and the highest value to the ends of the axis. */
function clearances(axis: ChartAxis, values: readonly number[]): number[] {
  const place = axis.scale === 'log' ? Math.log : (value: number): number => value;
  const [low, high] = domainOf(axis, values).map(place) as [number, number];
  const ends = [Math.min(...values), Math.max(...values)].map(place) as [number, number];
  return [ends[0] - low, high - ends[1]].map((room) => (LOWEST_PANEL * room) / (high - low));
}

describe('a mark at the end of an axis', () => {
  const value = fc.double({ min: 1e-9, max: 1e9, noNaN: true });
  it('is neither cut by it nor lies on it', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.constantFrom<ChartAxis['scale']>('linear', 'log'),
        fc.constantFrom('epsilon', 'accuracy (%)'),
        (values, scale, title) => {
          for (const room of clearances({ title, scale }, values)) expect(room).toBeGreaterThan(LARGEST_MARK);
        },
      ),
    );
  });
});

it.each(['linear', 'log'] as const)('labels of a %s axis do not run together', (scale) => {
  expect(axisOf({ title: 'users', scale }, [1, 1e6], 300)).toMatchObject({
    axis: { labelOverlap: 'greedy', labelSeparation: 6 },
  });
});

describe('an axis of percentages that begins above zero', () => {
  const axis = { title: 'accuracy (%)', scale: 'linear' } as const;
  it('begins at a round number, which its title says, with room below the least value', () => {
    const [low, high] = domainOf(axis, [56.64, 84.1]);
    expect(low).toBe(50);
    expect(high).toBeCloseTo(84.1 + 0.065 * (84.1 - 56.64), 9);
    expect(axisOf(axis, [56.64, 84.1], 300)).toMatchObject({ axis: { title: 'accuracy (%), axis from 50' } });
  });

  it('begins at a nearer one where values are close', () => {
    expect(domainOf(axis, [79.6, 80.4])[0]).toBe(79);
    expect(domainOf(axis, [70.3, 79.6])[0]).toBe(68);
  });
});
