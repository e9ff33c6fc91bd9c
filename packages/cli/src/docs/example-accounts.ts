/** What the pages show of every mechanism: its example at ten thousand users. */
import { onDemand } from '@shuffle-dp/core';
import { accountMechanism, MECHANISMS, type Account } from '@shuffle-dp/experiments/account';

export const USERS = 10_000;
export const DELTA = 1e-6;

/** In the order of the registry; computed once. */
export const exampleAccounts: () => readonly Account[] = onDemand(() =>
  MECHANISMS.map(({ name, example }) => accountMechanism(name, example, USERS, { delta: DELTA })),
);

/** At a large budget and of few users some bounds say something that is said of no example. */
export const rareAccounts: () => readonly Account[] = onDemand(() => [
  accountMechanism('local-hash', { epsilon0: 8, hashRange: 3, domain: 16 }, USERS, { delta: DELTA }),
  accountMechanism('gaussian', { sigma: 2 }, 1, { delta: DELTA }),
  accountMechanism('grr', { epsilon0: 1, domain: 3 }, 5, { epsilon: 0.5 }),
]);
