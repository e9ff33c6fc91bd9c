// @module-tag long
/** Long checks of the certified bound: random small worlds against the truth, and 100,000 users. */
import { describe, expect, it } from 'vitest';
import { personalizedPrivacy } from '@shuffle-dp/accounting';
import { RandomStream } from '@shuffle-dp/core';
import { heterogeneousDivergence } from '../heterogeneous-divergence.ts';
import { clipLaplaceGroup, grrGroup } from '../laws.ts';

describe('random small worlds of randomized response', () => {
  const stream = RandomStream.fromSeed('small worlds of personal budgets');
  for (let world = 0; world < 60; world++) {
    const domain = 2 + Math.floor(stream.next() * 2);
    const groups = Array.from({ length: 2 + (world % 2) }, () =>
      grrGroup(0.1 + 3 * stream.next(), 1 + Math.floor(stream.next() * 2), domain),
    );
    const delta = 10 ** (-1 - 2 * stream.next());
    it(`bracket the truth: world ${world}`, () => {
      const randomizers = groups.flatMap(({ users, held }) =>
        Array.from({ length: users }, () => held.map((law) => [...law])),
      );
      let victim = 0;
      for (const { epsilon, users } of personalizedPrivacy(groups, delta, { lower: 'all' }).groups) {
        const atUpper = heterogeneousDivergence(randomizers, victim, epsilon.upper);
        expect(atUpper).toBeLessThanOrEqual(delta * (1 + 1e-9));
        if (epsilon.lower > 0) {
          const atLower = heterogeneousDivergence(randomizers, victim, epsilon.lower * (1 - 1e-6));
          expect(atLower).toBeGreaterThanOrEqual(delta);
        }
        victim += users;
      }
    });
  }
});

describe('100,000 users', () => {
  it('scale as the square root of their number, with both ends near each other', () => {
    const groupsOf = (users: number) =>
      Array.from({ length: 20 }, (_, i) => clipLaplaceGroup(0.05 + (0.95 * i) / 19, users / 20));
    const few = personalizedPrivacy(groupsOf(10_000), 1e-8).worst.epsilon;
    const many = personalizedPrivacy(groupsOf(100_000), 1e-8).worst.epsilon;
    expect(many.upper / many.lower).toBeLessThan(1.11);
    expect(few.upper / many.upper).toBeGreaterThan(3.1);
    expect(few.upper / many.upper).toBeLessThan(3.6);
  });
});
