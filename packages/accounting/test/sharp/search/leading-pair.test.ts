/** The pair that is proved first is likely the worst, and the bound is the same whichever it is. */
import type { OtherInput, TypedPair } from '@shuffle-dp/core';
import { clipLaplace, gaussianMechanism } from '@shuffle-dp/randomizers';
import { describe, expect, it } from 'vitest';
import { pairEpsilon } from '../../../src/sharp/search/pair-epsilon.ts';
import { leadingPair } from '../../../src/sharp/search/leading-pair.ts';
import { isCell } from '../../../src/sharp/pair-holds.ts';
import { sharpEpsilon } from '../../../src/sharp/sharp-epsilon.ts';

/** Randomized response of two values, whose ratio is 3 for the first pair and 1 for the second. */
const UNEQUAL = [
  ['different', [0.25, 0.75]],
  ['alike', [0.75, 0.25]],
].map(([label, second]): TypedPair => {
  const victim = { victim0: Float64Array.of(0.75, 0.25), victim1: Float64Array.from(second as number[]) };
  const owns = [Float64Array.of(0.75, 0.25), Float64Array.of(0.25, 0.75)];
  const blanket = Float64Array.of(0.25, 0.25);
  const inputs = owns.map((own, i): OtherInput => ({ label: `others at ${i}`, ...victim, own, blanket }));
  return { label: label as string, inputs, symmetric: false };
});

const [USERS, DELTA] = [10_000, 1e-6];
/** What equal users and the blanket prove at a deviation of 0.84, rounded outwards. */
const RANGE = { lower: 0.0662, upper: 0.09 };
const typed = gaussianMechanism({ sigma: 0.84 }).amplification().typed!;
const pairs = typed.pairsNear!(RANGE.lower);

describe('Gaussian noise of heavy gains, whose worst pair is not the ends of the range', () => {
  it('is led by the worst of the foremost pairs', { tags: 'long' }, () => {
    const foremost = pairs.slice(0, 6).map((pair) => pairEpsilon(pair, USERS, DELTA, RANGE).value);
    const worst = pairs[foremost.indexOf(Math.max(...foremost))]!;
    expect(worst).not.toBe(pairs[0]);
    expect(leadingPair(pairs, USERS, DELTA, RANGE).pair.label).toBe(worst.label);
  });

  it('has the same bound where another pair leads', () => {
    const { value } = sharpEpsilon(typed, USERS, DELTA, RANGE);
    const turned = { ...typed, pairsNear: () => pairs.slice(0, 12).toReversed() };
    const others = sharpEpsilon(turned, USERS, DELTA, RANGE).value;
    // Parameters differ with the pair that was first, by what polishing leaves open.
    expect(Math.abs(others / value - 1)).toBeLessThan(1e-3);
  });
});

it('is not a pair that tells nothing', () => {
  const range = { lower: 0.03, upper: 0.1 };
  expect(leadingPair(UNEQUAL, USERS, DELTA, range).pair.label).toBe('different');
  const { value, parameters } = sharpEpsilon({ pairs: UNEQUAL }, USERS, DELTA, range);
  expect(parameters).not.toBeNull();
  const alone = sharpEpsilon({ pairs: UNEQUAL.slice(0, 1) }, USERS, DELTA, range).value;
  expect(Math.abs(value / alone - 1)).toBeLessThan(1e-5);
});

it('is a cell where cells are worse than the ends of the range', () => {
  const range = { lower: 0.1618, upper: 0.2222 };
  const all = clipLaplace({ epsilon0: 4 }).amplification().typed!.pairsNear!(range.lower);
  const ends = pairEpsilon(all[0]!, USERS, DELTA, range).value;
  const cell = pairEpsilon(all[1]!, USERS, DELTA, range).value;
  expect(all.slice(0, 2).map(isCell)).toEqual([false, true]);
  expect(cell).toBeGreaterThan(ends);
  const { pair, ofOthers } = leadingPair(all, USERS, DELTA, range);
  expect(pair).toBe(all[1]);
  expect(ofOthers?.buffer).toBeGreaterThan(0);
});
