/**
 * What is taken as proved at the far ends: nothing underflows to a certainty, and crossed ends are an error.
 */
import { describe, expect, test } from 'vitest';
import {
  blanketDivergence,
  certifiedDelta,
  certifiedEpsilon,
  evaluatePublishedBounds,
  personalizedPrivacy,
} from '@shuffle-dp/accounting';
import { ContradictionError, provedInterval, type LikelihoodAtoms } from '@shuffle-dp/core';
import { grr } from './published/settings.ts';

const BALLE = [
  'blanket-hoeffding-generic',
  'blanket-bennett-generic',
  'blanket-hoeffding',
  'blanket-bennett',
] as const;

describe('delta 0', () => {
  test('an output that only the second input gives away is without bound', () => {
    const atoms: LikelihoodAtoms = {
      label: 'one-sided',
      victim0: Float64Array.of(0, 1),
      victim1: Float64Array.of(0.5, 0.5),
      others: Float64Array.of(0.5, 0.5),
      symmetric: false,
    };
    const profile = { variationRatio: null, blanket: [atoms], homogeneous: [atoms] };
    expect(certifiedEpsilon(profile, 10, 0).upper).toBe(Infinity);
    expect(certifiedEpsilon(profile, 10, 0).lower).toBe(Infinity);
  });

  // All messages may be the likeliest one, whatever the number of users: only the local budget is left.
  test.each([
    [1, 2, 1_000_000],
    [0.1, 16, 10_000_000],
    [0.5, 16, 1_000_000],
    [4, 3, 1e12],
    [1e-9, 2, 1e12],
  ])('budget %d over %d values, %d users: every sound bound is the budget', (epsilon0, domain, users) => {
    const setting = grr(epsilon0, domain, users);
    for (const { epsilon, sound, direction } of evaluatePublishedBounds(setting, { delta: 0 })) {
      if (sound !== true || direction === 'lower' || epsilon === null) continue;
      expect(Math.abs(epsilon / epsilon0 - 1)).toBeLessThan(1e-6);
    }
    const { lower, upper } = certifiedEpsilon(setting.amplification, users, 0, { epsilon0 });
    expect(lower).toBeGreaterThan(epsilon0 * (1 - 1e-6));
    expect(upper).toBe(epsilon0);
  });

  test('a delta that underflows is not 0', () => {
    const setting = grr(1, 2, 1_000_000);
    const bounds = evaluatePublishedBounds(setting, { epsilon: 0.5 });
    for (const name of BALLE) expect(bounds.find((bound) => bound.name === name)!.delta).toBe(5e-324);
    expect(certifiedDelta(setting.amplification, 1_000_000, 0.5)).toEqual({ lower: 0, upper: 5e-324 });
  });

  test('where no loss is positive the divergence is 0', () => {
    // The others' blanket leaves largest ratios of e^1 and no more.
    const setting = { ...grr(1, 4, 100), epsilon0: Infinity };
    const bounds = evaluatePublishedBounds(setting, { epsilon: 1.5 });
    for (const name of ['blanket-hoeffding', 'blanket-bennett'])
      expect(bounds.find((bound) => bound.name === name)!.delta).toBe(0);
  });
});

describe('the moments of small budgets', () => {
  // In 50 digits: delta <= range^2 e^(...) / (4 a n / p) with range = (e^eps + 1)(p - 1/p), p = e^epsilon0.
  test.each([
    [1e-9, 1000, 1e-10, 1.1460191900775004e-11],
    [1e-9, 1e12, 1e-15, 3.5299876143096196e-15],
  ])('Hoeffding at %d, %d users, epsilon %d', (epsilon0, users, epsilon, expected) => {
    const bounds = evaluatePublishedBounds(grr(epsilon0, 2, users), { epsilon });
    const { delta } = bounds.find(({ name }) => name === 'blanket-hoeffding-generic')!;
    expect(delta! / expected).toBeGreaterThanOrEqual(1);
    expect(delta! / expected - 1).toBeLessThan(1e-8);
  });
});

describe('crossed ends', () => {
  const honest = grr(1, 2, 100).amplification;
  const lying = {
    ...honest,
    // A blanket that nobody's messages contain.
    blanket: honest.blanket.map((atoms): LikelihoodAtoms => ({
      ...atoms,
      others: Float64Array.of(0.5, 0.5),
    })),
    homogeneous: [
      {
        label: 'a rare message of the others',
        victim0: Float64Array.of(0.9, 0.1),
        victim1: Float64Array.of(0.1, 0.9),
        others: Float64Array.of(0.5, 0.5),
        symmetric: true,
      },
    ],
  };

  test('are an error that names both bounds with their values, never an interval', () => {
    for (const run of [() => certifiedEpsilon(lying, 100, 1e-6), () => certifiedDelta(lying, 100, 0.1)]) {
      let thrown: unknown;
      try {
        run();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(ContradictionError);
      const { code, lower, upper, message } = thrown as ContradictionError;
      expect(code).toBe('proved-bounds-cross');
      expect(lower.value).toBeGreaterThan(upper.value);
      for (const bound of [lower, upper]) {
        expect(message).toContain(bound.name);
        expect(message).toContain(String(bound.value));
      }
    }
  });

  test('equal ends, and no numbers', () => {
    const at = (value: number) => ({ name: 'a bound', value });
    expect(provedInterval('epsilon', at(1), at(1))).toEqual({ lower: 1, upper: 1 });
    expect(() => provedInterval('epsilon', at(1), at(NaN))).toThrow(ContradictionError);
  });

  test('a test on counts against a false bound', () => {
    const masses = [Float64Array.of(0.9, 0.1), Float64Array.of(0.1, 0.9)] as const;
    const group = {
      budget: 3,
      users: 200,
      // Nobody's messages contain this blanket.
      blanket: { masses: Float64Array.of(0.5, 0.5) },
      pairs: [{ first: { masses: masses[0] }, second: { masses: masses[1] }, symmetric: true }],
      held: [Float64Array.of(0.999, 0.001)],
    };
    expect(() => personalizedPrivacy([group], 1e-4)).toThrow(ContradictionError);
  });
});

test('heavy tails: one message far out decides, and both ends know it', () => {
  // Two normal laws of deviation 1/2 around 0 and 1, cut into cells; all others around 0, the victim around 1
  // or 0.
  const edges = Array.from({ length: 1001 }, (_, i) => -3.5 + i * 0.008);
  const law = (centre: number): Float64Array => {
    const density = edges.map((edge) => Math.exp(-2 * (edge - centre) ** 2));
    const total = density.reduce((sum, mass) => sum + mass, 0);
    return Float64Array.from(density, (mass) => mass / total);
  };
  const [near, far] = [law(0), law(1)];
  const users = 10_000;
  const epsilon = 1.7;
  const atoms = { label: '', victim0: far, victim1: near, others: near, symmetric: true };
  const { lower, upper } = blanketDivergence(atoms, users, epsilon, { relativeGap: 1e-3 });
  // The event that some message is in a cell from `edge` on, in closed form.
  let event = 0;
  for (let first = 500; first < edges.length; first++) {
    const [p, q] = [far, near].map((masses) => masses.subarray(first).reduce((sum, mass) => sum + mass, 0));
    const others = -Math.expm1((users - 1) * Math.log1p(-q!));
    const gain = p! + (1 - p!) * others - Math.exp(epsilon) * (q! + (1 - q!) * others);
    event = Math.max(event, gain);
  }
  expect(lower).toBeGreaterThan(0.95 * event);
  expect(upper).toBeGreaterThan(event);
  expect(upper).toBeLessThan(1.6 * event);
  expect(upper / lower - 1).toBeLessThan(0.2);
});
