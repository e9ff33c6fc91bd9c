import { expect, it } from 'vitest';
import { SET_BLANKETS_FIGURE } from '../../src/segmented/set-blankets-figure.ts';

it('shows how many times fewer blankets whole sets need than item by item, as docs/sets.md says', async () => {
  const { charts, table } = await SET_BLANKETS_FIGURE.make({
    quick: true,
    folder: '',
    report: () => undefined,
  });
  const column = (name: string): number => table.columns.indexOf(name);
  const factors = (items: number, name: string): number[] =>
    table.rows
      .filter((row) => row[column('items')] === items)
      .map((row) => row[column(`times fewer: ${name}`)] as number);
  for (const [items, least, most] of [
    [1, 1, 1.2],
    [4, 4.1, 4.5],
    [8, 8.1, 8.9],
  ] as const) {
    for (const factor of factors(items, 'Poisson, exact')) {
      expect(factor).toBeGreaterThan(least);
      expect(factor).toBeLessThan(most);
    }
  }
  // Fewer messages again, twice or more at the strictest level.
  const negative = factors(8, 'negative binomial, q = 0.5');
  negative.forEach((factor, i) => expect(factor / factors(8, 'Poisson, exact')[i]!).toBeGreaterThan(1.7));
  expect(Math.max(...negative)).toBeGreaterThan(16);
  expect(charts[0]!.chart.panels.map(({ series }) => series.length)).toEqual(Array(6).fill(4));
});
