/** Worker threads for tasks, or none: with 0 workers tasks run in the calling thread. Results do not depend on it. */
import { setImmediate } from 'node:timers/promises';
import { Piscina } from 'piscina';
import { taskError } from './task-error.ts';
import { perform, type Task, type TaskResult } from './tasks.ts';

export interface Pool {
  readonly workers: number;
  /** @throws TaskError where the task ends without an answer */
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
        try {
          return perform(task);
        } catch (error) {
          throw taskError(error);
        }
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
  // A thread that fails while it has no task, as one that cannot start, is told here alone.
  let failure: unknown;
  piscina.on('error', (error) => {
    failure ??= error;
    void piscina.destroy();
  });
  return {
    workers,
    run: async (task) => {
      try {
        return await piscina.run(task);
      } catch (error) {
        throw taskError(failure ?? error);
      }
    },
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
  const ending = new AbortController();
  const lane = async (): Promise<void> => {
    try {
      for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
        signal.throwIfAborted();
        if (ending.signal.aborted) return;
        // One task after another is what a lane is.
        // oxlint-disable-next-line no-await-in-loop
        await work(step.value);
      }
    } catch (error) {
      ending.abort();
      throw error;
    }
  };
  await Promise.all(Array.from({ length: limit }, lane));
  signal.throwIfAborted();
}
