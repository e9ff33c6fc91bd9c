/** What the pages show of every mechanism: its example at ten thousand users. */
import { onDemand } from '@shuffle-dp/core';
import { accountMechanism, MECHANISMS, type Account } from '@shuffle-dp/experiments/account';

export const USERS = 10_000;
export const DELTA = 1e-6;

/** In the order of the registry; computed once. */
export const exampleAccounts: () => readonly Account[] = onDemand(() =>
  MECHANISMS.map(({ name, example }) => accountMechanism(name, example, USERS, { delta: DELTA })),
);
