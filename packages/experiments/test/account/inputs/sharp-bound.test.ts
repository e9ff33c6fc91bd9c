import { describe, expect, it } from 'vitest';
import { accountMechanism, boundValue } from '../../../src/account/account.ts';
import { accountJson } from '../../../../cli/src/output/account-json.ts';
import { EXAMPLE_DELTA as DELTA, EXAMPLE_USERS as USERS, exampleAccount } from '../example-accounts.ts';

describe('certified brackets at 10,000 users', () => {
  // Without parameters: at the example of the card.
  it.each([
    ['binary-rr', { epsilon0: 1, domain: 16 }, 0.01],
    ['laplace', undefined, 0.025],
    ['piecewise', { epsilon0: 1 }, 0.025],
    ['gaussian', undefined, 0.06],
    ['subset-exponential', { epsilon0: 1, domain: 12, items: 2, subsetSize: 2 }, 0.015],
    ['vector-rr', { bits: 4, keepProbability: 0.6 }, 0.06],
    ['planar-laplace', undefined, 0.06],
    ['wheel', { epsilon0: 4, domain: 32, items: 4, length: 1 / 16 }, 0.08],
  ] as const)('%s %j is known to a share of %d', (mechanism, given, most) => {
    const account =
      given === undefined
        ? exampleAccount(mechanism)
        : accountMechanism(mechanism, { ...given }, USERS, { delta: DELTA });
    const { lower, upper } = account.bracket;
    expect(upper / lower - 1).toBeLessThan(most);
    expect(boundValue(account, 'sharp')).toBe(upper);
    expect(boundValue(account, 'blanket')).toBeGreaterThan(upper);
  });

  it('pairs of close values do not set the bound of Gaussian noise where delta is large', () => {
    const { lower, upper } = accountMechanism('gaussian', { sigma: 1 }, USERS, { epsilon: 0.0144 }).bracket;
    // F2 is 1.57 times the lower end, as the bound was while rare outputs of such pairs were charged too
    // much.
    expect(upper).toBeLessThan(1.15 * lower);
    expect(upper).toBeGreaterThan(lower);
  });

  it('at a large budget over few inputs the most popular one hides best', () => {
    const given = { epsilon0: 8, domain: 16, subsetSize: 4 };
    const account = accountMechanism('subset', given, USERS, { delta: DELTA });
    // An independent program: 4.66.
    expect(Math.abs(account.bracket.upper / 4.66 - 1)).toBeLessThan(1e-3);
    expect(boundValue(account, 'popular-input')).toBe(account.bracket.upper);
  });
});

it('epsilon and delta are bounded alike', () => {
  const { bracket } = exampleAccount('duchi');
  const there = accountMechanism('duchi', { epsilon0: 1 }, USERS, { epsilon: bracket.upper }).bracket;
  expect(there.upper / DELTA).toBeGreaterThan(0.98);
  expect(there.upper / DELTA).toBeLessThan(1.02);
});

it('is listed in JSON with its parameters', () => {
  const { bounds } = accountJson(exampleAccount('oue'), { explain: true, cite: false }) as {
    bounds: { name: string; parameters?: Record<string, number> }[];
  };
  const { parameters } = bounds.find(({ name }) => name === 'sharp')!;
  expect(Object.keys(parameters!)).toEqual(['buffer', 'kappa', 'theta']);
  for (const value of Object.values(parameters!)) expect(value).toBeGreaterThan(0);
});
