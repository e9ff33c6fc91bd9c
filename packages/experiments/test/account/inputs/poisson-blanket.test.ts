/**
 * Poisson blankets over few items: the others cannot avoid both of the victim's, and the bracket must know.
 */
import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../../src/account/account.ts';
import { mechanismModel } from '../../../src/account/mechanisms.ts';

/** Masses of Poisson(mean) plus Binomial(holders, rate), by their definitions. */
function countLaw(mean: number, holders: number, rate: number, cells: number): number[] {
  let law = [Math.exp(-mean)];
  for (let k = 1; k < cells; k++) law.push((law[k - 1]! * mean) / k);
  for (let i = 0; i < holders; i++) {
    law = law.map((mass, k) => mass * (1 - rate) + rate * (law[k - 1] ?? 0));
  }
  return law;
}

/**
 * Two items, the others split between them: the worst of all splits, in plain arithmetic; by symmetry in one
 * order.
 */
function worstSplit(users: number, rate: number, blankets: number, epsilon: number, cells: number): number {
  const mean = (users * blankets) / 2;
  const laws = Array.from({ length: users }, (_, holders) => countLaw(mean, holders, rate, cells));
  const sending = (law: number[]): number[] =>
    law.map((mass, k) => mass * (1 - rate) + rate * (law[k - 1] ?? 0));
  let worst = 0;
  for (let holders = 0; holders < users; holders++) {
    const [old, other] = [laws[holders]!, laws[users - 1 - holders]!];
    const [oldSent, otherSent] = [sending(old), sending(other)];
    let sum = 0;
    for (let a = 0; a < cells; a++) {
      for (let b = 0; b < cells; b++) {
        sum += Math.max(0, oldSent[a]! * other[b]! - Math.exp(epsilon) * old[a]! * otherSent[b]!);
      }
    }
    worst = Math.max(worst, sum);
  }
  return worst;
}

describe('poisson-blanket over two items', () => {
  it.each([
    // Two reference values from an enumeration of all splits elsewhere.
    [5, 0.3, 0.5, 0.2, 0.062215, 40],
    [200, 0.5, 0.05, 1, 7.741e-9, 170],
    [2, 0.5, 1, 0.5, null, 40],
    [4, 0.9, 0.2, 1.5, null, 40],
    [7, 0.1, 2, 0.05, null, 60],
  ])('%d users, rate %d, blankets %d, epsilon %d', (users, rate, blankets, epsilon, reference, cells) => {
    const truth = worstSplit(users, rate, blankets, epsilon, cells);
    if (reference !== null) expect(Math.abs(truth / reference - 1)).toBeLessThan(1e-3);
    const { bracket } = accountMechanism('poisson-blanket', { rate, blankets, domain: 2 }, users, {
      epsilon,
    });
    expect(bracket.lower).toBeLessThanOrEqual(truth);
    expect(bracket.lower).toBeGreaterThan(0.98 * truth);
    expect(bracket.upper).toBeGreaterThanOrEqual(truth);
    expect(bracket.upper).toBeLessThan(1.01 * truth);
  });

  it('knows epsilon to a thousandth, however many of the others are counted one by one', () => {
    for (const [users, blankets] of [
      [200, 0.05],
      [3000, 0.1],
      [10_000, 1e-3],
    ] as const) {
      const given = { rate: 0.5, blankets, domain: 2 };
      const { lower, upper } = accountMechanism('poisson-blanket', given, users, { delta: 1e-6 }).bracket;
      expect(upper / lower).toBeLessThan(1.001);
    }
  });

  it.each([1, 3])('loses nothing where a third item exists or no other user does: domain %d', (domain) => {
    const users = domain === 1 ? 1 : 40;
    const model = mechanismModel('poisson-blanket', { rate: 0.4, blankets: 2, domain: Math.max(2, domain) });
    const { lower, upper } = model.certified!(users, { epsilon: 0.3 });
    expect(lower).toBeGreaterThan(0.98 * upper);
  });

  it('covers many holders by Poisson ones: the lower end hardly moves', () => {
    const at = (users: number): number =>
      mechanismModel('poisson-blanket', { rate: 0.5, blankets: 40 / users, domain: 2 }).certified!(users, {
        epsilon: 0.1,
      }).lower;
    // 10,001 others are counted one by one or covered; the same blankets hide a little more among more
    // holders.
    expect(at(10_003)).toBeLessThan(at(10_001));
    expect(at(10_003)).toBeGreaterThan(0.7 * at(10_001));
  });

  it('of two rounds is that of two items', () => {
    const model = mechanismModel('poisson-blanket', { rate: 0.3, blankets: 0.5, domain: 2 });
    const { lower, upper } = model.certified!(5, { epsilon: 0.2 }, 2);
    expect(lower).toBeGreaterThan(model.certified!(5, { epsilon: 0.2 }).lower);
    expect(lower).toBeLessThan(upper);
  });

  it('answers at delta 0, at 1e-300 and for numbers of users beyond counting', () => {
    const at = (users: number, delta: number, rest = {}) =>
      accountMechanism('poisson-blanket', { rate: 0.5, blankets: 1, domain: 3, ...rest }, users, { delta })
        .bracket;
    // Every further message makes the old set likelier: no epsilon will do.
    expect(at(2, 0)).toEqual({ lower: Infinity, upper: Infinity });
    const deep = at(1000, 1e-300);
    expect(deep.lower).toBeGreaterThan(at(1000, 1e-100).upper);
    expect(deep.upper).toBeLessThan(deep.lower * 1.05);
    const many = at(1e12, 1e-9, { domain: 2 });
    expect(many.lower).toBeLessThanOrEqual(many.upper);
    const few = at(1_000_000, 1e-100, { rate: 1e-9, blankets: 1000 });
    expect(few.lower).toBeGreaterThan(0.99 * few.upper);
    expect(few.lower).toBeGreaterThan(1e-12);
  });
});

it('refuses more blanket messages than are counted by what was given and what is allowed', () => {
  const account = (users: number, blankets: number): void => {
    accountMechanism('poisson-blanket', { rate: 0.5, domain: 16, blankets }, users, { delta: 1e-6 });
  };
  expect(() => account(1, 1e15)).toThrow('blankets = 1000000000000000: must be at most 9999999999999');
  expect(() => account(1e9, 1e5)).toThrow(
    /^users = 1000000000: must be at most 99999999 where each has 100000 /,
  );
  expect(() => account(99_999_999, 1e5)).not.toThrow();
  expect(() => account(1, 9_999_999_999_999)).not.toThrow();
});
