/** Local budgets so small that e^epsilon0 as a double has lost most digits of what it exceeds 1 by. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  blanketDivergence,
  certifiedEpsilon,
  clonePair,
  correctedVariationRatioDivergence,
  evaluatePublishedBounds,
  strongerClonePair,
  variationRatioDivergence,
  variationRatioEpsilon,
} from '@shuffle-dp/accounting';
import type { AmplificationProfile, Interval, LikelihoodAtoms } from '@shuffle-dp/core';

type Row = readonly [epsilon0: number, users: number, epsilon: number, delta: string];

const { binary, strongerClone, clone, corrected } = JSON.parse(
  readFileSync(new URL('fixtures/tiny-budgets.json', import.meta.url), 'utf8'),
) as Record<'binary' | 'strongerClone' | 'clone' | 'corrected', Row[]>;

test('a pair of clones is of a budget', () => {
  for (const pair of [clonePair, strongerClonePair]) {
    expect(() => pair(NaN)).toThrow('epsilon0 = NaN');
    expect(() => pair(-1)).toThrow('epsilon0 = -1');
  }
});

function expectAround({ lower, upper }: Interval, delta: number): void {
  expect(lower).toBeLessThanOrEqual(delta * (1 + 1e-15));
  expect(upper).toBeGreaterThanOrEqual(delta * (1 - 1e-15));
}

test.each(strongerClone)('stronger clones at %d, %d users, epsilon %d', (epsilon0, users, epsilon, delta) => {
  const bracket = variationRatioDivergence(strongerClonePair(epsilon0), users, epsilon);
  expectAround(bracket, Number(delta));
  expect(bracket.upper / bracket.lower - 1).toBeLessThan(1e-9);
});

test.each(clone)('clones at %d, %d users, epsilon %d', (epsilon0, users, epsilon, delta) => {
  const bracket = variationRatioDivergence(clonePair(epsilon0), users, epsilon);
  expectAround(bracket, Number(delta));
  expect(bracket.upper / bracket.lower - 1).toBeLessThan(1e-9);
});

test.each(corrected)('corrected pair at %d, %d users, epsilon %d', (epsilon0, users, epsilon, delta) => {
  const p = Math.exp(epsilon0);
  const pair = { p, pMinusOne: Math.expm1(epsilon0), beta: Math.expm1(epsilon0) / (p + 3), q: p };
  const { upper } = correctedVariationRatioDivergence(pair, users, epsilon);
  expectAround({ lower: 0, upper }, Number(delta));
  expect(upper / Number(delta) - 1).toBeLessThan(1e-4);
});

/**
 * Binary randomized response among fair coins: a data set of the mechanism, and no bound may fall below it.
 */
function fairCoins(epsilon0: number): LikelihoodAtoms {
  const high = 1 / (1 + Math.exp(-epsilon0));
  return {
    label: 'all others are fair coins',
    victim0: Float64Array.of(high, 1 - high),
    victim1: Float64Array.of(1 - high, high),
    others: Float64Array.of(0.5, 0.5),
    symmetric: true,
  };
}

function binaryResponse(epsilon0: number): AmplificationProfile {
  const coins = fairCoins(epsilon0);
  const low = 1 / (1 + Math.exp(epsilon0));
  return {
    variationRatio: strongerClonePair(epsilon0),
    blanket: [{ ...coins, others: Float64Array.of(low, low) }],
    homogeneous: [coins],
  };
}

test.each(binary)('fair coins at %d, %d users, epsilon %d', (epsilon0, users, epsilon, delta) => {
  expectAround(blanketDivergence(fairCoins(epsilon0), users, epsilon), Number(delta));
  const setting = { users, epsilon0, amplification: binaryResponse(epsilon0) };
  for (const bound of evaluatePublishedBounds(setting, { epsilon })) {
    if (bound.sound !== true || bound.delta === null) continue;
    const ratio = bound.delta / Number(delta);
    if (bound.direction === 'upper') expect(ratio).toBeGreaterThanOrEqual(1 - 1e-15);
    else expect(ratio).toBeLessThanOrEqual(1 + 1e-15);
  }
});

test('epsilon at delta 0 is the budget, to its last digits', () => {
  for (const epsilon0 of [1e-9, 1e-6, 0.1, 1, 300]) {
    const { lower, upper } = variationRatioEpsilon(strongerClonePair(epsilon0), 1e12, 0);
    expect(lower).toBeLessThanOrEqual(epsilon0);
    expect(upper).toBeGreaterThanOrEqual(epsilon0);
    expect(upper - lower).toBeLessThan(4e-15 * epsilon0);
  }
});

test('10^12 users at deltas far below the budget: proved ends meet and do not cross', () => {
  const epsilon0 = 1e-9;
  for (const delta of [0, 1e-300, 1e-100, 1e-20]) {
    const amplification = binaryResponse(epsilon0);
    const { lower, upper } = certifiedEpsilon(amplification, 1e12, delta, { epsilon0 });
    const bounds = evaluatePublishedBounds({ users: 1e12, epsilon0, amplification }, { delta });
    const value = (name: string): number => bounds.find((bound) => bound.name === name)!.epsilon!;
    expect(value('variation-ratio-lower')).toBeLessThanOrEqual(Math.min(upper, value('stronger-clone')));
    expect(value('stronger-clone') / value('variation-ratio-lower') - 1).toBeLessThan(1e-4);
    expect(lower).toBeLessThanOrEqual(value('stronger-clone'));
  }
});
