/** Real servers for tests, where they are installed: on free ports, with data in temporary folders. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestContext } from 'vitest';

export interface Server {
  readonly url: string;
  /** Of PostgreSQL: data as they were made, from which another server may start. */
  readonly fresh?: string;
  /** Ends it as a crash does, and starts it again; its data stay, unless they are wiped. */
  restart(options?: { readonly wiped?: boolean; readonly downMs?: number }): Promise<void>;
  /** Stops its process for so long: a network that holds everything back. */
  freeze(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

export interface InstalledServer {
  readonly name: 'Redis' | 'PostgreSQL';
  /** What is missing; null where it can be started. */
  readonly missing: string | null;
  start(options?: ServerOptions): Promise<Server>;
}

export interface ServerOptions {
  /** Files of a certificate and its key: only connections with TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly password?: string;
  /** The fresh data of another server, which still runs: to make them takes ten times as long as to copy. */
  readonly fresh?: string | undefined;
}

/** Where the program is installed; null where it is not. */
export function found(program: string): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).map((version) => join(debian, version, 'bin'))
    : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versions];
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file)) ?? null;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** PostgreSQL does not run as root. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function untilItAnswers(port: number, child: ChildProcess): Promise<void> {
  for (let step = 0; step < 600; step++) {
    if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const answers = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (answers) return;
    await setTimeout(50);
  }
  throw new Error(`nothing answers at port ${port}`);
}

async function running(
  folder: string,
  port: number,
  url: string,
  start: () => ChildProcess,
  wipe: () => void,
): Promise<Server> {
  let child = start();
  await untilItAnswers(port, child);
  const end = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    url,
    restart: async ({ wiped = false, downMs = 0 } = {}) => {
      await end();
      await setTimeout(downMs);
      if (wiped) wipe();
      // What a killed server leaves may hold its place for a moment.
      for (let attempt = 1; ; attempt++) {
        child = start();
        try {
          return await untilItAnswers(port, child);
        } catch (error) {
          if (attempt === 20) throw error;
          await setTimeout(250);
        }
      }
    },
    freeze: async (milliseconds) => {
      child.kill('SIGSTOP');
      await setTimeout(milliseconds);
      child.kill('SIGCONT');
    },
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const REDIS_SETTINGS = ['--bind', '127.0.0.1', '--appendonly', 'yes', '--save', ''];

async function startRedis({ tls, password }: ServerOptions = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-redis-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  const port = await freePort();
  const ports = tls
    ? ['--port', '0', '--tls-port', `${port}`, '--tls-cert-file', tls.certificate, '--tls-key-file', tls.key]
    : ['--port', `${port}`];
  const start = (): ChildProcess =>
    spawn(
      found('redis-server')!,
      [
        ...ports,
        ...(tls ? ['--tls-auth-clients', 'no'] : []),
        ...(password ? ['--requirepass', password] : []),
        ...REDIS_SETTINGS,
        '--dir',
        data,
      ],
      { stdio: 'ignore' },
    );
  const user = password ? `:${encodeURIComponent(password)}@` : '';
  return running(folder, port, `redis${tls ? 's' : ''}://${user}127.0.0.1:${port}`, start, () => {
    rmSync(data, { recursive: true });
    mkdirSync(data);
  });
}

async function startPostgres({ tls, password, fresh: given }: ServerOptions = {}): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-postgres-'));
  if (USER.uid) chownSync(folder, USER.uid, USER.gid);
  const fresh = given ?? join(folder, 'fresh');
  const data = join(folder, 'data');
  const done = (program: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync(program, args, { ...USER, cwd: '/' });
    if (status !== 0) throw new Error(`${program}: ${stderr.toString()}`);
  };
  const initialize = (): void => {
    rmSync(data, { recursive: true, force: true });
    done('cp', '-a', fresh, data);
  };
  const made = ['-D', fresh, '-U', 'lab', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  if (given === undefined) done(found('initdb')!, ...made);
  initialize();
  const port = await freePort();
  const secure = tls ? ['-l', '-c', `ssl_cert_file=${tls.certificate}`, '-c', `ssl_key_file=${tls.key}`] : [];
  const start = (): ChildProcess =>
    spawn(
      found('postgres')!,
      [`-D${data}`, `-p${port}`, `-k${folder}`, '-h127.0.0.1', '-cfsync=off', ...secure],
      { ...USER, cwd: '/', stdio: 'ignore' },
    );
  const user = password ? `lab:${encodeURIComponent(password)}` : 'lab';
  const url = `postgres://${user}@127.0.0.1:${port}/postgres${tls ? '?sslmode=verify-full' : ''}`;
  const server = await running(folder, port, url, start, initialize);
  // The port answers a little before the database does.
  await setTimeout(200);
  return { ...server, fresh };
}

export const SERVERS: readonly InstalledServer[] = [
  { name: 'Redis', missing: found('redis-server') ? null : 'redis-server', start: startRedis },
  {
    name: 'PostgreSQL',
    missing: found('postgres') && found('initdb') ? null : 'postgresql',
    start: startPostgres,
  },
];

/** A server of the test's own. */
export async function ownServer(
  installed: InstalledServer,
  { onTestFinished }: TestContext,
): Promise<Server> {
  const server = await installed.start();
  onTestFinished(() => server.stop());
  return server;
}
