import { describe, expect, it } from 'vitest';
import { queueAddress } from '../src/queue-address.ts';
import { refusedConnection } from '../src/refused-connection.ts';

describe('a server that takes no connection', () => {
  it.each([
    [
      'redis://:s3cret@host',
      'WRONGPASS invalid username-password pair or user is disabled.',
      'REDISCLI_AUTH',
    ],
    ['redis://host', 'NOAUTH Authentication required.', 'REDISCLI_AUTH'],
    ['postgres://lab:s3cret@host/db', 'password authentication failed for user "lab"', 'PGPASSWORD'],
    [
      'postgres://lab@host/db',
      'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
      'PGPASSWORD',
    ],
    // Of which nothing is told but stars.
    ['postgres://lab:password@host/db', 'password authentication failed for user "lab"', 'PGPASSWORD'],
  ])('%s: %s names where the password is looked for', (url, said, variable) => {
    const { message } = refusedConnection(queueAddress(url, {}), new Error(said));
    expect(message).toContain(`: give the server's password in ${variable}, or in the URL`);
    expect(message).not.toMatch(/s3cret|\.:|start a server/u);
  });

  it.each(['role "nobody" does not exist', 'database "none" does not exist', 'ERR DB index is out of range'])(
    '%s: a server is there',
    (said) => {
      const { message } = refusedConnection(queueAddress('postgres://host:1', {}), new Error(said));
      expect(message).toBe(`postgres://host:1: ${said}: name one that the server has, in the URL`);
    },
  );

  it.each([
    [
      'redis://host:1',
      "NOPERM this user has no permissions to run the 'ping' command",
      'all commands on the keys shuffle-dp:*',
    ],
    [
      'postgres://lab@host/db',
      'permission denied for database db',
      'to create and use the schema shuffle_dp',
    ],
  ])('%s: %s says what its user lacks', (url, said, lacks) => {
    const { message } = refusedConnection(queueAddress(url, {}), new Error(said));
    expect(message).toContain(`: ${said}: allow its user ${lacks}, or name another one in the URL`);
    expect(message).not.toContain('start a server');
  });

  it.each([
    ['rediss://host:1', 'ask for no TLS in the URL (redis://) where the server speaks none'],
    ['redis://host:1', 'see whether the server there is busy, or speaks TLS alone'],
    ['postgres://host:1/db', 'see whether the server there is busy, or speaks TLS alone'],
  ])('%s, which takes a connection and says nothing, may speak otherwise', (url, helps) => {
    const { message } = refusedConnection(queueAddress(url, {}), new Error('no answer within 5 s'));
    expect(message).toBe(`${url}: no answer within 5 s: ${helps}, or name another one`);
  });

  it.each([
    ['sorry, too many clients already', 'let it take more connections'],
    ['ERR max number of clients reached', 'let it take more connections'],
    ['The server does not support SSL connections', 'ask for no TLS in the URL'],
    ['self-signed certificate', 'in NODE_EXTRA_CA_CERTS, or name another one'],
    ['unable to get local issuer certificate', 'in NODE_EXTRA_CA_CERTS, or name another one'],
  ])('that says: %s is not told to be started', (said, helps) => {
    const { message } = refusedConnection(queueAddress('postgres://lab@host/db', {}), new Error(said));
    expect(message).toContain(`: ${said}: `);
    expect(message).toContain(helps);
    expect(message).not.toContain('start a server');
  });

  it.each([
    [new Error('connect ECONNREFUSED 127.0.0.1:1'), 'connect ECONNREFUSED 127.0.0.1:1'],
    [Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
    [new Error(''), 'nothing answers'],
  ])('%s: is told to be started', (error, reason) => {
    const { message } = refusedConnection(queueAddress('redis://host:1', {}), error);
    expect(message).toBe(
      `redis://host:1: ${reason}: start a server there (redis-server, valkey-server, or PostgreSQL 13 or later), or name another one`,
    );
  });
});
