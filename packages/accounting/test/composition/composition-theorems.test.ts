import { describe, expect, it } from 'vitest';
import { exactly } from '@shuffle-dp/core';
import {
  advancedCompositionEpsilon,
  basicCompositionEpsilon,
  composedEpsilon,
  dworkCompositionEpsilon,
  gaussianLimitEpsilon,
  renyiCompositionEpsilon,
  shuffledRenyiDivergence,
  variationRatioEpsilon,
} from '../../src/index.ts';

/** Pure DP: no delta below this epsilon but that of randomized response. */
const pure = (epsilon0: number, count: number) => ({
  profile: (epsilon: number) =>
    exactly(Math.max(0, Math.exp(epsilon0) - Math.exp(epsilon)) / (Math.exp(epsilon0) + 1)),
  count,
});

describe('basic composition', () => {
  it('adds up budgets', () => {
    expect(basicCompositionEpsilon([pure(0.3, 4), pure(0.1, 5)], 0)).toBeCloseTo(1.7, 12);
  });

  it('shares delta equally', () => {
    const pair = { p: 5, beta: 0.4, q: 5 };
    const one = variationRatioEpsilon(pair, 300, 1e-7).upper;
    expect(basicCompositionEpsilon([{ pair, users: 300, count: 10 }], 1e-6)).toBeCloseTo(10 * one, 9);
  });
});

describe('advanced composition', () => {
  it('of pure budgets is the formula with all of delta in it', () => {
    const [epsilon0, count, delta] = [0.05, 400, 1e-5];
    // A share of delta would lower the rounds' epsilon by as good as nothing.
    const formula =
      count * epsilon0 * Math.tanh(epsilon0 / 2) + Math.sqrt(2 * count * epsilon0 ** 2 * Math.log(1 / delta));
    const value = advancedCompositionEpsilon([pure(epsilon0, count)], delta);
    expect(value).toBeLessThanOrEqual(formula * (1 + 1e-6));
    expect(value).toBeGreaterThan(0.99 * formula);
  });

  it('lies between the numerical and the basic bound', () => {
    const rounds = [{ pair: { p: Math.exp(2), beta: 0.5, q: Math.exp(2) }, users: 1e4, count: 256 }];
    const advanced = advancedCompositionEpsilon(rounds, 1e-6);
    expect(advanced).toBeGreaterThan(composedEpsilon(rounds, 1e-6, { relativeWidth: 1e-2 }).upper);
    expect(advanced).toBeLessThan(0.6 * basicCompositionEpsilon(rounds, 1e-6));
  });

  it('of few rounds is basic composition', () => {
    const rounds = [pure(1, 2)];
    expect(advancedCompositionEpsilon(rounds, 1e-9)).toBe(basicCompositionEpsilon(rounds, 1e-9));
  });
});

describe('strong composition as printed', () => {
  it('leaves half of delta to the rounds, in equal shares, and half to their sum', () => {
    const [rate, count, delta] = [10, 3, 1e-4];
    const round = { profile: (epsilon: number) => exactly(Math.exp(-rate * epsilon)), count };
    const each = Math.log(6e4) / rate;
    const printed = count * each * Math.expm1(each) + Math.sqrt(2 * Math.log(2e4) * count) * each;
    expect(dworkCompositionEpsilon([round], delta) / printed).toBeCloseTo(1, 9);
  });
});

describe('Renyi composition', () => {
  it('is the best integer order', () => {
    const [epsilon0, users, count, delta] = [1, 1e4, 50, 1e-6];
    const at = (order: number) =>
      count * shuffledRenyiDivergence(epsilon0, users, order) +
      (Math.log(1 / delta) - Math.log(order)) / (order - 1) +
      Math.log(1 - 1 / order);
    const best = Math.min(...Array.from({ length: 40 }, (_, i) => at(i + 2)));
    const value = renyiCompositionEpsilon(epsilon0, users, count, delta);
    expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-12));
    expect(value).toBeLessThan(1.01 * best);
  });

  it('lies above the stronger clone, and below the sum of the local budgets', () => {
    const p = Math.E;
    const rounds = [{ pair: { p, beta: (p - 1) / (p + 1), q: p }, users: 1e4, count: 50 }];
    expect(renyiCompositionEpsilon(1, 1e4, 50, 1e-6)).toBeGreaterThan(composedEpsilon(rounds, 1e-6).upper);
    expect(renyiCompositionEpsilon(1, 20, 2, 1e-6)).toBeLessThanOrEqual(2);
  });
});

describe('the Gaussian limit', () => {
  const p = Math.E;
  const keep = p / (p + 1);
  const atoms = {
    label: 'coins',
    victim0: Float64Array.of(keep, 1 - keep),
    victim1: Float64Array.of(1 - keep, keep),
    others: Float64Array.of(1 - keep, 1 - keep),
    symmetric: true,
  };

  it('is what many rounds of many users approach', () => {
    const rounds = [{ pair: { p, beta: (p - 1) / (p + 1), q: p }, users: 1e5, count: 500 }];
    const limit = gaussianLimitEpsilon([{ atoms, users: 1e5, count: 500 }], 1e-6);
    expect(composedEpsilon(rounds, 1e-6, { relativeWidth: 1e-3 }).upper / limit).toBeCloseTo(1, 3);
  });

  it('knows rounds of different kinds by their squared signals only', () => {
    const one = gaussianLimitEpsilon([{ atoms, users: 1000, count: 30 }], 1e-6);
    const two = gaussianLimitEpsilon(
      [
        { atoms, users: 1000, count: 20 },
        { atoms, users: 2000, count: 20 },
      ],
      1e-6,
    );
    expect(two).toBeCloseTo(one, 12);
  });

  it('refuses outputs that only the victim can give', () => {
    const bare = { ...atoms, others: Float64Array.of(0, 1) };
    expect(() => gaussianLimitEpsilon([{ atoms: bare, users: 10, count: 2 }], 1e-6)).toThrow('others[0]');
  });
});
