/** The curve of rounds of two messages, against all their data sets and in compositions. */
import { expect, it } from 'vitest';
import { interval } from '@shuffle-dp/core';
import { duchiMechanism, generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { namedComposition } from '../../src/composition/compose-mechanisms.ts';
import { hasTwoMessagesCurve, twoMessagesCurve } from '../../src/composition/sharp/two-messages-curve.ts';
import { composedDivergence } from '../../src/two-messages/composed-coins.ts';

const roundsOf = (epsilon0: number, users: number) => ({
  amplification: generalizedRandomizedResponse({ domain: 2, epsilon0 }).amplification(),
  users,
  count: 1,
  epsilon0,
});

it.each([
  [1, 60],
  [2.5, 300],
])(
  'of budget %d among %d users it is nowhere below the worst data set, and hardly above',
  (epsilon0, users) => {
    const heads = Math.exp(epsilon0) / (1 + Math.exp(epsilon0));
    const [high, low] = [
      { heads, tails: 1 - heads },
      { heads: 1 - heads, tails: heads },
    ];
    const worstAt = (epsilon: number): number => {
      let worst = 0;
      for (let first = 0; first < users; first++)
        worst = Math.max(
          worst,
          composedDivergence(
            {
              victim: [high, low],
              first: { ...high, users: first },
              second: { ...low, users: users - 1 - first },
            },
            epsilon,
          ).lower,
        );
      return worst;
    };
    const deviation = 0.5 / Math.sqrt(users);
    // About that of a round's loss, and where a composition of a few would have it.
    const region = { deviation: 2 * deviation, mean: 4 * deviation };
    const curve = twoMessagesCurve(roundsOf(epsilon0, users), () => interval(0, 1), region)!;
    for (let i = 0; i < 40; i++) {
      const epsilon = (i + 0.5) * 0.2 * deviation;
      const [above, exact] = [curve(epsilon)!, worstAt(epsilon)];
      expect(above, `at ${epsilon}`).toBeGreaterThanOrEqual(exact);
      expect(above - exact, `at ${epsilon}`).toBeLessThan(0.015 * worstAt(0));
    }
  },
);

it('is taken where messages are one of two, and leaves a hundredth open where eight were', () => {
  expect(hasTwoMessagesCurve(roundsOf(1, 1000))).toBe(true);
  expect(hasTwoMessagesCurve(roundsOf(1, 1_000_000))).toBe(false);
  expect(hasTwoMessagesCurve(roundsOf(4, 1_000_000))).toBe(true);
  const amplification = duchiMechanism({ epsilon0: 4 }).amplification();
  const rounds = [{ amplification, users: 10_000, count: 16, epsilon0: 4 }];
  const { bracket, by } = namedComposition(rounds, { delta: 1e-6 });
  expect(by).toBe('two-messages');
  expect(bracket.upper / bracket.lower).toBeLessThan(1.012);
});
