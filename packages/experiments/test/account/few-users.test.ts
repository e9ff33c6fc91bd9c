/** Among a thousand users estimates of the sharp bound say little, and its parameters decide. */
import { expect, it } from 'vitest';
import { accountMechanism } from '../../src/account/account.ts';

// Upper ends that the bound is known to reach: found by searches along the axes, of seconds each.
it.each([
  ['laplace', 3, 0.5718],
  ['laplace', 3.72, 0.9869],
  ['hadamard', 4, 1.2569],
  ['duchi', 1, 0.12868],
])('%s of budget %d: a thousand users have the upper end that is known', (mechanism, epsilon0, known) => {
  const example = mechanism === 'hadamard' ? { order: 16 } : {};
  const { bracket, bounds } = accountMechanism(mechanism, { epsilon0, ...example }, 1000, { delta: 1e-6 });
  expect(bracket.upper).toBe(bounds.find(({ name }) => name === 'sharp')?.value);
  expect(bracket.upper).toBeLessThanOrEqual(known);
});

it('where the blanket shows a few messages the sharp bound is not looked for', () => {
  const { bounds } = accountMechanism('subset-exponential', { epsilon0: 8, domain: 32, items: 4 }, 10_000, {
    delta: 1e-6,
  });
  expect(bounds.some(({ name }) => name === 'sharp')).toBe(false);
});
