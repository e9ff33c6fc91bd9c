import { expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.ts';
import { logLabels } from '../../src/charts/log-ticks.ts';
import { showsComparison } from '../../src/charts/shows-comparison.ts';

it('writes the ticks of an axis in one style', () => {
  expect(logLabels([0.001, 0.0015, 0.05, 1])).toEqual(['0.001', '0.0015', '0.05', '1']);
  expect(logLabels([5000, 10_000, 100_000])).toEqual(['5,000', '10,000', '100,000']);
  expect(logLabels([5e-4, 1e-3, 0.01, 1, 10])).toEqual(['5·10⁻⁴', '10⁻³', '10⁻²', '10⁰', '10¹']);
  expect(logLabels([1000, 1.5e6])).toEqual(['10³', '1.5·10⁶']);
});

it('knows a chart of one point, whichever series it is of', () => {
  const chart = (points: { x: number; y: number | null }[], names?: string[]): Chart => ({
    id: 'c',
    title: '',
    x: { title: '', scale: 'linear', ...(names ? { names } : {}) },
    y: { title: '', scale: 'log' },
    panels: [
      { title: '', series: points.map((point, i) => ({ name: `${i}`, style: 'measured', points: [point] })) },
    ],
  });
  expect(
    showsComparison(
      chart([
        { x: 1, y: 2 },
        { x: 1, y: 3 },
      ]),
    ),
  ).toBe(false);
  expect(
    showsComparison(
      chart([
        { x: 1, y: 2 },
        { x: 2, y: null },
      ]),
    ),
  ).toBe(false);
  expect(
    showsComparison(
      chart([
        { x: 1, y: 2 },
        { x: 2, y: 0 },
      ]),
    ),
  ).toBe(false);
  expect(
    showsComparison(
      chart([
        { x: 1, y: 2 },
        { x: 2, y: 3 },
      ]),
    ),
  ).toBe(true);
  // Two protocols at one name stand a little apart.
  expect(
    showsComparison(
      chart(
        [
          { x: 0.94, y: 2 },
          { x: 1.06, y: 3 },
        ],
        ['mean'],
      ),
    ),
  ).toBe(false);
});
