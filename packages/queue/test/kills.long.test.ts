// @module-tag long
// The real program with a real server, while workers, the run and the server are killed, stopped and wiped at
// random.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomStream } from '../../core/src/random/random-stream.ts';
import { readJournal } from '../../experiments/src/run-folder/journal.ts';
import { CONFIG, openLab, type Lab } from './runs.ts';
import { SERVERS, type Server } from './servers.ts';

const LAUNCHER = join(import.meta.dirname, '../../cli/bin/shuffle-dp.mjs');
const LOCK_SECONDS = 2;
const EVENTS = 20;
const LONG = CONFIG.replace('trials: 60', 'trials: 2000').replace(
  'users: [500, 700]',
  'users: [20000, 20001, 20002, 20003, 20004, 20005, 20006, 20007]',
);

let lab: Lab;
let local: string;
beforeAll(async () => {
  lab = openLab(LONG);
  await lab.run('local', { workers: 2 });
  local = lab.bytes('local');
});
afterAll(() => lab.remove());

describe.each(SERVERS)('through $name', (installed) => {
  it.skipIf(installed.missing !== null)(`${EVENTS} accidents change no byte`, async () => {
    const random = RandomStream.fromSeed(`accidents of ${installed.name}`);
    const server: Server = await installed.start();
    const said: string[] = [];
    const processes = new Set<ChildProcess>();
    const start = (...args: string[]): ChildProcess => {
      // The program itself, not its launcher: what is killed is what works.
      const child = spawn(
        process.execPath,
        [
          '--conditions=@shuffle-dp/source',
          '--import',
          import.meta.resolve('tsx'),
          join(LAUNCHER, '../../src/cli.ts'),
          ...args,
        ],
        { cwd: lab.root, stdio: ['ignore', 'ignore', 'pipe'] },
      );
      child.stderr!.on('data', (part: Buffer) => said.push(part.toString()));
      processes.add(child);
      child.once('exit', () => processes.delete(child));
      return child;
    };
    const worker = () => start('work', '--queue', server.url, '--workers', '1', '--lock', `${LOCK_SECONDS}`);
    const asked = `run many.yaml --no-report --resume --out ${installed.name} --queue ${server.url}`;
    const run = () => start(...asked.split(' '));
    const kill = async (child: ChildProcess): Promise<void> => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    };
    const workers = [worker(), worker()];
    let coordinator = run();
    /** As whoever operates it would: what began while the server was gone begins again. */
    const supervise = (): void => {
      if (coordinator.exitCode === 2) coordinator = run();
      workers.forEach((child, i) => {
        if (child.exitCode === 2) workers[i] = worker();
      });
    };
    try {
      const journal = join(lab.root, installed.name, 'journal.jsonl');
      while (!existsSync(journal) || !said.some((line) => line.includes('is there'))) await setTimeout(50);
      const events: string[] = [];
      for (let i = 0; i < EVENTS; i++) {
        await setTimeout(500 + 2500 * random.next());
        if (coordinator.exitCode === 0) throw new Error(`the run has ended after ${events.join(', ')}`);
        supervise();
        // Once each of the rare ones, the others at random.
        const event = ['wipe', 'server', 'run', 'freeze', 'hold'][i % 7] ?? 'worker';
        events.push(event);
        const which = random.next() < 0.5 ? 0 : 1;
        if (event === 'worker') {
          await kill(workers[which]!);
          workers[which] = worker();
        } else if (event === 'run') {
          await kill(coordinator);
          coordinator = run();
        } else if (event === 'freeze') {
          await server.freeze(1500 * LOCK_SECONDS);
        } else if (event === 'hold') {
          // A worker that nobody hears of for longer than a lock, and that then goes on.
          workers[which]!.kill('SIGSTOP');
          await setTimeout(2500 * LOCK_SECONDS);
          workers[which]!.kill('SIGCONT');
        } else await server.restart({ wiped: event === 'wipe', downMs: 1000 * random.next() });
      }
      for (; coordinator.exitCode === null; supervise()) await setTimeout(500);
      const { exitCode } = coordinator;
      expect({ exitCode, said: exitCode === 0 ? '' : said.join('') }).toEqual({ exitCode: 0, said: '' });
      expect(lab.bytes(installed.name)).toBe(local);
      const { records } = readJournal(journal);
      // One line for the header and one for each cell: nothing is counted twice.
      expect(readFileSync(journal, 'utf8').trim().split('\n').length).toBe(1 + records.size);
    } finally {
      await Promise.all([...processes].map(kill));
      await server.stop();
    }
  });
});
