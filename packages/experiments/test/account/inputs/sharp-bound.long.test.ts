// @module-tag long
/** How near the ends of certified brackets are, for every mechanism whose inputs are known by types. */
import { expect, it } from 'vitest';
import { accountMechanism } from '../../../src/account/account.ts';

const MECHANISMS: readonly (readonly [string, Record<string, number>])[] = [
  ['binary-rr', { domain: 16 }],
  ['oue', { domain: 16 }],
  ['subset', { domain: 16, subsetSize: 4 }],
  ['subset', { domain: 128 }],
  ['local-hash', { hashRange: 3 }],
  ['duchi', {}],
  ['laplace', {}],
  ['subset-exponential', { domain: 32, items: 4, subsetSize: 3 }],
];

/** Upper over lower end, less one: at most this, by the local budget. */
const TARGETS: Record<number, number> = { 0.5: 0.01, 1: 0.0125, 2: 0.025, 4: 0.08 };

it.each([
  ['clip-laplace', { epsilon0: 0.5 }, 0.025],
  ['clip-laplace', { epsilon0: 1 }, 0.025],
  ['piecewise', { epsilon0: 0.5 }, 0.025],
  ['piecewise', { epsilon0: 2 }, 0.025],
  ['laplace', { epsilon0: 4 }, 0.08],
  ['gaussian', { sigma: 1 }, 0.06],
  ['gaussian', { sigma: 4 }, 0.06],
] as const)('%s %j is known to a share of %d among 10,000 users', (name, given, most) => {
  const { lower, upper } = accountMechanism(name, given, 10_000, { delta: 1e-6 }).bracket;
  expect(upper / lower - 1).toBeLessThan(most);
});

it.each(
  Object.entries(TARGETS).flatMap(([epsilon0, most]) =>
    MECHANISMS.filter(([name]) => name !== 'laplace' || Number(epsilon0) <= 2).map(
      ([name, given]) => [name, { ...given, epsilon0: Number(epsilon0) }, most] as const,
    ),
  ),
)('%s %j is known to a share of %d among 10,000 users, of 0.01 among a million', (name, given, most) => {
  const gap = (users: number): number => {
    const { lower, upper } = accountMechanism(name, given, users, { delta: 1e-6 }).bracket;
    return upper / lower - 1;
  };
  expect(gap(10_000)).toBeLessThan(most);
  expect(gap(1_000_000)).toBeLessThan(0.01);
});
