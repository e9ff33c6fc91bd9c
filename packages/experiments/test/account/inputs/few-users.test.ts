/** Among a thousand users estimates of the sharp bound say little, and its parameters decide. */
import { expect, it } from 'vitest';
import { accountMechanism } from '../../../src/account/account.ts';

// Upper ends that the bound is known to reach: found by searches along the axes, of seconds each.
it.each([
  ['laplace', 3.72, 0.9869],
  ['hadamard', 4, 1.2569],
])(
  '%s of budget %d: a thousand users have the upper end that is known',
  { tags: 'long' },
  (mechanism, epsilon0, known) => {
    const example = mechanism === 'hadamard' ? { order: 16 } : {};
    const { bracket, bounds } = accountMechanism(mechanism, { epsilon0, ...example }, 1000, { delta: 1e-6 });
    expect(bracket.upper).toBe(bounds.find(({ name }) => name === 'sharp')?.value);
    expect(bracket.upper).toBeLessThanOrEqual(known);
  },
);

// Thinned to 200 gains a law of heavy tails says 28 % and 30 % more.
it.each([
  [1000, 1.02],
  [2900, 1.01],
])('Gaussian noise among %d users: all gains count', (users, most) => {
  const { bracket } = accountMechanism('gaussian', { sigma: 0.5 }, users, { delta: 1e-6 });
  expect(bracket.upper / bracket.lower).toBeLessThan(most);
});

// The exact epsilon of one message alone, in 60 digits. With few others, or at a delta far below what the
// blanket's cells cover, no more is proved; and with one user it is the truth.
it.each([
  [0.05, 1, 1e-9, 319.081966375369],
  [1, 1, 1e-300, 37.448847912139],
  [0.2, 10, 1e-20, 58.246539992096],
])('Gaussian noise of deviation %d among %d users at delta %d', (sigma, users, delta, alone) => {
  const { bracket } = accountMechanism('gaussian', { sigma }, users, { delta });
  expect(bracket.upper).toBeLessThan(alone * (1 + 1e-6));
  if (users === 1) expect(bracket.upper).toBeGreaterThan(alone * (1 - 1e-11));
  expect(bracket.lower).toBeLessThanOrEqual(bracket.upper);
});

it('Gaussian noise alone has no epsilon at a delta of 0', () => {
  expect(accountMechanism('gaussian', { sigma: 1 }, 1, { delta: 0 }).bracket.upper).toBe(Infinity);
});

it('delta does not rise with epsilon where a few gains decide', { tags: 'long' }, () => {
  const uppers = [3.6, 4].map(
    (epsilon) => accountMechanism('gaussian', { sigma: 0.6569 }, 100, { epsilon }).bracket.upper,
  );
  expect(uppers).toEqual(uppers.toSorted((a, b) => b - a));
});

it('where the blanket shows a few messages the sharp bound is not looked for', () => {
  const { bounds } = accountMechanism('subset-exponential', { epsilon0: 8, domain: 32, items: 4 }, 10_000, {
    delta: 1e-6,
  });
  expect(bounds.some(({ name }) => name === 'sharp')).toBe(false);
});

// Truths by listing all functions, points and data sets. One arc overlaps nothing of its set: what is outside
// of it was lost, and what is said of the others with it.
it.each([
  [0.125, 4, 0, 0.11680454481529011],
  [0.25, 4, 0, 0.14887129757882736],
  [0.25, 5, 0.3, 0.03595362746242058],
  [0.4, 5, 0, 0.13763972509844333],
])('wheel with one of two items, arcs of %d, %d users, epsilon %d', (length, users, epsilon, truth) => {
  const parameters = { epsilon0: 1, domain: 2, items: 1, length };
  const { bracket } = accountMechanism('wheel', parameters, users, { epsilon });
  expect(bracket.upper).toBeGreaterThanOrEqual(truth);
  expect(bracket.lower).toBeLessThanOrEqual(truth);
});

it('wheel with one item is known as well as collision with one', () => {
  const { bracket } = accountMechanism('wheel', { epsilon0: 1, domain: 17, items: 1 }, 10_000, {
    delta: 1e-6,
  });
  expect(bracket.upper / bracket.lower - 1).toBeLessThan(0.01);
});
