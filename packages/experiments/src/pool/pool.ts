/** Worker threads for tasks, or none: with 0 workers tasks run in the calling thread. Results do not depend on it. */
import { setImmediate } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { perform, type Task, type TaskResult } from './tasks.ts';

export interface Pool {
  readonly workers: number;
  run(task: Task): Promise<TaskResult>;
  /** Ends the threads at once; tasks under way are given up. */
  close(): Promise<void>;
}

export function openPool(workers: number): Pool {
  if (workers === 0) {
    return {
      workers,
      run: async (task) => {
        // Lets signals and progress through between tasks.
        await setImmediate();
        return perform(task);
      },
      close: async () => {},
    };
  }
  const fromSource = import.meta.url.endsWith('.ts');
  const stripsTypes = 'typescript' in process.features && Boolean(process.features.typescript);
  const piscina = new Piscina<Task, TaskResult>({
    filename: new URL(fromSource ? './worker.ts' : './worker.js', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    ...(fromSource
      ? {
          execArgv: [
            '--conditions=@shuffle-dp/source',
            ...(stripsTypes ? [] : ['--import', import.meta.resolve('tsx')]),
          ],
        }
      : {}),
  });
  return {
    workers,
    run: (task) => piscina.run(task),
    close: () => piscina.destroy(),
  };
}

/** Runs `work` on all entries, at most `limit` at a time, starting them in order. The first failure ends it. */
export async function forEachConcurrently<Entry>(
  entries: Iterable<Entry>,
  limit: number,
  signal: AbortSignal,
  work: (entry: Entry) => Promise<void>,
): Promise<void> {
  const iterator = entries[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
      signal.throwIfAborted();
      // One task after another is what a lane is.
      // oxlint-disable-next-line no-await-in-loop
      await work(step.value);
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  signal.throwIfAborted();
}
