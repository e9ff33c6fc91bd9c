import { expect, it } from 'vitest';
import { sharpSearch } from '../../src/search/local-budget.ts';

it('leaves the types alone where it looks from below', () => {
  const atoms = {
    label: 'others hold either value',
    victim0: Float64Array.of(0.75, 0.25),
    victim1: Float64Array.of(0.25, 0.75),
    others: Float64Array.of(0.5, 0.5),
    symmetric: true,
  };
  const amplification = {
    variationRatio: null,
    blanket: [],
    homogeneous: [atoms],
    get typed(): undefined {
      return expect.fail('computed');
    },
  };
  const { refuted } = sharpSearch(() => ({ epsilon0: 2, amplification }), {
    users: 100,
    epsilon: 0.1,
    delta: 1e-6,
  });
  // At a smaller share of the target's epsilon delta is larger, at epsilons from the local budget on it is 0.
  expect(refuted!(1, 0.5)).toBeGreaterThan(refuted!(1));
  expect(refuted!(1, 20)).toBeLessThan(0);
});
