/** One integral for a random number of users: against each number by itself, and sums in rationals. */
import { assert, double, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { blanketDivergence } from '@shuffle-dp/accounting';
import { mixedContourIntegral } from '../../src/blanket/contour-integral.ts';
import { saddlePoint } from '../../src/blanket/exponential-tilt.ts';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import { mixedUsersDivergence, type UsersShare } from '../../src/blanket/mixed-users.ts';

/** A gain one time in 8, and a loss of 1 otherwise. */
function coin(gain: number): LossLaw {
  return {
    values: Float64Array.of(-1, gain),
    probabilities: Float64Array.of(7 / 8, 1 / 8),
    magnitudes: Float64Array.of(1, gain),
    silent: 0,
  };
}

/** E (S)_+ of so many copies of it, in rationals. */
function exactSum(gain: number, count: number): number {
  let ways = 1n;
  let sum = 0n;
  for (let gains = 0; gains <= count; gains++) {
    const value = BigInt((gain + 1) * gains - count);
    if (value > 0n) sum += ways * value * 7n ** BigInt(count - gains);
    ways = (ways * BigInt(count - gains)) / BigInt(gains + 1);
  }
  return Number((sum << 80n) / 8n ** BigInt(count)) / 2 ** 80;
}

/** Randomized response of so many values, the victim's and those of the others' blanket. */
function response(values: number, budget: number): LikelihoodAtoms {
  const other = 1 / (Math.exp(budget) + values - 1);
  const own = Math.exp(budget) * other;
  return {
    label: 'randomized response',
    victim0: Float64Array.of(own, other, (values - 2) * other),
    victim1: Float64Array.of(other, own, (values - 2) * other),
    others: Float64Array.of(other, other, (values - 2) * other),
    silent: 1 - values * other,
    symmetric: true,
  };
}

/** About a normal law of so many deviations. */
function spread(mean: number, deviation: number): UsersShare[] {
  const weights = [-6, -4, -3, -2, -1, 0, 1, 2].map((away) => Math.exp((-away * away) / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return [-6, -4, -3, -2, -1, 0, 1, 2].map((away, i) => ({
    users: Math.round(mean + away * deviation),
    probability: weights[i]! / total,
  }));
}

describe('sums of random numbers of copies', () => {
  it.each([
    [3, [100], [1]],
    [3, [40, 60, 100], [1e-3, 0.1, 0.9]],
    [3, [90, 95, 100, 400], [0.25, 0.25, 0.25, 0.25]],
    [3, [12, 200], [1e-9, 1]],
    // A number that hardly counts decides how far out points matter.
    [7, [20, 3000], [1, 0.01]],
  ])('with a gain of %i, of %j copies with weights %j: just above what they are', (gain, counts, weights) => {
    const exact = counts.reduce((sum, count, j) => sum + weights[j]! * exactSum(gain, count), 0);
    const weighed = { counts: Float64Array.from(counts), logWeights: Float64Array.from(weights, Math.log) };
    const saddle = saddlePoint(coin(gain), counts.at(-1)!)!;
    const integral = mixedContourIntegral(coin(gain), weighed, saddle, 1e-6);
    if (integral === null || 'reach' in integral) throw new Error('no integral');
    const upper = integral.upper * Math.exp(integral.logScale);
    expect(upper).toBeGreaterThanOrEqual(exact);
    expect(upper).toBeLessThan(exact * (1 + 1e-3));
  });
});

describe('the divergence among a random number of users', () => {
  it('lies above the sum of those of each number, and hardly so', () => {
    assert(
      property(
        integer({ min: 2, max: 50 }),
        double({ min: 0.1, max: 3, noNaN: true }),
        double({ min: 5, max: 12, noNaN: true }),
        double({ min: 0.05, max: 0.7, noNaN: true }),
        double({ min: 0.2, max: 2, noNaN: true }),
        (values, budget, logUsers, share, width) => {
          const atoms = response(values, budget);
          const mean = Math.exp(logUsers);
          const all = spread(mean, (width * Math.sqrt(mean)) / 2);
          const epsilon = share * budget;
          const together = mixedUsersDivergence(atoms, all, epsilon, { relativeGap: 1e-6 });
          let [least, most] = [0, 0];
          for (const { users, probability } of all) {
            const { lower, upper } = blanketDivergence(atoms, users, epsilon, { relativeGap: 1e-6 });
            least += probability * lower;
            most += probability * upper;
          }
          if (together === null) return;
          expect(together).toBeGreaterThanOrEqual(least * (1 - 1e-13));
          expect(together).toBeLessThanOrEqual(most * (1 + 1e-5) + 1e-320);
        },
      ),
      { numRuns: 12, seed: 11 },
    );
  });

  it('is the larger of both orders', () => {
    const atoms: LikelihoodAtoms = {
      label: 'one-sided',
      victim0: Float64Array.of(0.5, 0.5),
      victim1: Float64Array.of(0.2, 0.8),
      others: Float64Array.of(0.2, 0.5),
      silent: 0.3,
      symmetric: false,
    };
    const swapped = { ...atoms, victim0: atoms.victim1, victim1: atoms.victim0 };
    const how = { relativeGap: 1e-5 };
    const all = spread(2000, 40);
    const both = mixedUsersDivergence(atoms, all, 0.1, how)!;
    expect(mixedUsersDivergence(swapped, all, 0.1, how)).toBe(both);
    const [first, second] = [atoms, swapped].map((directed) =>
      mixedUsersDivergence({ ...directed, symmetric: true }, all, 0.1, how)!,
    );
    expect(both).toBe(Math.max(first!, second!));
    expect(first).not.toBe(second);
  });

  it('counts an output that no other user has', () => {
    const { victim0, victim1, others, ...rest } = response(4, 1);
    const atoms = {
      ...rest,
      victim0: Float64Array.of(...victim0.map((mass) => 0.99 * mass), 0.01),
      victim1: Float64Array.of(...victim1, 0),
      others: Float64Array.of(...others, 0),
    };
    const together = mixedUsersDivergence(atoms, spread(2000, 40), 0.5, { relativeGap: 1e-4 });
    expect(together).toBeGreaterThanOrEqual(0.01);
    expect(together).toBeLessThan(0.0101);
  });

  it('counts gains that are rare, and worth themselves', () => {
    const { victim0, victim1, others, ...rest } = response(4, 0.5);
    const atoms = {
      ...rest,
      victim0: Float64Array.of(...victim0.map((mass) => (1 - 1e-9) * mass), 4e-10, 6e-10),
      victim1: Float64Array.of(...victim1, 0, 0),
      others: Float64Array.of(...others, 1e-20, 1e-20),
    };
    const together = mixedUsersDivergence(atoms, spread(20_000, 140), 0.15, { relativeGap: 1e-4 });
    expect(together).toBeGreaterThanOrEqual(0.999e-9);
    expect(together).toBeLessThan(1.1e-9);
  });

  it('is one user’s where hardly anything hides', () => {
    const atoms = response(4, 6);
    const all = [
      { users: 12, probability: 0.5 },
      { users: 13, probability: 0.5 },
    ];
    const alone = blanketDivergence(atoms, 1, 1).upper;
    expect(mixedUsersDivergence(atoms, all, 1, { relativeGap: 1e-4 })).toBeLessThanOrEqual(
      alone * (1 + 1e-12),
    );
  });
});
