// Runs through real servers, where they are installed: the bytes of one machine's run, whoever does the work.
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueExecutor } from '../src/coordinator.ts';
import { work, type WorkOptions } from '../src/work.ts';
import { openLab, performInside as perform, type Lab } from './runs.ts';
import { SERVERS, type Server } from './servers.ts';

const missing = SERVERS.filter((server) => server.missing !== null);
if (missing.length > 0)
  console.warn(
    `not tested, because they are not installed: ${missing.map((server) => `${server.name} (package ${server.missing})`).join(', ')}`,
  );

let lab: Lab;
let local: string;
beforeAll(async () => {
  lab = openLab();
  await lab.run('local', { workers: 0 });
  local = lab.bytes('local');
});
afterAll(() => lab.remove());

// The servers side by side: much of the time is waiting.
describe.concurrent.each(SERVERS)('through $name', (installed) => {
  describe.sequential(
    `(package ${installed.missing ?? 'there'})`,
    { skip: installed.missing !== null },
    () => {
      let server: Server;
      const notices: string[] = [];
      const of = (run: string): string => `${installed.name}-${run}`;
      const begin = (name: string, options: Partial<WorkOptions> = {}) => {
        const ending = new AbortController();
        const said: string[] = [];
        const onNotice = (line: string): void => void said.push(line);
        const done = work(server.url, {
          threads: 1,
          signal: ending.signal,
          lockMs: 2000,
          name,
          perform,
          onNotice,
          ...options,
        });
        return { said, end: () => (ending.abort(), done) };
      };
      const executor = () => queueExecutor(server.url, { onNotice: (line) => notices.push(line) });

      beforeAll(async () => {
        server = await installed.start();
      });
      afterAll(async () => {
        await server.stop();
      });

      it.each([1, 2, 4])(
        '%i workers give the bytes of one machine, and each answer counts once',
        async (count) => {
          const workers = ['ann', 'ben', 'cem', 'dan'].slice(0, count).map((name) => begin(name));
          notices.length = 0;
          await lab.run(of(`by ${count}`), { executor: await executor() });
          const done = await Promise.all(workers.map((worker) => worker.end()));
          expect(lab.bytes(of(`by ${count}`))).toBe(local);
          // 4 accounts, 6 ranges of trials for each number of users; besides, what is asked for twice.
          expect(done.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(16);
          const tally = notices.find((line) => line.startsWith('done: tasks by worker: '))!;
          const counts = [...tally.matchAll(/ (\d+)(?:,|$)/gu)].map(([, count]) => Number(count));
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(16);
        },
      );

      it('a server that loses all its data in between costs nothing but time', async () => {
        let begun = 0;
        const restarts: Promise<void>[] = [];
        // Accounts are done, and most of the first trials wait on the server.
        const atNinth: typeof perform = (...task) => {
          if (++begun === 9) restarts.push(server.restart({ wiped: true }));
          return perform(...task);
        };
        const workers = ['ann', 'ben'].map((name) => begin(name, { perform: atNinth }));
        await lab.run(of('wiped'), { executor: await executor() });
        expect(restarts).toHaveLength(1);
        await Promise.all(restarts);
        await Promise.all(workers.map((worker) => worker.end()));
        expect(lab.bytes(of('wiped'))).toBe(local);
      });

      it('a worker that computes wrongly is found and named, and the run stops', async () => {
        const wrong: typeof perform = async (...task) => {
          const answer = JSON.stringify(await perform(...task));
          return JSON.parse(answer.replace(/"message/u, '"massage').replace(/"seconds"/u, '"wrong":1,$&'));
        };
        const workers = [begin('good'), begin('bad', { perform: wrong })];
        const run = lab.run(of('poisoned'), { executor: await executor() });
        await expect(run).rejects.toThrow(/worker bad gives another answer than (good|this machine): /u);
        await Promise.all(workers.map((worker) => worker.end()));
      });

      it('versions that differ are refused, on both sides, and get no task', async () => {
        const other = begin('old', { version: '0123456789abcdef' });
        const ending = new AbortController();
        const config = lab.run(of('versions'), { executor: await executor(), signal: ending.signal });
        const stopped = config.catch((error: unknown) => error);
        for (
          let step = 0;
          step < 80 && !(other.said.length > 1 && notices.at(-1)?.includes('no worker'));
          step++
        )
          await setTimeout(50);
        ending.abort(new Error('enough'));
        expect(String(await stopped)).toContain('enough');
        expect(notices.find((line) => line.includes('worker old'))).toMatch(
          /^worker old is refused: it runs version 0123456789abcdef of the program, this is [0-9a-f]{16} \(/u,
        );
        expect(other.said.at(-1)).toMatch(
          /^the run of \S+ is refused: it is of version [0-9a-f]{16} of the program/u,
        );
        expect(await other.end()).toBe(0);
      });

      it('a worker connects with TLS and a password where it trusts the certificate', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-tls-'));
        const files = { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
        const asked = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1
        -addext subjectAltName=IP:127.0.0.1 -keyout ${files.key} -out ${files.certificate}`;
        const { status } = spawnSync('openssl', asked.split(/\s+/u));
        expect(status).toBe(0);
        if (process.getuid?.() === 0)
          for (const path of [folder, files.key, files.certificate]) chownSync(path, 65_534, 65_534);
        const secure = await installed.start({ tls: files, password: 'p@ss-w0rd', fresh: server.fresh });
        try {
          const launcher = join(import.meta.dirname, '../../cli/bin/shuffle-dp.mjs');
          const args = [launcher, 'work', '--queue', secure.url, '--idle', '1', '--workers', '1'];
          const env = { ...process.env, NODE_EXTRA_CA_CERTS: files.certificate };
          const connected = spawnSync(process.execPath, args, { encoding: 'utf8', env });
          expect(connected.stderr).toContain('waits for tasks at');
          expect(connected).toMatchObject({ status: 0, stdout: '' });
          const refused = String(await work(secure.url, { threads: 1 }).catch((error: unknown) => error));
          expect(refused).toContain('self-signed certificate');
          expect(connected.stderr + refused).not.toContain('ss-w0rd');
        } finally {
          await secure.stop();
          rmSync(folder, { recursive: true });
        }
      });
    },
  );
});
