import { describe, expect, it } from 'vitest';
import { binomialPmf } from '@shuffle-dp/core';
import { ballsIntoBinsBlanketRate } from '../../src/item-sets/balls-into-bins-parameters.ts';
import {
  blanketCoins,
  exactDivergence,
  fullSendingBlanketRate,
  optimalParameters,
  parametersAt,
  publishedDivergence,
  sendingRate,
  theoreticalBound,
  type ParameterSetting,
} from '../../src/item-sets/parameters.ts';

const LEVELS = [0.5, 1, 2];

function settingOf(users: number, domain: number, items = 4): ParameterSetting {
  return { users, domain, items, delta: 0.01 / users, levels: LEVELS };
}

const quarters = (users: number): number[] => [0.25 * users, 0.5 * users, 0.25 * users];

describe('the parameters by Theorem 3 as published', () => {
  // n, d, m, bound on the error, and rates where known: levels 0.5, 1, 2 with shares 1/4, 1/2, 1/4; s = 4,
  // delta = 0.01 / n.
  it.each<[number, number, number, number, number[] | null]>([
    [5000, 17, 0.5, 1.777e-3, null],
    [5000, 17, 1, 1.538e-3, null],
    [5000, 17, 2, 1.413e-3, [0.543, 1, 1]],
    [5000, 17, 4, 1.751e-3, null],
    [5000, 17, 10, 2.8e-3, [1, 1, 1]],
    [50000, 17, 0.1, 1.259e-4, null],
    [50000, 17, 0.3, 9.65e-5, [0.593, 1, 1]],
    [50000, 17, 1, 1e-4, [1, 1, 1]],
    [5000, 128, 1, 5.18e-3, null],
    [5000, 128, 4, 3.881e-3, [0.28, 0.524, 0.945]],
    [5000, 128, 10, 4.38e-3, null],
  ])('n = %d, d = %d, m = %d: bound %d', (users, domain, blanketRate, bound, rates) => {
    const setting = settingOf(users, domain);
    const parameters = parametersAt(setting, blanketRate, 'published');
    const value = theoreticalBound(setting, parameters, quarters(users));
    expect(Math.abs(value / bound - 1)).toBeLessThan(2e-3);
    rates?.forEach((rate, k) => expect(Math.abs(parameters.rates[k]! - rate)).toBeLessThan(7e-4));
  });

  it('stay on the private side, and next to its edge', () => {
    const setting = settingOf(5000, 17);
    for (const epsilon of [0.5, 1]) {
      const rate = sendingRate(setting, 0.7, epsilon, 'published');
      expect(rate).toBeLessThan(1);
      expect(publishedDivergence(setting, 0.7, rate, epsilon)).toBeLessThanOrEqual(setting.delta);
      expect(publishedDivergence(setting, 0.7, rate + 1e-5, epsilon)).toBeGreaterThan(setting.delta);
    }
  });

  it('send everything from the least m that allows it', () => {
    const setting = settingOf(5000, 17);
    const least = fullSendingBlanketRate(setting, 0.5, 'published');
    expect(least).toBeCloseTo(6.802, 2);
    expect(sendingRate(setting, least, 0.5, 'published')).toBe(1);
    expect(sendingRate(setting, least * 0.999, 0.5, 'published')).toBeLessThan(1);
  });
});

describe('the optimal parameters', () => {
  it.each(['published', 'exact'] as const)('beat every other m: %s accounting', (accounting) => {
    const users = 5000;
    const setting = settingOf(users, 17);
    const best = optimalParameters(setting, quarters(users), accounting);
    const bound = theoreticalBound(setting, best, quarters(users));
    for (const factor of [0.25, 0.5, 0.8, 0.95, 1.05, 1.25, 2, 4]) {
      const other = parametersAt(setting, best.blanketRate * factor, accounting);
      expect(theoreticalBound(setting, other, quarters(users))).toBeGreaterThanOrEqual(bound * (1 - 1e-4));
    }
  });

  it('need a third of the blankets and give less error when a whole set is accounted for exactly', () => {
    const users = 5000;
    const setting = settingOf(users, 17);
    const published = optimalParameters(setting, quarters(users), 'published');
    const exact = optimalParameters(setting, quarters(users), 'exact');
    expect(exact.blanketRate).toBeLessThan(published.blanketRate / 3);
    const gain =
      theoreticalBound(setting, published, quarters(users)) /
      theoreticalBound(setting, exact, quarters(users));
    expect(gain).toBeGreaterThan(1.35);
  });

  it('are within the exact divergence at every level', () => {
    const setting = settingOf(5000, 17);
    const { blanketRate, rates } = optimalParameters(setting, quarters(5000), 'exact');
    LEVELS.forEach((epsilon, k) => {
      expect(exactDivergence(setting, blanketRate, rates[k]!, epsilon)).toBeLessThanOrEqual(setting.delta);
    });
  });
});

describe('blanket coins', () => {
  it.each([
    [0.3, 1, 0.3],
    [2, 2, 1],
    [2.5, 3, 2.5 / 3],
  ])('m = %d: %d coins of probability %d', (blanketRate, slots, probability) => {
    expect(blanketCoins(blanketRate)).toEqual({ slots, probability });
  });
});

describe('a target that would take over a trillion blankets', () => {
  const setting = { users: 1000, domain: 16, items: 2, delta: 1e-6, levels: [1e-6] };
  const reason = 'epsilon = 0.000001: must be larger: it would take over 1000000000000 blanket messages';

  it.each(['published', 'exact'] as const)('is refused by its name, accounting %s', (accounting) => {
    expect(() => fullSendingBlanketRate(setting, 1e-6, accounting)).toThrow(reason);
  });

  it('is refused by the original analysis of balls into bins too', () => {
    expect(() => ballsIntoBinsBlanketRate(setting, 1e-6, 'original')).toThrow(reason);
  });

  it('is none where sets hold every item, accounted for whole: refused by the name of the items', () => {
    const all = { ...setting, items: 16, levels: [1] };
    expect(() => fullSendingBlanketRate(all, 1, 'exact')).toThrow(
      'items = 16: must be an integer from 1 to 15',
    );
    expect(fullSendingBlanketRate(all, 1, 'published')).toBeGreaterThan(0);
  });

  it('is met with as many where it is just within reach', () => {
    const rate = fullSendingBlanketRate({ ...setting, users: 1e11 }, 2e-5, 'published');
    expect(rate).toBeLessThanOrEqual(10);
    expect(publishedDivergence({ ...setting, users: 1e11 }, rate, 1, 2e-5)).toBeLessThanOrEqual(1e-6);
  });
});

describe('Theorem 3 where all slots show one of two items', () => {
  const two: ParameterSetting = { users: 2, domain: 2, items: 1, delta: 1e-3, levels: [1] };

  /** By enumeration: how many of the messages show the old item, the number of messages being seen. */
  function enumerated(slots: number, rate: number, epsilon: number): number {
    let sum = 0;
    for (let k = 0; k <= slots + 1; k++) {
      const [old, other] = [k > 0 ? binomialPmf(k - 1, slots, 0.5) : 0, binomialPmf(k, slots, 0.5)];
      sum += Math.max(0, old - Math.exp(epsilon) * other);
    }
    return rate * sum;
  }

  it.each([0.5, 0.75, 0.999, 1])(
    'bounds the exact divergence, with one slot less, at a rate of %d',
    (rate) => {
      for (const epsilon of [0.1, 0.5, 1, 2]) {
        const perItem = publishedDivergence(two, 2, rate, epsilon) / Math.exp(epsilon);
        expect(perItem).toBeCloseTo(enumerated(3, rate, epsilon), 12);
        expect(perItem).toBeGreaterThanOrEqual(enumerated(4, rate, epsilon));
      }
    },
  );

  it('allows a sending rate', () => {
    const setting = { ...two, users: 100 };
    const rate = sendingRate(setting, 1, 0.5, 'published');
    expect(rate).toBeGreaterThan(0);
    expect(publishedDivergence(setting, 1, rate, 0.5)).toBeLessThanOrEqual(1e-3);
  });
});
