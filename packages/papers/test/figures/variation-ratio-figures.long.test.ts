// @module-tag long
// Range queries are accounted by the sharp bound, level by level, which takes long.
import { expect, it } from 'vitest';
import type { ResultTable } from '../../src/figures/figure-table.ts';
import { FIGURES } from '../../src/figures/registry.ts';

function columnOf({ columns, rows }: ResultTable, name: string): number[] {
  const i = columns.indexOf(name);
  expect(i).toBeGreaterThan(-1);
  return rows.map((row) => Number(row[i]));
}

it('the program of Figure 5 of the variation-ratio paper claims what an attacker refutes', async () => {
  const figure = FIGURES.find(({ id }) => id === 'vr.fig5')!;
  const { table } = await figure.make({ quick: true, folder: '', report: () => {} });
  const lower = columnOf(table, 'epsilon: certified, lower end');
  const program = columnOf(table, "epsilon: advanced composition, authors' program");
  for (const [i, end] of lower.entries()) expect(program[i]).toBeLessThan(end / 2);
  const saved = columnOf(table, 'saved %: certified, upper end');
  expect(Math.max(...saved)).toBeLessThan(65);
  expect(Math.min(...saved)).toBeGreaterThan(0);
});
