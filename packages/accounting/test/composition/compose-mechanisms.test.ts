import { describe, expect, it } from 'vitest';
import { relativeWidth, type AmplificationProfile, type LikelihoodAtoms } from '@shuffle-dp/core';
import { certifiedComposedDelta } from '../../src/composition/compose-mechanisms.ts';
import {
  certifiedComposedEpsilon,
  certifiedDelta,
  certifiedEpsilon,
  composedEpsilon,
} from '../../src/index.ts';

/** Randomized response on two values, truth kept with probability `keep`. */
function coins(keep: number): AmplificationProfile {
  const atoms = (label: string, others: readonly number[], symmetric: boolean): LikelihoodAtoms => ({
    label,
    victim0: Float64Array.of(keep, 1 - keep),
    victim1: Float64Array.of(1 - keep, keep),
    others: Float64Array.from(others),
    symmetric,
  });
  return {
    variationRatio: null,
    blanket: [atoms('any', [1 - keep, 1 - keep], true)],
    homogeneous: [atoms('all others hold the first value', [keep, 1 - keep], false)],
  };
}

/** Vector randomized response on s of the coordinates: how many agree with the victim's first vector. */
function vectorBlanket(sampled: number, epsilon0: number): LikelihoodAtoms {
  const keep = 1 / (1 + Math.exp(-epsilon0 / sampled));
  const choose = [1];
  for (let k = 1; k <= sampled; k++) choose.push((choose[k - 1]! * (sampled - k + 1)) / k);
  const law = (p: number) => Float64Array.from(choose, (c, k) => c * p ** k * (1 - p) ** (sampled - k));
  const others = Float64Array.from(choose, (c) => c * (1 - keep) ** sampled);
  return { label: 'opposite vectors', victim0: law(keep), victim1: law(1 - keep), others, symmetric: true };
}

/**
 * The exact divergence of `count` rounds of coins among users who all hold the first value but for the
 * victim.
 */
function exactCoins(keep: number, users: number, count: number, epsilon: number): number {
  const binomial = (n: number, p: number) => {
    let law = [1];
    for (let i = 0; i < n; i++) {
      law = Array.from({ length: law.length + 1 }, (_, k) => (law[k] ?? 0) * (1 - p) + (law[k - 1] ?? 0) * p);
    }
    return law;
  };
  const plus = (law: number[], p: number) =>
    Array.from({ length: law.length + 1 }, (_, k) => (law[k] ?? 0) * (1 - p) + (law[k - 1] ?? 0) * p);
  const others = binomial(users - 1, keep);
  const [first, second] = [plus(others, keep), plus(others, 1 - keep)];
  let joint: [number, number][] = [[1, 1]];
  for (let round = 0; round < count; round++) {
    joint = joint.flatMap(([p, q]) => first.map((mass, k): [number, number] => [p * mass, q * second[k]!]));
  }
  const oneWay = (pairs: [number, number][]) =>
    pairs.reduce((sum, [p, q]) => sum + Math.max(0, p - Math.exp(epsilon) * q), 0);
  return Math.max(oneWay(joint), oneWay(joint.map(([p, q]) => [q, p])));
}

describe('certified composition', () => {
  it.each([
    { keep: 0.6, users: 12, count: 4, epsilon: 0.2 },
    { keep: 0.75, users: 20, count: 3, epsilon: 0.5 },
    { keep: 0.75, users: 20, count: 3, epsilon: 1.9 },
    { keep: 0.9, users: 40, count: 2, epsilon: 1 },
  ])('encloses the exact divergence of one data set: %o', ({ keep, users, count, epsilon }) => {
    const exact = exactCoins(keep, users, count, epsilon);
    const round = { amplification: coins(keep), users, count, epsilon0: Math.log(keep / (1 - keep)) };
    const { lower, upper } = certifiedComposedDelta([round], epsilon, { relativeWidth: 1e-2 });
    expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-12));
    expect(upper).toBeGreaterThanOrEqual(exact);
    // The lower end is this data set's own divergence, up to the lattice.
    expect(lower).toBeGreaterThan(0.9 * exact);
  });

  it('is the certified interval for one round', () => {
    const amplification = coins(0.7);
    const round = { amplification, users: 500, count: 1, epsilon0: Math.log(7 / 3) };
    expect(certifiedComposedEpsilon([round], 1e-6)).toEqual(
      certifiedEpsilon(amplification, 500, 1e-6, round),
    );
    expect(certifiedComposedDelta([round], 0.1)).toEqual(certifiedDelta(amplification, 500, 0.1, round));
  });

  it('never exceeds the sum of the local budgets', () => {
    const epsilon0 = 0.4;
    const amplification = coins(1 / (1 + Math.exp(-epsilon0)));
    const { upper } = certifiedComposedEpsilon([{ amplification, users: 2, count: 3, epsilon0 }], 1e-12);
    expect(upper).toBeLessThanOrEqual(3 * epsilon0 * (1 + 1e-12));
    expect(upper).toBeGreaterThan(2 * epsilon0);
  });

  it('blankets of vectors save 40 % against the stronger clone over 256 rounds', () => {
    const p = Math.exp(4);
    const amplification: AmplificationProfile = {
      variationRatio: null,
      blanket: [vectorBlanket(4, 4)],
      homogeneous: [],
    };
    const options = { relativeWidth: 1e-3 };
    const round = { users: 1e4, count: 256 };
    const blanket = certifiedComposedEpsilon([{ ...round, amplification, epsilon0: 4 }], 1e-6, options);
    expect(blanket.lower).toBe(0);
    expect(blanket.upper).toBeGreaterThan(5.1402);
    expect(blanket.upper).toBeLessThan(5.1407 * 1.001);
    const clone = composedEpsilon([{ ...round, pair: { p, beta: Math.tanh(2), q: p } }], 1e-6, options);
    // 8.604 is printed in the literature's terms by rounding up on a lattice of its own.
    expect(clone.lower).toBeLessThan(8.604);
    expect(clone.upper).toBeCloseTo(8.603, 2);
    expect(relativeWidth(clone)).toBeLessThan(1e-3);
  });

  it('mixes mechanisms, and each more round shows more', () => {
    const first = { amplification: coins(0.7), users: 1000, count: 5 };
    const second = { amplification: coins(0.6), users: 400, count: 3 };
    const options = { relativeWidth: 1e-2 };
    const both = certifiedComposedEpsilon([first, second], 1e-6, options);
    const turned = certifiedComposedEpsilon([second, first], 1e-6, options);
    expect(turned.upper).toBeCloseTo(both.upper, 9);
    expect(turned.lower).toBeCloseTo(both.lower, 9);
    expect(both.lower).toBeGreaterThan(certifiedComposedEpsilon([first], 1e-6, options).lower);
    expect(both.upper).toBeGreaterThan(certifiedComposedEpsilon([first], 1e-6, options).upper);
  });

  it('takes rounds whose curve is flat but for rounding', () => {
    const between = (first: readonly number[], second: readonly number[]): AmplificationProfile => {
      const against = (others: readonly number[]): LikelihoodAtoms => ({
        label: '',
        victim0: Float64Array.from(first),
        victim1: Float64Array.from(second),
        others: Float64Array.from(others),
        symmetric: false,
      });
      return {
        variationRatio: null,
        blanket: [against(first.map((mass, y) => Math.min(mass, second[y]!)))],
        homogeneous: [against(first), against(second)],
      };
    };
    // Two thirds of the first law are as good as impossible under the second.
    const tells = { amplification: between([1 / 3, 2 / 3], [1, 9e-54]), users: 3, count: 1 };
    const coin = { amplification: between([0.99, 0.01], [0.4, 0.6]), users: 2, count: 1 };
    const { lower, upper } = certifiedComposedDelta([tells, coin], 1);
    expect(upper).toBeGreaterThan(2 / 3);
    expect(upper).toBeLessThan(0.9);
    expect(lower).toBeGreaterThan(0.65);
    expect(certifiedComposedEpsilon([tells, coin], 0.1).lower).toBeGreaterThan(100);
  });

  it('refuses what makes no sense', () => {
    const round = { amplification: coins(0.7), users: 10, count: 2 };
    expect(() => certifiedComposedEpsilon([], 1e-6)).toThrow('rounds');
    expect(() => certifiedComposedEpsilon([{ ...round, users: 0 }], 1e-6)).toThrow('users = 0');
    expect(() => certifiedComposedEpsilon([{ ...round, count: 1.5 }], 1e-6)).toThrow('count = 1.5');
    expect(() => certifiedComposedDelta([{ ...round, epsilon0: -1 }], 0)).toThrow('epsilon0 = -1');
  });
});
