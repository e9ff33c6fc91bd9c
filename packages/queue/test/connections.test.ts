// What stays open on a real server, and what a run that is refused leaves of another's.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueExecutor } from '../src/coordinator.ts';
import { openEngine } from '../src/engine.ts';
import { BEAT_MS, Lobby, type Entry } from '../src/lobby.ts';
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

  it('a worker keeps no connection to runs that are over, and opens one for many tasks', async (test) => {
    const server = await ownServer(installed, test);
    const ending = new AbortController();
    const done = work(server.url, { threads: 3, signal: ending.signal, perform: performInside });
    const client = new Redis(server.url);
    const connections = async (): Promise<number> =>
      String(await client.client('LIST'))
        .trim()
        .split('\n').length;
    const after: number[] = [];
    for (const name of ['one', 'two']) {
      await lab.run(name, { executor: await queueExecutor(server.url) });
      // The next beat sees that the run has left.
      await setTimeout(2 * BEAT_MS);
      after.push(await connections());
    }
    ending.abort();
    expect(await done).toBeGreaterThanOrEqual(2 * 16);
    expect(new Set(after)).toEqual(new Set([after[0]]));
    // All are closed when the worker has ended, but for the one that counts.
    expect(await connections()).toBe(1);
    await client.quit();
  });

  it('a second run of a plan is refused, and leaves the entry of the first and no folder', async (test) => {
    const server = await ownServer(installed, test);
    const lobby = await Lobby.open(openEngine(queueAddress(server.url), () => {}));
    const ending = new AbortController();
    const interrupted = new AbortController();
    const run = lab.run('plan', { executor: await queueExecutor(server.url), signal: interrupted.signal });
    const stopped = run.catch((error: unknown) => error);
    let own: Entry | undefined;
    for (; own === undefined; await setTimeout(50)) [own] = await lobby.present();
    interrupted.abort(new Error('enough'));
    expect(String(await stopped)).toContain('enough');

    const first: Entry = { ...own, name: 'elsewhere:1' };
    const kept = lobby.keep(
      () => first,
      ending.signal,
      async () => {},
    );
    const again = lab.run('again', { executor: await queueExecutor(server.url) });
    await expect(again).rejects.toThrow('elsewhere:1 coordinates this very run: wait for it, or stop it');
    expect((await lobby.present()).map(({ id, name }) => [id, name])).toEqual([[first.id, first.name]]);
    expect(existsSync(join(lab.root, 'again'))).toBe(false);
    ending.abort();
    await kept;
    await lobby.leave(first.id);
  });

  it('of two that begin a run at the same moment one is refused', async (test) => {
    const server = await ownServer(installed, test);
    const interrupted = new AbortController();
    const both = await Promise.all(
      ['left', 'right'].map(async (name) => ({ name, executor: await queueExecutor(server.url) })),
    );
    const runs = both.map(({ name, executor }) =>
      lab.run(name, { executor, signal: interrupted.signal }).catch((error: unknown) => String(error)),
    );
    expect(await Promise.race(runs)).toContain('coordinates this very run: wait for it, or stop it');
    // The other one goes on.
    interrupted.abort(new Error('enough'));
    expect((await Promise.all(runs)).filter((ended) => String(ended).includes('enough'))).toHaveLength(1);
  });
});
