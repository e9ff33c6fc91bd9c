// @module-tag long
/** Upper ends among few users that take seconds each. */
import { expect, it } from 'vitest';
import { accountMechanism } from '../../../src/account/account.ts';

// Found by a search along the axes.
it('Laplace noise of budget 3: a thousand users have the upper end that is known', () => {
  const { bracket, bounds } = accountMechanism('laplace', { epsilon0: 3 }, 1000, { delta: 1e-6 });
  expect(bracket.upper).toBe(bounds.find(({ name }) => name === 'sharp')?.value);
  expect(bracket.upper).toBeLessThanOrEqual(0.5718);
});

it('delta does not rise with epsilon where a few gains decide', () => {
  const uppers = [3.6, 3.7, 3.8, 3.9, 4].map(
    (epsilon) => accountMechanism('gaussian', { sigma: 0.6569 }, 100, { epsilon }).bracket.upper,
  );
  expect(uppers).toEqual(uppers.toSorted((a, b) => b - a));
});

// The exact epsilon of one message alone, in 60 digits: at such a delta a thousand users prove no more.
it('Gaussian noise among a thousand users at a delta of 1e-300', () => {
  const { bracket } = accountMechanism('gaussian', { sigma: 1 }, 1000, { delta: 1e-300 });
  expect(bracket.upper).toBeLessThan(37.448847912139 * (1 + 1e-6));
  expect(bracket.lower).toBeLessThanOrEqual(bracket.upper);
});
