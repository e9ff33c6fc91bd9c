import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../src/account/account.ts';
import { DELTA, describeFewWithNoise, expectCoherent, expectFall, LOCAL } from './coherence.ts';

/** Three corners: with large budgets few users take long, and the grid is in the long test. */
const [SMALL, LARGE] = [0.2, 2];
const [FEW, MANY] = [500, 50_000];

describe('over budgets and users', () => {
  it.each(LOCAL)('$name is coherent, falls with users and grows with the budget', ({ name, example }) => {
    const [few, many, large] = (
      [
        [SMALL, FEW],
        [SMALL, MANY],
        [LARGE, MANY],
      ] as const
    ).map(([epsilon0, users]) => {
      const account = accountMechanism(name, { ...example, epsilon0 }, users, { delta: DELTA });
      expectCoherent(account, epsilon0);
      return account;
    });
    expectFall(few!, many!);
    expect(many!.bracket.upper).toBeLessThan(large!.bracket.lower);
  });
});

describe('over epsilon', () => {
  // Where a search for parameters ended at a buffer that hides too little, delta was larger than at smaller
  // epsilons.
  it('the upper end of delta is near the lower one where it once was not', () => {
    const { bracket } = accountMechanism('laplace', { epsilon0: 4 }, 100_000, { epsilon: 0.024214 });
    expect(bracket.upper).toBeLessThan(1.13 * bracket.lower);
  });
});

describe('over a user more', () => {
  // A message more hides no less. A search among few users got stuck at 51: .6993, and at 50 it was .6725.
  it('the upper end of epsilon does not rise where it once did', { tags: 'long' }, () => {
    const [fifty, oneMore] = [50, 51].map((users) => {
      const parameters = { epsilon0: 2, domain: 7, subsetSize: 6 };
      return accountMechanism('subset', parameters, users, { delta: 1e-4 }).bracket;
    });
    expect(oneMore!.upper).toBeLessThan(fifty!.upper);
  });

  describeFewWithNoise([3]);
});
