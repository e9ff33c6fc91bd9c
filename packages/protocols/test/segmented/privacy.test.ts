import { describe, expect, it } from 'vitest';
import { blanketDivergence, variationRatioDivergence } from '@shuffle-dp/accounting';
import {
  blanketCoins,
  itemVariationRatio,
  sendingRate,
  type ParameterSetting,
} from '../../src/segmented/parameters.ts';
import { certifiedPrivacy, publishedPrivacy, theorem3Verdict } from '../../src/segmented/privacy.ts';

const setting: ParameterSetting = {
  users: 5000,
  domain: 17,
  itemsPerUser: 4,
  delta: 0.01 / 5000,
  levels: [0.5, 1, 2],
};

/** Theorem 3's divergence of one item as published. */
function claimed(blanketRate: number, rate: number, epsilon: number): number {
  const slots = setting.users * blanketCoins(blanketRate).slots;
  return variationRatioDivergence(itemVariationRatio(rate, blanketRate, 17), slots, epsilon).lower;
}

/** The divergence that a server sees which also counts all messages. */
function exact(blanketRate: number, rate: number, epsilon: number): number {
  const { slots, probability } = blanketCoins(blanketRate);
  const population = setting.users * slots + 1;
  if (probability === 1) {
    return rate * variationRatioDivergence(itemVariationRatio(1, blanketRate, 17), population, epsilon).lower;
  }
  // The upper end exceeds the exact value by less than one part in a thousand.
  return blanketDivergence(
    {
      label: 'old item, new item, nothing, any other item',
      victim0: Float64Array.of(rate, 0, 1 - rate, 0),
      victim1: Float64Array.of(0, rate, 1 - rate, 0),
      others: Float64Array.of(probability / 17, probability / 17, 1 - probability, (probability * 15) / 17),
      symmetric: true,
    },
    population,
    epsilon,
    { ends: 'upper' },
  ).upper;
}

describe('Theorem 3 against the number of messages', () => {
  // d = 17, n = 5000, s = 4, level 0.5, rates by Theorem 3: how much larger the divergence of one item is than claimed.
  it.each([
    [1, 3160],
    [2, 643],
    [3, 152],
    [4, 39],
  ])('is refuted for integer m = %d by a factor of %d', (blanketRate, factor) => {
    const rate = sendingRate(setting, blanketRate, 0.5, 'published');
    const ratio = exact(blanketRate, rate, 0.125) / claimed(blanketRate, rate, 0.125);
    expect(Math.abs(ratio / factor - 1)).toBeLessThan(0.02);
    expect(theorem3Verdict({ rate, blanketRate, blankets: 'paper' }).sound).toBe(false);
  });

  it.each([
    [0.5, 0.99, 1.03],
    [0.9, 1.08, 1.14],
  ])('is off by little for m = %d', (blanketRate, least, most) => {
    const rate = sendingRate(setting, blanketRate, 0.5, 'published');
    const ratio = exact(blanketRate, rate, 0.125) / claimed(blanketRate, rate, 0.125);
    expect(ratio).toBeGreaterThan(least);
    expect(ratio).toBeLessThan(most);
    expect(theorem3Verdict({ rate, blanketRate, blankets: 'paper' }).sound).toBe('unproven');
  });

  it('holds where every item is sent', () => {
    expect(theorem3Verdict({ rate: 1, blanketRate: 2, blankets: 'paper' })).toEqual({ sound: true });
    // Poisson blankets vary more than coins: the theorem does not speak of them.
    expect(theorem3Verdict({ rate: 1, blanketRate: 2, blankets: 'poisson' }).sound).toBe('unproven');
    const ratio = exact(2, 1, 0.125) / claimed(2, 1, 0.125);
    expect(ratio).toBeLessThanOrEqual(1);
  });
});

describe('statements', () => {
  const messages = { rate: 1, blanketRate: 7, blankets: 'paper' } as const;

  it('of one soundly calibrated level agree, the certified one being sharper', () => {
    const published = publishedPrivacy(setting, messages, 0.5, 'level 0.5');
    const certified = certifiedPrivacy(setting, messages, 0.5, 'level 0.5');
    const whole = certifiedPrivacy(setting, { ...messages, blankets: 'poisson' }, 0.5, 'level 0.5');
    expect(published.status).toBe('certified');
    expect(published.epsilon.upper).toBeLessThan(0.5);
    expect(certified.epsilon.upper).toBeLessThan(published.epsilon.upper);
    expect(whole.epsilon.upper).toBeLessThan(certified.epsilon.upper / 1.9);
    expect(published.epsilon.lower).toBeLessThan(whole.epsilon.upper);
    expect(published.epsilon.lower).toBeGreaterThan(0);
    expect(certified.epsilon.lower).toBe(published.epsilon.lower);
  });

  it('of one item a user meet from both sides, and have no lower end where every other set holds the items', () => {
    const one = { ...setting, itemsPerUser: 1 };
    const { lower, upper } = certifiedPrivacy(one, messages, 0.5, '').epsilon;
    expect(lower).toBeLessThanOrEqual(upper);
    expect(lower).toBeGreaterThan(upper * 0.999);
    const crowded = { ...setting, domain: 5 };
    expect(certifiedPrivacy(crowded, messages, 0.5, '').epsilon.lower).toBe(0);
    expect(certifiedPrivacy(crowded, { ...messages, blankets: 'poisson' }, 0.5, '').epsilon.lower).toBe(0);
  });

  it('are monotone in the blankets and in the rate', () => {
    const at = (blanketRate: number, rate: number): number =>
      certifiedPrivacy(setting, { rate, blanketRate, blankets: 'poisson' }, 1, '').epsilon.upper;
    expect(at(2, 1)).toBeLessThan(at(1, 1));
    expect(at(1, 0.5)).toBeLessThan(at(1, 1));
  });

  it('are free where nothing is sent or no set differs', () => {
    expect(publishedPrivacy(setting, { ...messages, rate: 0 }, 0.5, '').epsilon).toEqual({
      lower: 0,
      upper: 0,
    });
    for (const blankets of ['paper', 'poisson'] as const) {
      const full = { ...setting, itemsPerUser: 17 };
      expect(certifiedPrivacy(full, { ...messages, blankets }, 0.5, '').epsilon.upper).toBe(0);
      expect(certifiedPrivacy(setting, { ...messages, blankets, rate: 0 }, 0.5, '').epsilon.upper).toBe(0);
    }
  });
});
