import { describe, expect, it } from 'vitest';
import { QueueError, queueAddress } from '../src/queue-address.ts';

describe('the URL of a queue', () => {
  it.each([
    ['redis://127.0.0.1:6379', { host: '127.0.0.1', port: 6379, db: 0 }],
    ['redis://localhost', { host: 'localhost', port: 6379, db: 0 }],
    ['redis://lab:a%2Fb@host:1/2', { host: 'host', port: 1, db: 2, username: 'lab', password: 'a/b' }],
    ['rediss://[::1]:6380', { host: '::1', port: 6380, db: 0, tls: {} }],
  ])('%s is read', (url, options) => {
    expect(queueAddress(url, {})).toMatchObject({ engine: 'redis', options });
  });

  it('finds the password of Redis in the environment, and hides it', () => {
    const address = queueAddress('redis://host', { REDISCLI_AUTH: 's3cret' });
    expect(address).toMatchObject({ options: { password: 's3cret' } });
    expect(address.redacted('AUTH s3cret failed')).toBe('AUTH *** failed');
  });

  it.each([
    'redis://lab:p%40ss-w0rd@host:1',
    'rediss://:p%40ss-w0rd@host:1/3',
    'postgres://lab:p%40ss-w0rd@host/db?sslmode=verify-full',
    'postgresql://lab@host/db?password=p%40ss-w0rd',
  ])('%s is shown without its password, and errors are cleared of it', (url) => {
    const { shown, redacted } = queueAddress(url, {});
    expect(shown).not.toMatch(/ss-w0rd|lab|sslmode/u);
    for (const text of [`cannot open ${url}`, 'for p@ss-w0rd', 'for p%40ss-w0rd', `input: '${url}'`])
      expect(redacted(text)).not.toContain('ss-w0rd');
  });

  it('a short password is hidden where it stands alone, and not within words', () => {
    const { redacted } = queueAddress('redis://lab:p@host:1', {});
    expect(redacted("WRONGPASS invalid username-password pair; 'p' and redis://lab:p@host")).toBe(
      "WRONGPASS invalid username-password pair; '***' and redis://host",
    );
  });

  it.each([
    'p@ss-w0rd',
    'http://lab:p@ss-w0rd@host',
    'redis://:p@ss-w0rd@host/x',
    'postgres//a:p@ss-w0rd@b',
    // Slashes that are missing, or that stand in the password: the URL ends before it.
    'redis:/lab:ss-w0rd@host:1',
    'redis:lab:ss-w0rd@host:1',
    'postgres:/lab:ss-w0rd@host/db',
    'redis://lab:77/ss-w0rd@host:1',
    'postgres://lab:77/ss-w0rd@host/db',
    'redis://lab:77#ss-w0rd@host:1',
    'redis://host:1/ss-w0rd',
    // Options that Redis is not asked with.
    'redis://host:1?password=ss-w0rd',
    'rediss://host:1/?db=3',
  ])('%s is refused, and not repeated where it may hold a password', (url) => {
    const refuse = (): unknown => queueAddress(url, {});
    expect(refuse).toThrow(QueueError);
    expect(refuse).toThrow(/^(?!.*ss-w0rd).*must be redis:\/\/HOST:PORT/u);
  });
});
