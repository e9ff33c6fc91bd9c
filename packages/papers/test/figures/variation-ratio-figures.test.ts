import { describe, expect, it } from 'vitest';
import type { ResultTable } from '../../src/figures/figure-table.ts';
import type { Figure, FigureContext } from '../../src/figures/figure.ts';
import { generalEpsilon, PRINTED } from '../../src/variation-ratio/general-amplification-table.ts';
import { FIGURES } from '../../src/figures/registry.ts';

const CONTEXT: FigureContext = { quick: true, folder: '', report: () => {} };

function figure(id: string): Figure {
  return FIGURES.find((candidate) => candidate.id === id)!;
}

function columnOf({ columns, rows }: ResultTable, name: string): number[] {
  const i = columns.indexOf(name);
  expect(i).toBeGreaterThan(-1);
  return rows.map((row) => (row[i] === '' ? NaN : Number(row[i])));
}

describe('the figures of the variation-ratio paper', () => {
  it('say of every point what the curves show', { tags: 'long' }, async () => {
    const { charts, table, notes } = await figure('vr.fig2').make(CONTEXT);
    expect(charts.map(({ chart }) => chart.id)).toEqual(['vr.fig2', 'vr.fig2-saving']);
    const column = (name: string): number[] => columnOf(table, name);
    const upper = column('epsilon: certified, upper end');
    const lower = column('epsilon: certified, lower end');
    const clone = column('epsilon: stronger clone');
    expect(upper.length).toBe(30);
    for (const [i, end] of upper.entries()) {
      expect(lower[i]).toBeLessThanOrEqual(end);
      expect(lower[i]! / end).toBeGreaterThan(0.85);
      expect(end).toBeLessThan(clone[i]!);
    }
    const saved = column('saved %: certified, upper end');
    expect(Math.min(...saved)).toBeGreaterThan(10);
    expect(notes.at(-1)).toContain(`to ${Math.max(...saved).toFixed(0)} %`);
    for (const { chart } of charts) {
      for (const { series } of chart.panels) {
        for (const { points } of series)
          expect(points.every(({ y }) => y === null || Number.isFinite(y))).toBe(true);
      }
    }
  });

  it.each([
    // Flipped bits: the pair merges two outcomes that are not alike, and so lies below the truth, hardly.
    { id: 'vr.fig3', optimism: 1.5e-3 },
    { id: 'vr.fig4', optimism: 1e-4 },
  ])('find the savings that are stated for multi-message protocols: $id', async ({ id, optimism }) => {
    const { table } = await figure(id).make(CONTEXT);
    // About 75 % by the pair, over 50 % by the closed form.
    expect(Math.min(...columnOf(table, 'saved %: variation-ratio'))).toBeGreaterThan(70);
    expect(Math.min(...columnOf(table, 'saved %: variation-ratio, Theorem 4.2'))).toBeGreaterThan(50);
    const upper = columnOf(table, 'epsilon: certified, upper end');
    for (const [i, pair] of columnOf(table, 'epsilon: variation-ratio').entries()) {
      expect(pair).toBeLessThanOrEqual(upper[i]! * (1 + 1e-8));
      expect(pair).toBeGreaterThan(upper[i]! * (1 - optimism));
    }
  });

  // Printed values are results of a bisection with a margin: above ours, and never by more than the margin's
  // 0.8 %.
  it.each(PRINTED.map(([epsilon0, users, epsilon]) => ({ epsilon0, users, epsilon })))(
    'has Table 5 at epsilon0 = $epsilon0, n = $users',
    ({ epsilon0, users, epsilon }) => {
      const ours = generalEpsilon(epsilon0, users);
      expect(ours.upper / ours.lower - 1).toBeLessThan(1e-9);
      const digit = 10 ** (Math.floor(Math.log10(epsilon)) - 2);
      expect(ours.upper).toBeLessThan(epsilon + digit);
      expect(epsilon - ours.upper).toBeLessThan(0.006 * epsilon + digit);
    },
  );
});
