/** The error of a server that takes no connection, with what a user can do about it. */
import { QueueError, type QueueAddress } from './queue-address.ts';

const PASSWORD_IN = { redis: 'REDISCLI_AUTH', postgres: 'PGPASSWORD' } as const;
const RIGHTS = {
  redis: 'all commands on the keys shuffle-dp:*',
  postgres: 'to create and use the schema shuffle_dp',
} as const;

/**
 * What Redis, PostgreSQL and its driver say, and what helps: the first that is met. A password may be a word
 * of what is told.
 */
const ADVICE: readonly (readonly [told: RegExp, helps: (address: QueueAddress) => string])[] = [
  [
    /\b(?:WRONGPASS|NOAUTH|ERR AUTH|password)\b/u,
    ({ engine }) => `give the server's password in ${PASSWORD_IN[engine]}, or in the URL`,
  ],
  [
    /\b(?:(?:role|database) .* does not exist|DB index is out of range)\b/u,
    () => 'name one that the server has, in the URL',
  ],
  [
    /\b(?:NOPERM|permission denied)\b/u,
    ({ engine }) => `allow its user ${RIGHTS[engine]}, or name another one in the URL`,
  ],
  [
    /\b(?:too many clients|max number of clients)\b/u,
    () => 'let it take more connections, or name another one',
  ],
  [
    /\b(?:does not support SSL|wrong version number)\b/u,
    () => 'ask for no TLS in the URL, or name a server that speaks it',
  ],
  // What takes a connection may wait for words of another kind.
  [
    /^no answer within\b/u,
    (address) =>
      address.engine === 'redis' && address.options.tls
        ? 'ask for no TLS in the URL (redis://) where the server speaks none, or name another one'
        : 'see whether the server there is busy, or speaks TLS alone, or name another one',
  ],
  [
    /\bcertificate\b/u,
    () => 'name the file of the authority that signed it in NODE_EXTRA_CA_CERTS, or name another one',
  ],
  [
    /(?:)/u,
    () =>
      'start a server there (redis-server, valkey-server, or PostgreSQL 13 or later), or name another one',
  ],
];

export function refusedConnection(address: QueueAddress, error: unknown): QueueError {
  const { shown, redacted } = address;
  const said = error instanceof Error ? error.message || (error as { code?: string }).code : String(error);
  const told = said ?? 'nothing answers';
  const reason = redacted(told).replace(/\.$/u, '');
  const [, helps] = ADVICE.find(([words]) => words.test(told))!;
  return new QueueError(`${shown}: ${reason}: ${helps(address)}`, reason);
}
