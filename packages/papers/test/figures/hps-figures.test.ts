import { confoundingProbabilities } from '@shuffle-dp/accounting';
import { expect, it } from 'vitest';
import { CENTRAL_DELTA_TABLE } from '../../src/hps/central-delta-table.ts';
import { CONFOUNDING_FIGURE } from '../../src/hps/confounding-figure.ts';

const CONTEXT = { quick: true, folder: '', report: (): void => undefined };

it('central deltas are within a factor of 1.5 of the printed ones', async () => {
  const { table } = await CENTRAL_DELTA_TABLE.make(CONTEXT);
  for (const row of table.rows) {
    for (const [k, printed] of [0.0083, 0.0042, 7e-4].entries()) {
      // The first row holds what the paper prints at 0.01.
      if (row[0] === 0.01) expect(row[1 + 2 * k]).toBe(printed);
      const factor = (row[1 + 2 * k] as number) / (row[2 + 2 * k] as number);
      expect(Math.max(factor, 1 / factor)).toBeLessThan(1.5);
    }
    expect(row.at(-1)).toBeLessThan(row.at(-2) as number);
  }
  expect(table.rows.map(([epsilon]) => epsilon)).toEqual([0.01, 0.03, 0.05, 0.08, 0.1]);
});

it('the confounding probability is least at an end, where it is that of the theorem, and peaks near a budget of 1', async () => {
  const { table } = await CONFOUNDING_FIGURE.make(CONTEXT);
  const valuesOf = (series: string): number[] =>
    table.rows.filter(([name]) => name === series).map((row) => row[2] as number);
  for (const budget of [0.5, 1, 2]) {
    const values = valuesOf(`budget ${budget}, on the side of 1`);
    const [expected] = confoundingProbabilities({
      budgets: Float64Array.of(budget, 3),
      mechanism: 'laplace',
      localDelta: 0,
      clip: 1,
    });
    expect(values[0]).toBe(Math.min(...values));
    // Cells of a thousandth, whose densities are at most half of the budget.
    expect(Math.abs(values[0]! - expected!)).toBeLessThan(0.002);
    const mirrored = valuesOf(`budget ${budget}, on the side of 0`).reverse();
    values.forEach((value, k) => expect(value).toBeCloseTo(mirrored[k]!, 2));
  }
  const byBudget = valuesOf('p_i');
  expect(byBudget.indexOf(Math.max(...byBudget)) + 1).toBe(107);
});
