import { describe, expect, it } from 'vitest';
import { compensatedSum } from '@shuffle-dp/core';
import { composeOnLattice } from '../../src/composition/lattice-composition.ts';
import { latticeRound } from '../../src/composition/loss-moments.ts';
import { pairCurve } from '../../src/composition/pair-curve.ts';
import {
  privacyLossDistribution,
  type PrivacyLossDistribution,
  type Side,
} from '../../src/composition/privacy-loss-distribution.ts';
import { sampledCurves } from '../../src/composition/sampled-curve.ts';
import { variationRatioDivergence } from '../../src/index.ts';
import { pairCells } from '../../src/variation-ratio/variation-ratio.ts';

const SETTINGS = [
  { name: 'three cells', pair: { p: 6, beta: 0.3, q: 4 }, users: 60 },
  { name: 'infinite losses', pair: { p: Infinity, beta: 1, q: 3 }, users: 12 },
  { name: 'the largest total variation', pair: { p: 3, beta: 0.5, q: 3 }, users: 200 },
  { name: 'one user', pair: { p: 3, beta: 0.4, q: 3 }, users: 1 },
] as const;

type Setting = (typeof SETTINGS)[number];

function distribution({ pair, users }: Setting, step: number, side: Side): PrivacyLossDistribution {
  const curve = pairCurve(pairCells(pair), users, step, Math.ceil(4 / step), 1e-30);
  return privacyLossDistribution(curve, curve, step, side);
}

function sampled({ pair, users }: Setting, step: number, side: Side): PrivacyLossDistribution {
  const profile = (epsilon: number) => variationRatioDivergence(pair, users, epsilon);
  const [forward, backward] = sampledCurves(profile, null, { step, tail: 1e-12 });
  return privacyLossDistribution(forward, backward, step, side);
}

/** E (1 - e^(epsilon - loss))_+, summed as it stands. */
function divergenceOf({ step, offset, masses, infinite }: PrivacyLossDistribution, epsilon: number): number {
  const terms = Array.from(
    masses,
    (mass, i) => mass * Math.max(0, -Math.expm1(epsilon - (offset + i) * step)),
  );
  return compensatedSum(terms) + infinite;
}

/**
 * Looked at closely near the losses that a composition at tilt 2 sees, and else in cells of up to 16 steps.
 */
function sampledSparsely({ pair, users }: Setting, step: number, side: Side): PrivacyLossDistribution {
  const profile = (epsilon: number) => variationRatioDivergence(pair, users, epsilon);
  const [forward, backward] = sampledCurves(profile, null, { step, tail: 1e-12 }, { tilt: 2, widest: 16 });
  return privacyLossDistribution(forward, backward, step, side);
}

/** The same where a point takes a third of a second: from the fourth on they lie ever further apart. */
function sampledDearly({ pair, users }: Setting, step: number, side: Side): PrivacyLossDistribution {
  const work = { sines: 0, points: 0 };
  const profile = (epsilon: number) => {
    work.points++;
    work.sines += 4e6;
    return variationRatioDivergence(pair, users, epsilon);
  };
  const [forward, backward] = sampledCurves(profile, null, { step, tail: 1e-12 }, { widest: 1, work });
  return privacyLossDistribution(forward, backward, step, side);
}

const EPSILONS = [0, 0.013, 0.11, 0.5, 0.77, 1.02, 1.09, 1.15, 1.6];

describe.each([
  ['from outcomes', distribution],
  ['from the accountant', sampled],
  ['from few points', sampledSparsely],
  ['from points that are dear', sampledDearly],
])('distributions %s', (_, make) => {
  it.each(SETTINGS)('enclose the curve of the pair: $name', (setting) => {
    for (const step of [0.3, 0.05, 0.007]) {
      const [above, below] = [make(setting, step, 'pessimistic'), make(setting, step, 'optimistic')];
      for (const epsilon of EPSILONS) {
        const exact = variationRatioDivergence(setting.pair, setting.users, epsilon);
        expect(divergenceOf(above, epsilon)).toBeGreaterThanOrEqual(exact.lower * (1 - 1e-11));
        expect(divergenceOf(below, epsilon)).toBeLessThanOrEqual(exact.upper * (1 + 1e-11));
      }
    }
  });

  it.each(SETTINGS)('are probabilities under both hypotheses: $name', (setting) => {
    for (const side of ['pessimistic', 'optimistic'] as const) {
      const { step, offset, masses, infinite } = make(setting, 0.02, side);
      expect(Math.min(...masses)).toBeGreaterThanOrEqual(0);
      expect(compensatedSum([...masses, infinite])).toBeCloseTo(1, 12);
      const second = Array.from(masses, (mass, i) => mass * Math.exp(-(offset + i) * step));
      // Symmetric: what is infinite for the first is impossible under the second, and the other way round.
      expect(compensatedSum([...second, infinite])).toBeCloseTo(1, 12);
    }
  });
});

it('errs by the second power of the step on both sides', () => {
  const setting = SETTINGS[2];
  const error = (step: number, side: Side): number => {
    // Between two points of the lattice, where the chord is farthest from the curve.
    const epsilon = 0.1 + step / 2;
    const exact = variationRatioDivergence(setting.pair, setting.users, epsilon).upper;
    return Math.abs(divergenceOf(distribution(setting, step, side), epsilon) - exact) / exact;
  };
  for (const side of ['pessimistic', 'optimistic'] as const) {
    const ratio = error(0.02, side) / error(0.01, side);
    expect(ratio).toBeGreaterThan(3);
    expect(ratio).toBeLessThan(5);
    expect(error(0.01, side)).toBeLessThan(0.01);
  }
});

it('looks at few points where a composition sees little', () => {
  const { pair, users } = SETTINGS[2];
  const points = (attention?: { tilt: number; widest: number }): number => {
    const asked = new Set<number>();
    const profile = (epsilon: number) => {
      asked.add(epsilon);
      return variationRatioDivergence(pair, users, epsilon);
    };
    sampledCurves(profile, null, { step: 0.002, tail: 1e-12 }, attention);
    return asked.size;
  };
  expect(points({ tilt: 2, widest: 32 })).toBeLessThan(0.65 * points());
  // And errs little there: its lower end at the losses that matter is as good.
  const close = divergenceOf(sampled(SETTINGS[2], 0.002, 'optimistic'), 0.05);
  const sparse = divergenceOf(sampledSparsely(SETTINGS[2], 0.002, 'optimistic'), 0.05);
  expect(Math.abs(sparse / close - 1)).toBeLessThan(1e-3);
});

it('leaps over what a first look cannot afford', () => {
  const { pair, users } = SETTINGS[2];
  const asked = new Set<number>();
  const work = { sines: 0, points: 0 };
  const profile = (epsilon: number) => {
    work.points += asked.has(epsilon) ? 0 : 1;
    work.sines += asked.has(epsilon) ? 0 : 1e6;
    asked.add(epsilon);
    return variationRatioDivergence(pair, users, epsilon);
  };
  sampledCurves(profile, null, { step: 0.0005, tail: 1e-12 }, { widest: 1, work });
  // A dozen in cells of one step, and the rest in a dozen more.
  expect(asked.size).toBeGreaterThan(14);
  expect(asked.size).toBeLessThan(40);
});

it.each([
  ['is dear', 0, 2.5e7],
  // As where the first look is at points that need no integral.
  ['gets dear when the first look is over', 20, 4e7],
])('looks at fewer points of a curve that %s, and encloses it as well', (_, cheap, most) => {
  const { pair, users } = SETTINGS[2];
  const work = { sines: 0, points: 0 };
  const asked = new Set<number>();
  const profile = (epsilon: number) => {
    work.points += asked.has(epsilon) ? 0 : 1;
    work.sines += asked.has(epsilon) || asked.size < cheap ? 0 : 3e5;
    asked.add(epsilon);
    return variationRatioDivergence(pair, users, epsilon);
  };
  const attention = { tilt: 2, widest: 32, work };
  const [dear] = sampledCurves(profile, null, { step: 0.002, tail: 1e-12 }, attention);
  expect(work.sines).toBeLessThan(most);
  for (const [side, sign] of [
    ['pessimistic', 1],
    ['optimistic', -1],
  ] as const) {
    const curve = privacyLossDistribution(dear, dear, 0.002, side);
    for (const epsilon of EPSILONS) {
      const { lower, upper } = variationRatioDivergence(pair, users, epsilon);
      const slack = 1e-11 * upper;
      if (sign > 0) expect(divergenceOf(curve, epsilon)).toBeGreaterThanOrEqual(lower - slack);
      else expect(divergenceOf(curve, epsilon)).toBeLessThanOrEqual(upper + slack);
    }
  }
});

it('gives the trivial pair where the step is too coarse to see anything', () => {
  const coarse = distribution(SETTINGS[0], 50, 'optimistic');
  expect(divergenceOf(coarse, 0)).toBeGreaterThanOrEqual(0);
  expect(divergenceOf(coarse, 0)).toBeLessThan(1e-3);
});

it('joins halves that would bend the wrong way at zero', () => {
  // Raised in the middle: only the hull of the whole curve is the curve of a pair.
  const curve = {
    upper: Float64Array.of(0.6, 0.1, 0),
    lower: Float64Array.of(0.6, 0.1, 0),
    gap: Float64Array.of(0, 0),
    infinite: 0,
  };
  const joined = privacyLossDistribution(curve, curve, 0.5, 'pessimistic');
  expect(compensatedSum(Array.from(joined.masses))).toBeCloseTo(1, 12);
  expect(divergenceOf(joined, 0)).toBeLessThan(0.6);
  expect(divergenceOf(joined, 0.5)).toBeLessThanOrEqual(0.1);
});

it('composes one round to itself', () => {
  for (const setting of SETTINGS) {
    for (const side of ['pessimistic', 'optimistic'] as const) {
      const one = distribution(setting, 0.01, side);
      const curve = composeOnLattice([latticeRound(one, 1)], 2)!;
      for (const epsilon of [0.2, 0.5, 0.805]) {
        const direct = divergenceOf(one, epsilon);
        const composed = curve.deltaAt(epsilon);
        expect(composed).toBeCloseTo(direct, 9);
        if (side === 'pessimistic') expect(composed).toBeGreaterThanOrEqual(direct);
        else expect(composed).toBeLessThanOrEqual(direct);
      }
    }
  }
});

// Such steps were taken where no lattice is affordable: a law without mass says that nothing is ever lost.
it('refuses a step whose exponential leaves the doubles', () => {
  const curve = (...upper: number[]) => ({
    upper: Float64Array.from(upper),
    lower: Float64Array.from(upper),
    gap: new Float64Array(upper.length - 1),
    infinite: 0,
  });
  const known = curve(1, 0);
  expect(() => privacyLossDistribution(known, known, 1800, 'pessimistic')).toThrow(RangeError);
  const { masses } = privacyLossDistribution(known, known, 300, 'pessimistic');
  expect(compensatedSum(masses)).toBeCloseTo(1, 12);
});
