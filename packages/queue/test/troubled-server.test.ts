// What workers and runs do with a real server that is gone, says nothing, or is written to by others.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programVersion, queueExecutor, taskQueueName } from '../src/coordinator.ts';
import { openEngine } from '../src/engine.ts';
import type { AnswerMessage } from '../src/messages.ts';
import { programIn } from '../../cli/test/program.ts';
import { queueAddress } from '../src/queue-address.ts';
import { work } from '../src/work.ts';
import { openLab, performInside, type Lab } from './runs.ts';
import { ownServer, SERVERS } from './servers.ts';

const installed = SERVERS.find(({ name }) => name === 'Redis')!;

// They mostly wait.
describe.skipIf(installed.missing !== null).concurrent('on Redis', () => {
  let lab: Lab;
  beforeAll(() => {
    lab = openLab();
  });
  afterAll(() => lab.remove());

  it('a run that is ended while its server is gone ends', async (test) => {
    const server = await ownServer(installed, test);
    const { start } = programIn(lab.root);
    const { child, ended } = start('run', lab.file, '--out', 'ended', '--no-report', '--queue', server.url);
    const said = (words: string): Promise<void> =>
      new Promise((resolve) => {
        child.stderr!.on('data', (part: Buffer) => void (part.toString().includes(words) && resolve()));
      });
    await said('no worker is there yet');
    const isTold = said('tried again until it is back');
    await server.stop();
    await isTold;
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^interrupted; finished cells are kept in /mu);
  });

  it('a module of a user is not run, however its task is written', async (test) => {
    const server = await ownServer(installed, test);
    const { host, port } = (queueAddress(server.url) as { options: { host: string; port: number } }).options;
    const connection = { host, port, maxRetriesPerRequest: null };
    const tasks = new Queue(taskQueueName(programVersion()), { connection, prefix: 'shuffle-dp' });
    const answered: AnswerMessage[] = [];
    const answers = new Worker(
      'answers',
      (job) => Promise.resolve(answered.push(job.data as AnswerMessage)),
      {
        connection,
        prefix: 'shuffle-dp',
      },
    );
    const texts = ['"kind":"own-randomizer"', '"kind" : "own-randomizer"', '"\\u006bind":"own-randomizer"'];
    for (const text of texts)
      await tasks.add('task', {
        version: programVersion(),
        task: text,
        module: 'cells',
        perform: 'describeCell',
        text: `{"id":"x","spec":{${text},"module":"own.mjs"}}`,
        label: 'own',
        answersTo: 'answers',
      });
    const performed: unknown[] = [];
    const perform = (_module: string, _name: string, task: unknown): Promise<unknown> =>
      Promise.resolve(performed.push(task));
    const ending = new AbortController();
    const done = work(server.url, { threads: 1, signal: ending.signal, perform });
    while (answered.length < texts.length) await setTimeout(50);
    ending.abort();
    await done;
    expect(performed).toEqual([]);
    expect(answered.map(({ text }) => text)).toEqual(
      texts.map(() => 'a module of a user is not taken from a queue'),
    );
    await Promise.all([tasks.close(), answers.close()]);
  });

  it('a database that the server does not have is refused', async (test) => {
    const server = await ownServer(installed, test);
    const engine = openEngine(queueAddress(`${server.url}/999`), () => {});
    await expect(engine.prepare()).rejects.toThrow('DB index is out of range');
  });

  it.for([
    ['-@scripting', '~*'],
    ['+@scripting', '~other:*'],
  ] as const)('a user with %s on %s is told which rights are lacking', async ([scripting, keys], test) => {
    const server = await ownServer(installed, test);
    const client = new Redis(server.url);
    await client.call('ACL', 'SETUSER', 'ann', 'on', '>secret', keys, '&*', '+@all', scripting);
    await client.quit();
    const url = server.url.replace('redis://', 'redis://ann:secret@');
    await expect(openEngine(queueAddress(url), () => {}).prepare()).rejects.toThrow(
      /NOPERM .*: allow its user all commands on the keys shuffle-dp:\*, or name another one in the URL$/u,
    );
  });

  it('a server that takes a connection and says nothing is refused in time', async (test) => {
    const server = await ownServer(installed, test);
    const thawed = server.freeze(5500);
    const engine = openEngine(queueAddress(server.url), () => {});
    await expect(engine.prepare()).rejects.toThrow(/: (?:no answer within 5 s|connect ETIMEDOUT)/u);
    await thawed;
  });

  it('one that is gone before the tasks are asked for is waited for, and said to be', async (test) => {
    const server = await ownServer(installed, test);
    const notices: string[] = [];
    const executor = await queueExecutor(server.url, { onNotice: (line) => notices.push(line) });
    await server.stop();
    const ending = new AbortController();
    const stopped = lab.run('gone', { executor, signal: ending.signal }).catch((error: unknown) => error);
    while (notices.length === 0) await setTimeout(50);
    expect(notices[0]).toMatch(
      /^redis:\/\/127\.0\.0\.1:\d+: connect ECONNREFUSED .*: tried again until it is back$/u,
    );
    ending.abort(new Error('enough'));
    expect(String(await stopped)).toContain('enough');
  });

  it('a worker and a run that never get a connection end where they are stopped', async (test) => {
    const server = await ownServer(installed, test);
    const client = new Redis(server.url);
    // One is enough to ask whether the server is there.
    await client.config('SET', 'maxclients', '1');
    client.disconnect();
    await setTimeout(200);
    const notices: string[] = [];
    const ending = new AbortController();
    const onNotice = (line: string): void => {
      notices.push(line);
      ending.abort(new Error('enough'));
    };
    expect(await work(server.url, { threads: 1, signal: ending.signal, onNotice })).toBe(0);
    expect(notices[0]).toContain('tried again until it is back');
    expect(notices.at(-1)).toMatch(/^worker \S+ ends: it was not connected to redis:/u);

    const endingRun = new AbortController();
    const executor = await queueExecutor(server.url, {
      onNotice: () => endingRun.abort(new Error('enough')),
    });
    await expect(lab.run('few', { executor, signal: endingRun.signal })).rejects.toThrow('enough');
  });

  it('a worker ends though its last answer cannot be sent', { tags: 'long' }, async (test) => {
    const server = await ownServer(installed, test);
    const executor = await queueExecutor(server.url);
    const [endingRun, endingWork] = [new AbortController(), new AbortController()];
    const run = lab.run('last', { executor, signal: endingRun.signal }).catch(() => undefined);
    let isGone: Promise<void> | null = null;
    const worker = work(server.url, {
      threads: 1,
      signal: endingWork.signal,
      perform: async (...task) => {
        isGone ??= server.stop();
        await isGone;
        endingWork.abort();
        endingRun.abort();
        return performInside(...task);
      },
    });
    expect(await worker).toBe(0);
    await run;
  });
});
