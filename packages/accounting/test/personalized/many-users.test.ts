import { describe, expect, it } from 'vitest';
import { shuffledCountEpsilon } from '@shuffle-dp/accounting';
import { bracketRoot, normalTail } from '@shuffle-dp/core';

const DELTA = 1e-9;

/** Whoever holds 0 among users of randomized response who all hold 2: their own budget e0. */
function amongThirds(epsilon0: number, domain: number, users: number) {
  const rare = 1 / (domain - 1 + Math.exp(epsilon0));
  const law = (value: number) => ({
    masses: Float64Array.from({ length: domain }, (_, y) => (y === value ? rare * Math.exp(epsilon0) : rare)),
  });
  const group = {
    budget: epsilon0,
    users,
    blanket: { masses: new Float64Array(domain).fill(rare) },
    pairs: [{ first: law(0), second: law(1), symmetric: true }],
    held: [law(2).masses],
  };
  // Counts of 0 less those of 1 have the variance 2 n rare, and the victim moves them by twice p - q.
  const shift = (2 * rare * Math.expm1(epsilon0)) / Math.sqrt(2 * users * rare);
  return { groups: [group], shift };
}

/** The epsilon of two normal laws whose means are `shift` deviations apart. */
function normalEpsilon(shift: number): number {
  const excess = (epsilon: number): number =>
    normalTail(epsilon / shift - shift / 2) -
    Math.exp(epsilon) * normalTail(epsilon / shift + shift / 2) -
    DELTA;
  return bracketRoot(excess, 0, 20 * shift).lower;
}

describe('the test on shuffled counts among many users', () => {
  it.each([
    [2, 3, 4e6],
    [2, 8, 1e8],
    [0.5, 16, 1e8],
    [3, 100, 1e9],
    [2, 8, 1e9],
  ])('is as sharp as that of normal laws: budget %d, %d values, %d users', (epsilon0, domain, users) => {
    const { groups, shift } = amongThirds(epsilon0, domain, users);
    const truth = normalEpsilon(shift);
    const found = shuffledCountEpsilon(groups, 0, DELTA, truth);
    expect(found / truth).toBeGreaterThan(0.97);
    expect(found / truth).toBeLessThan(1.0005);
  });

  it('tells nothing where the window would not fit', () => {
    const { groups, shift } = amongThirds(2, 8, 1e12);
    expect(shuffledCountEpsilon(groups, 0, DELTA, normalEpsilon(shift))).toBe(0);
  });
});
