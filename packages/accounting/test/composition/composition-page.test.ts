/** Brackets that docs/composition.md measured, each end on the side on which it stays proved. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  blanketDivergence,
  composedEpsilon,
  strongerClonePair,
  type CompositionRounds,
} from '@shuffle-dp/accounting';
import { vectorRandomizedResponse } from '@shuffle-dp/randomizers';
import { shortEnd } from '../../../experiments/src/words/short-number.ts';
import { markedTable } from '../../../cli/test/docs/markdown-table.ts';

const page = readFileSync(new URL('../../../../docs/composition.md', import.meta.url), 'utf8');
const brackets = markedTable(page, 'measured')
  .map(([, bracket]) => bracket!)
  .filter((bracket) => bracket !== '');

const vectorPair = { p: Math.exp(2), beta: Math.tanh(0.5), q: Math.exp(2) };
const { blanket, variationRatio } = vectorRandomizedResponse({
  dimensions: 16,
  sampled: 4,
  epsilon0: 4,
}).amplification();

const SETTINGS: readonly (readonly [rounds: CompositionRounds, delta: number])[] = [
  [{ pair: vectorPair, users: 1e5, count: 16 }, 1e-7],
  [{ pair: vectorPair, users: 1e5, count: 256 }, 1e-7],
  [{ pair: vectorPair, users: 1e5, count: 10_000 }, 1e-7],
  [{ pair: strongerClonePair(2), users: 1e5, count: 256 }, 1e-7],
  [{ pair: vectorPair, users: 1e8, count: 256 }, 1e-10],
  [{ pair: strongerClonePair(4), users: 1e4, count: 256 }, 1e-6],
  [{ pair: variationRatio!, users: 1e4, count: 256 }, 1e-6],
  [{ profile: (epsilon) => blanketDivergence(blanket[0]!, 1e4, epsilon), count: 256 }, 1e-6],
];

it('has a bracket for each setting', () => expect(brackets).toHaveLength(SETTINGS.length));

it.each(SETTINGS.map((setting, i) => [brackets[i], ...setting] as const))('%s', (printed, rounds, delta) => {
  const { lower, upper } = composedEpsilon([rounds], delta);
  const digits = printed!
    .split(' to ')[0]!
    .replace(/^0?\.0*/u, '')
    .replace('.', '').length;
  expect(printed!.split(' to ').map(Number)).toEqual([
    Number(shortEnd(lower, 'lower', digits)),
    Number(shortEnd(upper, 'upper', digits)),
  ]);
});
