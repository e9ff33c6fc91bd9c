import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { segmentedProtocol } from '../../../protocols/src/item-sets/set-valued-protocol.ts';
import { certifiedPrivacy } from '../../../protocols/src/item-sets/privacy.ts';
import { shortEnd } from '../../../experiments/src/words/short-number.ts';
import { markedTable } from '../../../cli/test/docs/markdown-table.ts';
import { ballsIntoBinsBlanketRate } from '../../../protocols/src/item-sets/balls-into-bins-parameters.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/sets.md'), 'utf8');

it('docs/sets.md says how many blankets an item needs', () => {
  const rows = markedTable(page, 'blankets').map((row) => row.map(Number));
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

it('docs/sets.md says what is certified of whole sets among slots, rounded outwards', () => {
  const rows = markedTable(page, 'slots');
  expect(rows).toHaveLength(9);
  const levels = [0.5, 1, 2];
  for (const [size, coins, level, rate, certified, unknown] of rows) {
    const [users, delta] = size!.split(', ').map(Number) as [number, number];
    const [blanketRate, slots] = coins!.split(', ').map(Number) as [number, number];
    const setting = { users, domain: 17, items: 4, levels, delta };
    const protocol = segmentedProtocol(
      { kind: 'segmented', blanketRate, slots },
      { ...setting, shares: [0.25, 0.5, 0.25] },
    );
    const k = levels.indexOf(Number(level));
    const sent = protocol.messageParameters.rates[k]!;
    expect(Number(sent.toFixed(3))).toBe(Number(rate));
    const { epsilon } = protocol.certifiedPrivacy()[k]!;
    expect(certified).toBe(`${shortEnd(epsilon.lower, 'lower')} … ${shortEnd(epsilon.upper, 'upper')}`);
    // Of others whose coins are not known.
    const alone = certifiedPrivacy(
      { ...setting, slotsPerUser: slots },
      { rate: sent, blanketRate, blankets: 'paper' },
      levels[k]!,
      '',
    );
    expect(unknown).toBe(shortEnd(alone.epsilon.upper, 'upper'));
  }
});

it('docs/sets.md says which blankets and rates are best, and how much is sent', () => {
  const rows = markedTable(page, 'optimal');
  expect(rows).toHaveLength(12);
  let size: number[] = [];
  for (const [given, accounting, ...printed] of rows) {
    if (given !== '')
      size = given!
        .replace(/^50,000/u, '50000')
        .split(', ')
        .map(Number);
    const [users, domain, items] = size as [number, number, number];
    const q = accounting!.startsWith('q') ? Number(accounting!.slice(4)) : null;
    const { blanketRate, rates } = segmentedProtocol(
      {
        kind: 'segmented',
        accounting: accounting === 'published' ? 'published' : 'exact',
        ...(q === null ? {} : { blankets: 'negative-binomial', successProbability: q }),
      },
      { users, domain, items, levels: [0.5, 1, 2], shares: [0.25, 0.5, 0.25], delta: 0.01 / users },
    ).messageParameters;
    const [m, lambdas, messages] = printed as [string, string, string];
    const digitsOf = (text: string): number => text.split('.')[1]?.length ?? 0;
    expect(blanketRate.toFixed(digitsOf(m))).toBe(m);
    const shown = lambdas.split(', ');
    expect(rates.map((rate, k) => rate.toFixed(digitsOf(shown[k]!)))).toEqual(shown);
    const sent = blanketRate + items * (rates[0]! / 4 + rates[1]! / 2 + rates[2]! / 4);
    expect(sent.toFixed(digitsOf(messages))).toBe(messages);
  }
});
