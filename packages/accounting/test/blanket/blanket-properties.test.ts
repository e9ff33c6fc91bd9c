/** What must hold of the blanket divergence and of the certified interval, whatever the atoms. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blanketDivergence,
  certifiedDelta,
  certifiedEpsilon,
  correctedVariationRatioDivergence,
} from '@shuffle-dp/accounting';
import type { AmplificationProfile, LikelihoodAtoms } from '@shuffle-dp/core';
import { randomizedResponseAtoms } from '../atoms/generalized-randomized-response.ts';
import { slotDivergence } from '../oracle/slot-divergence.ts';
import { uniform } from '../../../core/test/uniform.ts';

/** Rounding of the enumeration, relative and absolute. */
const ROUNDING = 1e-11;
const TINY = 1e-14;

const mass = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 5, arbitrary: fc.double({ min: 0.02, max: 1, noNaN: true }) },
);
const law = fc
  .array(mass, { minLength: 4, maxLength: 4 })
  .filter((weights) => Math.max(...weights) > 0)
  .map((weights) => scaled(weights, 1));

function scaled(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((running, weight) => running + weight, 0);
  return weights.map((weight) => (total * weight) / sum);
}

function atomsOf(
  victim0: readonly number[],
  victim1: readonly number[],
  others: readonly number[],
): LikelihoodAtoms {
  return {
    label: 'any',
    victim0: Float64Array.from(victim0),
    victim1: Float64Array.from(victim1),
    others: Float64Array.from(others),
    symmetric: false,
  };
}

/** Four atoms: any two laws of the victim, any slots that show something with probability `shown`. */
const anyAtoms = fc
  .record({
    victim0: law,
    victim1: law,
    others: law,
    shown: fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 1, noNaN: true })),
  })
  .map(({ victim0, victim1, others, shown }) => atomsOf(victim0, victim1, scaled(others, shown)));

const fewUsers = fc.integer({ min: 1, max: 4 });
const manyUsers = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 61, max: 100_000 }));
const anyEpsilon = fc.oneof(fc.constant(0), uniform(0, 3));

test('up to four users the bracket holds the divergence of all that is shown', () => {
  fc.assert(
    fc.property(anyAtoms, fewUsers, anyEpsilon, (atoms, users, epsilon) => {
      const truth = slotDivergence(atoms, users, epsilon);
      const { lower, upper } = blanketDivergence(atoms, users, epsilon);
      expect(lower).toBeLessThanOrEqual(truth * (1 + ROUNDING) + TINY);
      expect(upper).toBeGreaterThanOrEqual(truth * (1 - ROUNDING) - TINY);
      // Enumerated, so both ends meet: the lower end is never 0 for want of effort.
      expect(upper - lower).toBeLessThanOrEqual(ROUNDING * truth + TINY);
    }),
    { seed: 101, numRuns: 300 },
  );
});

describe('for any number of users', () => {
  const holds = (
    seed: number,
    property: (atoms: LikelihoodAtoms, users: number, epsilon: number) => void,
  ): void => {
    fc.assert(fc.property(anyAtoms, manyUsers, anyEpsilon, property), { seed, numRuns: 60 });
  };

  test('falls with users and with epsilon', () => {
    expect.hasAssertions();
    holds(102, (atoms, users, epsilon) => {
      const { upper } = blanketDivergence(atoms, users, epsilon, { ends: 'upper' });
      for (const [more, larger] of [
        [users + 1, epsilon],
        [3 * users, epsilon],
        [users, epsilon + 0.01],
        [users, 2 * epsilon],
      ] as const) {
        const { lower } = blanketDivergence(atoms, more, larger, { ends: 'lower' });
        expect(lower).toBeLessThanOrEqual(upper * (1 + ROUNDING) + TINY);
      }
    });
  });

  test("exchanging the victim's inputs or permuting atoms changes nothing", () => {
    expect.hasAssertions();
    holds(103, (atoms, users, epsilon) => {
      const { victim0, victim1, others } = atoms;
      const here = blanketDivergence(atoms, users, epsilon);
      for (const same of [
        atomsOf([...victim1], [...victim0], [...others]),
        atomsOf([...victim0].toReversed(), [...victim1].toReversed(), [...others].toReversed()),
      ]) {
        const there = blanketDivergence(same, users, epsilon);
        expect(Math.abs(there.lower - here.lower)).toBeLessThanOrEqual(1e-9 * here.upper + TINY);
        expect(Math.abs(there.upper - here.upper)).toBeLessThanOrEqual(1e-9 * here.upper + TINY);
      }
    });
  });

  test('a smaller blanket bounds from above (F2), merged outputs from below (F3)', () => {
    expect.hasAssertions();
    holds(104, (atoms, users, epsilon) => {
      const [victim0, victim1, others] = [[...atoms.victim0], [...atoms.victim1], [...atoms.others]];
      const here = blanketDivergence(atoms, users, epsilon);
      const smaller = atomsOf(
        victim0,
        victim1,
        others.map((w, y) => w * (1 - 0.2 * y)),
      );
      expect(blanketDivergence(smaller, users, epsilon).upper).toBeGreaterThanOrEqual(
        here.lower * (1 - ROUNDING) - TINY,
      );
      const merge = ([a, b, c, d]: readonly number[]): number[] => [a! + b!, c!, d!];
      const coarser = atomsOf(merge(victim0), merge(victim1), merge(others));
      expect(blanketDivergence(coarser, users, epsilon).lower).toBeLessThanOrEqual(
        here.upper * (1 + ROUNDING) + TINY,
      );
    });
  });

  test('equal laws of the victim have no divergence', () => {
    expect.hasAssertions();
    holds(105, ({ victim0, others }, users, epsilon) => {
      const { upper } = blanketDivergence(atomsOf([...victim0], [...victim0], [...others]), users, epsilon);
      // At epsilon = 0 all losses are 0, known to the rounding of the largest (P + Q) / W.
      const ratios = victim0.map((probability, y) => (others[y]! > 0 ? probability / others[y]! : 0));
      expect(upper).toBeLessThanOrEqual(16 * 2 ** -53 * Math.max(1, ...ratios));
    });
  });
});

describe('the ends of the parameters', () => {
  const responseProfile = (domain: number, epsilon0: number): AmplificationProfile => ({
    variationRatio: null,
    blanket: [randomizedResponseAtoms(domain, epsilon0, 'blanket')],
    homogeneous:
      domain > 2
        ? (['first value', 'third value'] as const).map((others) =>
            randomizedResponseAtoms(domain, epsilon0, others),
          )
        : [],
  });

  test('one user: the local divergence, and the local budget at delta = 0', () => {
    const [epsilon0, domain] = [1.3, 5];
    const p = Math.exp(epsilon0);
    for (const epsilon of [0, 0.4, 1.2]) {
      const { lower, upper } = certifiedDelta(responseProfile(domain, epsilon0), 1, epsilon);
      const local = (p - Math.exp(epsilon)) / (p + domain - 1);
      expect(lower / local).toBeCloseTo(1, 12);
      expect(upper / local).toBeCloseTo(1, 12);
    }
    const { lower, upper } = certifiedEpsilon(responseProfile(domain, epsilon0), 1, 0, { epsilon0 });
    expect(lower).toBeCloseTo(epsilon0, 8);
    expect(upper).toBeCloseTo(epsilon0, 8);
  });

  test('delta = 0 asks for the whole local budget, whatever the users; delta = 1 for nothing', () => {
    const { upper } = certifiedEpsilon(responseProfile(4, 2), 1000, 0, { epsilon0: 2 });
    expect(upper).toBe(2);
    expect(certifiedEpsilon(responseProfile(4, 2), 1000, 1, { epsilon0: 2 })).toEqual({ lower: 0, upper: 0 });
  });

  test('at and above the local budget delta is 0, also where the budget is not told', () => {
    const profile = responseProfile(4, 2);
    expect(certifiedDelta(profile, 50, 2, { epsilon0: 2 })).toEqual({ lower: 0, upper: 0 });
    for (const users of [1, 2, 50, 5000]) {
      expect(certifiedDelta(profile, users, 2.5)).toEqual({ lower: 0, upper: 0 });
      // Within rounding of the budget, an upper end of that size.
      const { lower, upper } = certifiedDelta(profile, users, 2);
      expect(lower).toBe(0);
      expect(upper).toBeLessThan(1e-15);
    }
  });

  test.each([1e-9, 1e-6])('local budget %d: proportional to it', (epsilon0) => {
    for (const users of [1, 2, 100, 100_000]) {
      const here = certifiedDelta(responseProfile(4, epsilon0), users, 0);
      const tenfold = certifiedDelta(responseProfile(4, 10 * epsilon0), users, 0);
      expect(here.lower).toBeGreaterThan(0);
      // Linear but for terms of second order; losses of 1e-9 are differences of numbers near 1.
      const slack = 1 + 20 * epsilon0 + 1e-14 / epsilon0;
      expect(tenfold.lower).toBeLessThanOrEqual(10 * here.upper * slack);
      expect(10 * here.lower).toBeLessThanOrEqual(tenfold.upper * slack);
      // The integral's phases are known to some hundred units of rounding at most.
      expect(here.upper - here.lower).toBeLessThan(1e-3 * here.lower + 500 * 2 ** -53);
    }
  });

  test('a small local budget at delta = 0, found from the ratios of masses near each other', () => {
    for (const epsilon0 of [1e-9, 3e-9, 1e-7, 1e-3]) {
      for (let domain = 2; domain < 40; domain++) {
        const { lower, upper } = certifiedEpsilon(responseProfile(domain, epsilon0), 5, 0);
        expect(upper).toBeGreaterThanOrEqual(epsilon0);
        expect(lower).toBeLessThanOrEqual(epsilon0);
        expect(upper - epsilon0).toBeLessThan(1e-14);
      }
    }
  });

  test('local budget 50: the shuffle hides nothing', () => {
    const { lower, upper } = certifiedEpsilon(responseProfile(16, 50), 2, 1e-6, { epsilon0: 50 });
    expect(upper).toBeLessThanOrEqual(50);
    expect(lower).toBeGreaterThan(49.99);
    for (const epsilon of [1, 40]) {
      const hidden = certifiedDelta(responseProfile(16, 50), 100, epsilon);
      expect(hidden.lower).toBeGreaterThan(0.99);
      expect(hidden.upper).toBeLessThanOrEqual(1);
    }
  });

  test.each([350, 600])('local budget %d: losses that leave the doubles', (epsilon0) => {
    for (const users of [1, 2, 100]) {
      for (const epsilon of [1, 280, 310]) {
        const { lower, upper } = certifiedDelta(responseProfile(4, epsilon0), users, epsilon, { epsilon0 });
        expect(lower).toBeLessThanOrEqual(1);
        expect(upper).toBeGreaterThan(1 - 1e-9);
      }
      expect(certifiedEpsilon(responseProfile(4, epsilon0), users, 1e-6, { epsilon0 }).upper).toBeCloseTo(
        epsilon0,
        6,
      );
    }
  });

  test('an atom that others hardly ever show leaves what is known of the rest', () => {
    const atoms = atomsOf([0.5, 0.5], [0.5, 0.5], [0.5, 1e-40]);
    expect(blanketDivergence(atoms, 1, 0).upper).toBeLessThan(1e-15);
  });

  test('the corrected cells at beta = 0 and at its largest', () => {
    const p = 5;
    for (const users of [1, 2, 30, 3000]) {
      expect(correctedVariationRatioDivergence({ p, beta: 0, q: p }, users, 0.3).upper).toBeLessThan(1e-15);
      const most = correctedVariationRatioDivergence({ p, beta: (p - 1) / (p + 1), q: p }, users, 0.3);
      const cells = blanketDivergence(
        { ...atomsOf([p / (p + 1), 1 / (p + 1)], [1 / (p + 1), p / (p + 1)], [1 / (p + 1), 1 / (p + 1)]) },
        users,
        0.3,
      );
      expect(most.upper).toBeGreaterThanOrEqual(cells.lower);
      expect(most.lower).toBeLessThanOrEqual(cells.upper);
    }
  });

  test('without a blanket nothing is certified but the local budget', () => {
    const none: AmplificationProfile = { variationRatio: null, blanket: [], homogeneous: [] };
    expect(certifiedDelta(none, 100, 0.5)).toEqual({ lower: 0, upper: 1 });
    expect(certifiedDelta(none, 100, 3, { epsilon0: 3 })).toEqual({ lower: 0, upper: 0 });
    expect(certifiedEpsilon(none, 100, 1e-6)).toEqual({ lower: 0, upper: Infinity });
    expect(certifiedEpsilon(none, 100, 1e-6, { epsilon0: 3 })).toEqual({ lower: 0, upper: 3 });
    expect(certifiedEpsilon(none, 100, 1)).toEqual({ lower: 0, upper: 0 });
  });
});

test('a lower end is found wherever the value is not below the doubles: old item, new item, another, none sent', () => {
  for (const [users, items, rate, coin] of [
    [5000, 17, 0.3, 0.9],
    [10_000, 17, 0.3, 0.9],
    [1_000_000, 17, 0.9, 0.5],
    [100, 5, 0.5, 0.5],
    [5000, 17, 0.01, 1],
  ] as const) {
    const cover = coin / items;
    const atoms = atomsOf(
      [rate, 0, 0, 1 - rate],
      [0, rate, 0, 1 - rate],
      [cover, cover, coin - 2 * cover, 1 - coin],
    );
    for (const epsilon of [0, 0.01, 0.05, 0.2]) {
      const { lower, upper } = blanketDivergence(atoms, users, epsilon);
      expect(lower).toBeGreaterThan(0.999 * upper);
    }
  }
});
