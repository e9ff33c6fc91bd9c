// @module-tag long
/** The table of docs/composition.md, made anew. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { composeMechanisms } from '../../../src/account/compose-account.ts';
import { shortEnd } from '../../../src/words/short-number.ts';

const PAGE = readFileSync(new URL('../../../../../docs/composition.md', import.meta.url), 'utf8');

const MECHANISMS: Readonly<Record<string, readonly [string, Readonly<Record<string, number>>]>> = {
  'grr domain 4, 1': ['grr', { domain: 4, epsilon0: 1 }],
  'binary-rr domain 16, 1': ['binary-rr', { domain: 16, epsilon0: 1 }],
  'duchi 1': ['duchi', { epsilon0: 1 }],
  'laplace 1': ['laplace', { epsilon0: 1 }],
  'laplace 2': ['laplace', { epsilon0: 2 }],
  'gaussian 2': ['gaussian', { sigma: 2 }],
  'gaussian 1': ['gaussian', { sigma: 1 }],
  'vector-rr 8 bits kept with 0.6': ['vector-rr', { bits: 8, keepProbability: 0.6 }],
};

const ROWS = [
  ...PAGE.matchAll(
    /^\| (?<name>[^|]+?) +\| (?<rounds>16|64) +\| (?<lower>[\d.]+) +\| (?<blanket>[\d.]+) +\| (?<upper>[\d.]+)/gmu,
  ),
].map(({ groups }) => groups as Record<'name' | 'rounds' | 'lower' | 'blanket' | 'upper', string>);

it.each(ROWS)('$rounds rounds of $name', ({ name, rounds, lower, blanket, upper }) => {
  const [mechanism, parameters] = MECHANISMS[name]!;
  const entry = { mechanism, parameters, users: 10_000, rounds: Number(rounds) };
  const { bracket } = composeMechanisms([entry], { delta: 1e-6 });
  const withBlanket = composeMechanisms([entry], { delta: 1e-6 }, {}, { blanketsOnly: true }).bracket;
  // Each end on the side on which it stays proved.
  expect([lower, blanket, upper].map(Number)).toEqual([
    Number(shortEnd(bracket.lower, 'lower')),
    Number(shortEnd(withBlanket.upper, 'upper')),
    Number(shortEnd(bracket.upper, 'upper')),
  ]);
});

it('all rows are read', () => {
  expect(ROWS).toHaveLength(2 * Object.keys(MECHANISMS).length);
});
