import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ballsIntoBinsBlanketRate } from '../../../protocols/src/item-sets/balls-into-bins-parameters.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/sets.md'), 'utf8');

/** The numbers of the table that follows a mark, row by row. */
function table(mark: string): number[][] {
  const lines = page
    .slice(page.indexOf(`<!-- table: ${mark} -->`))
    .split('\n')
    .slice(2);
  return lines
    .slice(
      2,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) => line.split('|').slice(1, -1).map(Number));
}

it('docs/sets.md says how many blankets an item needs', () => {
  const rows = table('blankets');
  expect(rows).toHaveLength(10);
  for (const [users, items, epsilon, ...printed] of rows as [number, number, number, ...number[]][]) {
    const setting = { users, domain: 128, items, delta: 0.01 / users, levels: [epsilon] };
    const blankets = (rate: number): number => (users * rate) / 128;
    const computed = [
      blankets(ballsIntoBinsBlanketRate(setting, epsilon, 'group')),
      ...[1, 0.5, 0.3].map((successProbability) =>
        blankets(ballsIntoBinsBlanketRate({ ...setting, successProbability }, epsilon, 'exact')),
      ),
    ];
    expect(computed.map((value) => Number(value.toPrecision(4)))).toEqual(printed);
  }
});
