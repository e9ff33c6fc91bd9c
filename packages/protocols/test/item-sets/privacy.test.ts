import { describe, expect, it } from 'vitest';
import { blanketDivergence, variationRatioDivergence } from '@shuffle-dp/accounting';
import {
  blanketCoins,
  itemVariationRatio,
  sendingRate,
  type ParameterSetting,
} from '../../src/item-sets/parameters.ts';
import { certifiedPrivacy, publishedPrivacy, theorem3Verdict } from '../../src/item-sets/privacy.ts';

const setting: ParameterSetting = {
  users: 5000,
  domain: 17,
  items: 4,
  delta: 0.01 / 5000,
  levels: [0.5, 1, 2],
};

/** Theorem 3's divergence of one item as published. */
function claimed(blanketRate: number, rate: number, epsilon: number): number {
  const { slots, probability } = blanketCoins(blanketRate);
  return variationRatioDivergence(itemVariationRatio(rate, probability, 17), setting.users * slots, epsilon)
    .lower;
}

/** The divergence that a server sees which also counts all messages. */
function exact(blanketRate: number, rate: number, epsilon: number): number {
  const { slots, probability } = blanketCoins(blanketRate);
  const population = setting.users * slots + 1;
  if (probability === 1) {
    return rate * variationRatioDivergence(itemVariationRatio(1, probability, 17), population, epsilon).lower;
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
  // d = 17, n = 5000, s = 4, level 0.5, rates by Theorem 3: how much larger the divergence of one item is
  // than claimed.
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
    // Everything is sent: fixed numbers of blankets and Poisson ones are about as good, and the group rule is
    // half as good.
    expect(Math.abs(whole.epsilon.upper / certified.epsilon.upper - 1)).toBeLessThan(0.01);
    expect(certified.epsilon.upper).toBeLessThan(published.epsilon.upper / 1.9);
    expect(published.epsilon.lower).toBeLessThan(whole.epsilon.upper);
    expect(published.epsilon.lower).toBeGreaterThan(0);
    expect(certified.epsilon.lower).toBe(published.epsilon.lower);
  });

  it('of one item a user meet from both sides, and have no lower end where every other set holds the items', () => {
    const one = { ...setting, items: 1 };
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
      const full = { ...setting, items: 17 };
      expect(certifiedPrivacy(full, { ...messages, blankets }, 0.5, '').epsilon.upper).toBe(0);
      expect(certifiedPrivacy(setting, { ...messages, blankets, rate: 0 }, 0.5, '').epsilon.upper).toBe(0);
    }
  });
});

describe('a statement of a whole set', () => {
  const messagesAt = (users: number, blanketRate: number, level: number) => {
    const own = { ...setting, users, delta: 0.01 / users };
    const rate = sendingRate(own, blanketRate, level, 'published');
    return { own, messages: { rate, blanketRate, blankets: 'paper' } as const };
  };

  // The level, the certified epsilon to the printed digits, and what is said of one item in general.
  it.each([
    [5000, 1, 0.5, 0.4994, 'certified'],
    [5000, 2, 0.5, 0.3799, 'certified'],
    [5000, 3, 0.5, 0.3235, 'certified'],
    [5000, 4, 0.5, 0.2884, 'certified'],
    [2000, 2, 0.5, 0.5097, 'unproven'],
    [2000, 2, 1, 0.625, 'certified'],
    [2000, 2, 2, 0.6979, 'certified'],
  ] as const)('is judged by itself: n = %d, m = %d, level %d', (users, m, level, epsilon, verdict) => {
    const { own, messages } = messagesAt(users, m, level);
    const claim = publishedPrivacy(own, messages, level, '');
    const proved = certifiedPrivacy(own, messages, level, '');
    expect(Math.abs(proved.epsilon.upper / epsilon - 1)).toBeLessThan(5e-4);
    expect(claim.sound).toBe(messages.rate === 1);
    expect(claim.verdict).toBe(verdict);
    expect(proved.accountant).toBe('slots-set');
  });

  it('is unproven where its item is refuted, and no data set of whole sets is known to exceed it', () => {
    // With a set of one item nothing is wasted on a group.
    const one = { ...setting, items: 1, levels: [0.125] };
    const rate = sendingRate(one, 2, 0.125, 'published');
    const messages = { rate, blanketRate: 2, blankets: 'paper' } as const;
    const claim = publishedPrivacy(one, messages, 0.125, '');
    const proved = certifiedPrivacy(one, messages, 0.125, '');
    expect(claim.epsilon.upper).toBeLessThanOrEqual(0.125);
    expect(claim.verdict).toBe('unproven');
    expect(proved.epsilon.lower).toBeGreaterThan(0.99 * claim.epsilon.upper);
    expect(proved.epsilon.upper).toBeGreaterThan(claim.epsilon.upper);
  });

  it('of balls into bins has both ends, whatever others hold', () => {
    // d < s + 2 t: no set avoids what the victim exchanges, but what others send is known.
    const crowded = { ...setting, domain: 10 };
    const sent = { rate: 1, blanketRate: 7, blankets: 'paper' } as const;
    const { lower, upper } = certifiedPrivacy(crowded, { ...sent, othersSendAll: true }, 0.5, '').epsilon;
    expect(lower).toBeGreaterThan(0.98 * upper);
    expect(certifiedPrivacy(crowded, sent, 0.5, '').epsilon.lower).toBeLessThan(lower);
  });
});
