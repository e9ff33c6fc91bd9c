/** Accounts at the far ends of the stated ranges: an answer, or a refusal that names what was given. */
import { expect, it } from 'vitest';
import { accountMechanism, boundValue } from '../../src/account/account.ts';
import { composeMechanisms } from '../../src/account/compose-account.ts';

it.each([
  ['grr', { domain: 16 }],
  ['duchi', {}],
  ['general', {}],
])('%s with a budget of 1e-8 is private at delta 1e-6 whatever is sent', (name, given) => {
  // The total variation of one message is below delta.
  const { bracket } = accountMechanism(name, { ...given, epsilon0: 1e-8 }, 10_000, { delta: 1e-6 });
  expect(bracket).toEqual({ lower: 0, upper: 0 });
});

it('a budget of 1e-9 among 10^12 users, in closed form', () => {
  const given = { epsilon0: 1e-9 };
  // tanh(epsilon0 / 2) times the central binomial probability of 10^12 - 1 coins, and its excess over 3e-15.
  for (const [epsilon, truth] of [
    [0, 3.98942280401333e-16],
    [3e-15, 3.82154317043293e-19],
  ] as const) {
    const { bracket } = accountMechanism('duchi', given, 1e12, { epsilon });
    expect(bracket.lower).toBeLessThanOrEqual(truth * (1 + 1e-14));
    expect(bracket.lower).toBeGreaterThan(truth * (1 - 1e-4));
    expect(bracket.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-14));
  }
});

it('flips within 1e-10 of a fair coin, 10^12 rows, delta 1e-100', () => {
  const { bracket } = accountMechanism('cheu-zhilyaev', { flip: 0.4999999999 }, 1e12, { delta: 1e-100 });
  expect(bracket.lower).toBeGreaterThan(0);
  expect(bracket.upper).toBeLessThan(1e-12);
});

it(
  'a budget of 300 among 10^12 users: less at a larger epsilon, and at a larger delta',
  { tags: 'long' },
  () => {
    const given = { epsilon0: 300, domain: 2, items: 1 };
    const upperAt = (target: { epsilon: number } | { delta: number }): number =>
      accountMechanism('sampled-rappor', given, 1e12, target).bracket.upper;
    // No integral is affordable at some of these, where one was at a smaller epsilon.
    const deltas = [124, 135, 140, 149, 149.7].map((epsilon) => upperAt({ epsilon }));
    expect(deltas).toEqual(deltas.toSorted((a, b) => b - a));
    expect(deltas[0]).toBeLessThan(1e-50);
    expect(upperAt({ delta: 0.1 })).toBeLessThan(123.1);
  },
);

// Rows with five ones have masses down to e^-750: no lower end is told by what is left of them. The truth
// is log((11 + 5 e^150) / (11 + 5 e^-150)).
it.each([0, 1e-300])(
  'sampled RAPPOR with a budget of 300, one user, delta %d: no more than its ratio',
  (delta) => {
    const given = { epsilon0: 300, domain: 16, items: 5 };
    const { bracket } = accountMechanism('sampled-rappor', given, 1, { delta });
    expect(bracket.lower).toBeLessThan(149.2116);
    expect(bracket.lower).toBeGreaterThan(148);
    expect(bracket.upper).toBeGreaterThan(149.21);
  },
);

it('two users and two items: the published pair is none, and the reason is said', () => {
  const given = { rate: 0.5, domain: 2, blankets: 1 };
  const account = accountMechanism('poisson-blanket', given, 2, { epsilon: 0.5 });
  expect(account.bracket.upper).toBeGreaterThan(0);
  expect(boundValue(account, 'variation-ratio')).toBeNull();
  const reason = account.bounds.find(({ name }) => name === 'variation-ratio-corrected')?.reason;
  expect(reason).toContain('needs known p, beta and q');
});

it('a blanket of which one output in 10^9 is a billion times as likely: the sharp bound is given up, soon', () => {
  const { bracket } = accountMechanism('oue', { epsilon0: 20, domain: 2 }, 1e6, { delta: 1e-6 });
  expect(bracket.lower).toBeGreaterThan(6.8);
  expect(bracket.upper).toBeLessThan(7.6);
});

it('a ratio of 10^130 among 10^12 users, delta 1e-300: bounds whose digits are lost say nothing', () => {
  const given = { domain: 32, items: 4, epsilon0: 300 };
  const { lower, upper } = accountMechanism('sampled-rappor', given, 1e12, { delta: 1e-300 }).bracket;
  expect(lower).toBeGreaterThan(120);
  expect(upper / lower).toBeLessThan(1.01);
});

it('sets of thousands of items: the best size of a subset is found without the law of all it may hold', () => {
  const given = { epsilon0: 1, domain: 65_536, items: 1945 };
  const { bracket } = accountMechanism('subset-exponential', given, 1e8, { delta: 1e-6 });
  expect(bracket.upper).toBeLessThan(1.3 * bracket.lower);
});

it('caps as small as stated, in any number of dimensions', () => {
  const account = (given: Record<string, number>) =>
    accountMechanism('priv-unit', { epsilon0: 1, ...given }, 1000, { delta: 1e-13 });
  const { bracket } = account({ cap: 1e-12 });
  expect(bracket.upper).toBeLessThanOrEqual(1);
  expect(account({ cap: 1e-12, dimensions: 3 }).bracket).toEqual(bracket);
});

it.each([
  ['wheel', { epsilon0: 138.51403169469233, items: 1, length: 0.00018371751884383624 }, 1e8, 1e-300],
  ['oue', { epsilon0: 141.4317118913249, domain: 202 }, 1e8, 1e-300],
  ['sampled-rappor', { epsilon0: 63.096023784572274, domain: 14561, items: 83 }, 1e12, 1e-12],
])('%s %o among %d users: a published pair whose sums lose their digits tells nothing', (...setting) => {
  const [name, given, users, delta] = setting;
  const { lower, upper } = accountMechanism(name, given, users, { delta }).bracket;
  expect(lower).toBeGreaterThanOrEqual(0);
  expect(upper).toBeGreaterThanOrEqual(lower);
  expect(upper).toBeLessThanOrEqual(given.epsilon0);
});

it('noise of which some outputs are 10^188 times as likely: gains that leave the doubles are not thinned', () => {
  const { lower, upper } = accountMechanism('planar-laplace', { separation: 433 }, 100, {
    delta: 0.5,
  }).bracket;
  expect(lower).toBeGreaterThan(0);
  expect(upper).toBeLessThanOrEqual(433);
});

it(
  'a million rounds of a budget of 290: no lattice is affordable, and their sum is what is said',
  { tags: 'long' },
  () => {
    const entry = { mechanism: 'grr', parameters: { epsilon0: 290, domain: 16 }, users: 10_000, rounds: 1e6 };
    const { lower, upper } = composeMechanisms([entry], { delta: 1e-6 }).bracket;
    expect(upper).toBe(290e6);
    expect(lower).toBeGreaterThan(200e6);
  },
);

// The sharp bound was looked for at deltas of which hardly a double is left, for four minutes.
it(
  'a hundred rounds among 10^12 users at an epsilon far beyond: the blanket says all there is',
  { tags: 'long' },
  () => {
    const parameters = { bits: 1, keepProbability: 0.94 };
    const entry = { mechanism: 'vector-rr', parameters, users: 1e12, rounds: 100 };
    const { bracket, upperBy } = composeMechanisms([entry], { epsilon: 0.9 });
    expect(bracket.upper).toBeLessThan(1e-300);
    expect(upperBy).toBe('blanket');
  },
);
