import { describe, expect, it } from 'vitest';
import { forEachConcurrently, withPool, type PoolOptions } from '../../src/pool/pool.ts';
import { BUSY_TASKS, stayBusy } from './busy-task.ts';

/** The threads that performed the first of so many tasks, in the order in which they began. */
function threadsOf(
  {
    first,
    of,
    milliseconds,
  }: { readonly first: number; readonly of: number | null; readonly milliseconds: number },
  options: PoolOptions = {},
): Promise<number[]> {
  return withPool(BUSY_TASKS, { workers: 1, startsAlone: true, ...options }, async (pool) => {
    const threads: number[] = [];
    const begun = Array.from({ length: first }, (_, i) => i);
    await forEachConcurrently(begun, 2, undefined, async (i) => {
      threads[i] = await pool.run(stayBusy, milliseconds, of);
    });
    return threads;
  });
}

describe('short tasks of a run whose number of threads nobody said', () => {
  it('are performed by the calling thread where they are soon done', async () => {
    expect(await threadsOf({ first: 20, of: 20, milliseconds: 15 })).toEqual(
      Array.from({ length: 20 }, () => 0),
    );
  });

  it('are performed by threads where there are many, once these are loaded', async () => {
    const threads = await threadsOf({ first: 25, of: 60, milliseconds: 50 });
    const first = threads.findIndex((thread) => thread > 0);
    // The first fifth of a second tells; threads load for a little longer than half of one.
    expect(first).toBeGreaterThan(4);
    expect(first).toBeLessThan(20);
    expect(threads.slice(first + 2).every((thread) => thread > 0)).toBe(true);
  });

  it('are performed by the calling thread for seconds where the first ones do not tell', async () => {
    const threads = await threadsOf({ first: 16, of: null, milliseconds: 100 });
    expect(threads).toEqual(threads.map(() => 0));
  });

  it('of one kind say nothing of those of another', async () => {
    await withPool(BUSY_TASKS, { workers: 1, startsAlone: true }, async (pool) => {
      for (let i = 0; i < 3; i++) expect(await pool.run(stayBusy, 150, null)).toBe(0);
      // Threads do not know this one.
      const stayBusyHere = (milliseconds: number): number => stayBusy(milliseconds);
      for (let i = 0; i < 40; i++) expect(await pool.run(stayBusyHere, 30, 40)).toBe(0);
    });
  });

  it('are for threads from the first on, where somebody did', async () => {
    expect(
      Math.min(...(await threadsOf({ first: 4, of: 4, milliseconds: 1 }, { startsAlone: false }))),
    ).toBeGreaterThan(0);
  });
});

it('a task that is not short is for threads, and short ones after it too', async () => {
  await withPool(BUSY_TASKS, { workers: 1, startsAlone: true }, async (pool) => {
    expect(await pool.run(stayBusy, 1, 3)).toBe(0);
    expect(await pool.run(stayBusy, 1)).toBeGreaterThan(0);
    expect(await pool.run(stayBusy, 1, 3)).toBeGreaterThan(0);
  });
});

it('an error in the calling thread is that of the task, and the next one is performed', async () => {
  await withPool(BUSY_TASKS, { workers: 1, startsAlone: true }, async (pool) => {
    const fail = (): number => {
      throw new RangeError('no such thing');
    };
    await expect(pool.run(fail, undefined, 2)).rejects.toThrow('no such thing');
    expect(await pool.run(stayBusy, 1, 2)).toBe(0);
  });
});

it('a signal ends what waits for the calling thread', async () => {
  const ending = new AbortController();
  const reason = new Error('stopped');
  const options = { workers: 1, startsAlone: true, signal: ending.signal };
  let performed = 0;
  const stopped = withPool(BUSY_TASKS, options, async (pool) => {
    const stop = (): void => {
      performed++;
      ending.abort(reason);
    };
    await Promise.all([pool.run(stop, undefined, 2), pool.run(stop, undefined, 2)]);
  });
  await expect(stopped).rejects.toBe(reason);
  expect(performed).toBe(1);
});
