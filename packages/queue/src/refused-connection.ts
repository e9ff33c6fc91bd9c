/** The error of a server that takes no connection, with what a user can do about it. */
import { QueueError, type QueueAddress } from './queue-address.ts';

/** How Redis, PostgreSQL and its driver say that a password is missing or wrong. */
const ABOUT_PASSWORDS = /\b(?:WRONGPASS|NOAUTH|ERR AUTH|password)\b/u;
/** How they say that the server is there, and what the URL names is not. */
const ABOUT_NAMES = /\b(?:(?:role|database) .* does not exist|DB index is out of range)\b/u;
/** How they say that the user of the URL may not do what a queue does. */
const ABOUT_RIGHTS = /\b(?:NOPERM|permission denied)\b/u;
const RIGHTS = {
  redis: 'allow its user all commands on the keys shuffle-dp:*',
  postgres: 'allow its user to create and use the schema shuffle_dp',
} as const;
const PASSWORD_IN = { redis: 'REDISCLI_AUTH', postgres: 'PGPASSWORD' } as const;

export function refusedConnection({ engine, shown, redacted }: QueueAddress, error: unknown): QueueError {
  const said = error instanceof Error ? error.message || (error as { code?: string }).code : String(error);
  const told = said ?? 'nothing answers';
  const reason = redacted(told).replace(/\.$/u, '');
  // A password may be a word of what is told.
  const advice = ABOUT_PASSWORDS.test(told)
    ? `give the server's password in ${PASSWORD_IN[engine]}, or in the URL`
    : ABOUT_NAMES.test(told)
      ? 'name one that the server has, in the URL'
      : ABOUT_RIGHTS.test(told)
        ? `${RIGHTS[engine]}, or name another one in the URL`
        : 'start a server there (redis-server, valkey-server, or PostgreSQL 13 or later), or name another one';
  return new QueueError(`${shown}: ${reason}: ${advice}`, reason);
}
