/** Epsilons at deltas that are below the rounding of a divergence at the local budget. */
import { expect, it } from 'vitest';
import { certifiedDelta, certifiedEpsilon } from '@shuffle-dp/accounting';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';

it.each([1e-17, 1e-30, 1e-100])('the blanket has an epsilon at delta %d', (delta) => {
  const profile = generalizedRandomizedResponse({ domain: 16, epsilon0: 1 }).amplification();
  const { lower, upper } = certifiedEpsilon(profile, 10_000, delta, { epsilon0: 1 });
  expect(upper / lower).toBeLessThan(1.01);
  expect(certifiedDelta(profile, 10_000, upper).upper).toBeLessThanOrEqual(delta * 1.001);
});
