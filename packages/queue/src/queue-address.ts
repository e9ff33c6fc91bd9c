/**
 * Where a queue is: the URL of a Redis, Valkey or PostgreSQL server. What is shown of it has no password and
 * no options.
 */

/** A queue that cannot be used as it was asked for. */
export class QueueError extends Error {
  override readonly name = 'QueueError';
  readonly code = 'bad-queue';

  /** What happened, without the server and the advice. */
  readonly reason: string;

  constructor(message: string, reason: string = message) {
    super(message);
    this.reason = reason;
  }
}

interface Address {
  /** For messages. */
  readonly shown: string;
  /** A text of a library, such as an error's, on one line and without what is secret of the URL. */
  redacted(text: string): string;
}

export interface RedisAddress extends Address {
  readonly engine: 'redis';
  readonly options: {
    readonly host: string;
    readonly port: number;
    readonly db: number;
    readonly username?: string;
    readonly password?: string;
    /** Empty: certificates are checked with the authorities that Node knows. */
    readonly tls?: object;
  };
}

export interface PostgresAddress extends Address {
  readonly engine: 'postgres';
  /** As the driver reads it, options of TLS such as `sslmode` included. */
  readonly url: string;
}

export type QueueAddress = RedisAddress | PostgresAddress;

const REDIS_PORT = 6379;
const ALLOWED = 'redis://HOST:PORT, rediss://… with TLS, or postgres://USER@HOST:PORT/DATABASE';

/**
 * @param environment where a password is that the URL leaves out: REDISCLI_AUTH; the driver of PostgreSQL
 * looks for PGPASSWORD itself
 * @throws QueueError, which does not repeat what it was given: it may hold a password
 */
export function queueAddress(text: string, environment: NodeJS.ProcessEnv = process.env): QueueAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new QueueError(`--queue: is no URL: must be ${ALLOWED}`);
  }
  const { protocol, hostname, port, pathname } = url;
  // Where slashes are missing, or a password has some, the URL ends early, and what follows is its path.
  if (/@|%40/iu.test(pathname) || url.hash !== '')
    throw new QueueError(`--queue: must be ${ALLOWED}; / ? # and @ of a password as %2F %3F %23 and %40`);
  const place = `${protocol}//${hostname}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`;
  const secrets = secretsOf(url);
  const address: Address = { shown: place, redacted: (line) => redacted(line, secrets) };
  if (protocol === 'postgres:' || protocol === 'postgresql:')
    return { ...address, engine: 'postgres', url: text };
  if (protocol !== 'redis:' && protocol !== 'rediss:')
    throw new QueueError(`--queue: ${protocol}// is no queue: must be ${ALLOWED}`);
  // An option that nobody reads would leave its user in the first database, or without a password.
  if (url.search !== '')
    throw new QueueError(`--queue: must be ${ALLOWED}; Redis takes no options after a ?`);
  const db = pathname.length > 1 ? Number(pathname.slice(1)) : 0;
  if (hostname === '' || !Number.isSafeInteger(db) || db < 0)
    throw new QueueError(`--queue: must be ${ALLOWED}; what follows the port of Redis is a number`);
  const username = decoded(url.username);
  const password = decoded(url.password) || environment['REDISCLI_AUTH'];
  if (password) secrets.push(password);
  return {
    ...address,
    engine: 'redis',
    options: {
      host: hostname.replace(/^\[(.*)\]$/u, '$1'),
      port: port === '' ? REDIS_PORT : Number(port),
      db,
      ...(username ? { username } : {}),
      ...(password ? { password } : {}),
      ...(protocol === 'rediss:' ? { tls: {} } : {}),
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The password in each form that a text may have it in. */
function secretsOf({ password, search }: URL): string[] {
  const options = search
    .slice(1)
    .split('&')
    .map((option) => option.split('='))
    .flatMap(([name, value]) => (/pass/iu.test(name!) && value ? [value] : []));
  return [password, ...options].flatMap((secret) => (secret === '' ? [] : [secret, decoded(secret)]));
}

function redacted(text: string, secrets: readonly string[]): string {
  const shown = text.replaceAll(/\s+/gu, ' ').replaceAll(/(\w+:\/\/)[^\s/@]*@/gu, '$1');
  // The longest first: one may be a part of another.
  return secrets.toSorted((a, b) => b.length - a.length).reduce(hidden, shown);
}

/** Shorter passwords are parts of words, which tell nothing of them. */
const TELLING = 4;

function hidden(text: string, secret: string): string {
  if (secret.length >= TELLING) return text.replaceAll(secret, '***');
  const parts = text.split(secret);
  return parts.reduce((shown, part, i) => {
    const isInWord =
      (/^\w/u.test(secret) && /\w$/u.test(parts[i - 1]!)) || (/\w$/u.test(secret) && /^\w/u.test(part));
    return `${shown}${isInWord ? secret : '***'}${part}`;
  });
}
