/**
 * Accounts that several files look at: test files of one thread share their modules, and so each account is
 * made once.
 */
import { accountMechanism, type Account } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';

export const EXAMPLE_USERS = 10_000;
export const EXAMPLE_DELTA = 1e-6;

const accounts = new Map<string, Account>();

/** A mechanism at the parameters of its card's example. */
export function exampleAccount(mechanism: string): Account {
  const { example } = MECHANISMS.find(({ name }) => name === mechanism)!;
  const account =
    accounts.get(mechanism) ?? accountMechanism(mechanism, example, EXAMPLE_USERS, { delta: EXAMPLE_DELTA });
  accounts.set(mechanism, account);
  return account;
}
