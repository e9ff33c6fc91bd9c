/** Theorem 2 of the composition paper: what its windows of clones leave out of the pair. */
import { binomialPmf } from '@shuffle-dp/core';
import { expect, it } from 'vitest';

/** Mass of counts further from the mean than Hoeffding's inequality allows for half of tau. */
function massOutside(trials: number, chance: number, tau: number): number {
  const reach = Math.sqrt((Math.log(4 / tau) * trials) / 2);
  let mass = 0;
  for (let k = 0; k <= trials; k++)
    if (Math.abs(k - trials * chance) > reach) mass += binomialPmf(k, trials, chance);
  return mass;
}

it.each([
  { users: 20, clone: 0.3, tau: 0.05 },
  { users: 20, clone: 0.3, tau: 0.001 },
  { users: 100, clone: 0.05, tau: 0.01 },
  { users: 400, clone: 0.8, tau: 0.05 },
  { users: 400, clone: 0.5, tau: 1e-6 },
])('its windows miss at most tau: $users users, clones $clone, tau $tau', ({ users, clone, tau }) => {
  const others = users - 1;
  const reach = Math.sqrt((Math.log(4 / tau) * others) / 2);
  let missed = massOutside(others, clone, tau);
  for (let clones = 0; clones <= others; clones++)
    if (Math.abs(clones - others * clone) <= reach)
      missed += binomialPmf(clones, others, clone) * massOutside(clones, 0.5, tau);
  expect(missed).toBeGreaterThan(0);
  expect(missed).toBeLessThanOrEqual(tau);
});
