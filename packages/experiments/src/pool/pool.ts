/**
 * Worker threads for tasks, or none: with 0 workers tasks run in the calling thread, or elsewhere. Results do
 * not depend on it.
 */
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { onceEach, requireInteger } from '@shuffle-dp/core';
import { LIMITS } from '../documents/limits.ts';
import { OverdueError, watchCalls } from './call-watch.ts';
import { Alone, performHere } from './calling-thread.ts';
import { argumentsFor } from './node-arguments.ts';
import { started, taskError } from './task-error.ts';

export interface Pool {
  readonly workers: number;
  /**
   * Answers of a task are compared, so that none may depend on how quick a machine is: a task is performed
   * whole.
   */
  readonly wholeTasks: boolean;
  /**
   * The answer of a function that the pool's module exports.
   * @param shortTasks where it is one of so many that end within a second each: the calling thread may
   * perform them, where threads would hardly be loaded sooner; null where the first ones do not tell how long
   * all take
   * @throws TaskError where it ends without one; OverdueError where a call that is watched does not end
   */
  run<Task, Answer>(
    perform: (task: Task) => Answer | Promise<Answer>,
    task: Task,
    shortTasks?: number | null,
  ): Promise<Answer>;
}

/**
 * The seam at which tasks leave this process: what an engine of many machines does in the place of threads.
 */
export interface Executor {
  /**
   * Runs `work` with a pool that ends with it. Tasks and answers cross as JSON of plain data and
   * Float64Arrays.
   *
   * @param module URL of a module of `TASK_MODULES`
   * @param plan hash of what determines the tasks; may be ''
   * @throws what `work` throws, TaskError, and the signal's reason when aborted
   */
  withPool<Result>(
    module: string,
    plan: string,
    signal: AbortSignal | undefined,
    work: (pool: Pool) => Promise<Result>,
  ): Promise<Result>;
}

/** Who performs tasks, and what ends them. */
export interface Workforce {
  /** Threads; 0 runs tasks in the calling one. By default one per core. */
  readonly workers?: number | undefined;
  /** In place of threads of this process. */
  readonly executor?: Executor | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** These of all options. @example workforceOf({ out: 'results', workers: 2 }).workers // 2 */
export function workforceOf({ workers, executor, signal }: Workforce): Workforce {
  return { workers, executor, signal };
}

export interface PoolOptions extends Workforce {
  /**
   * Whether tasks call code that may never end: then there is at least one thread, and the calls it notes are
   * watched.
   */
  readonly watched?: boolean;
  /**
   * Whether the calling thread performs short tasks as long as there are not many of them; default false: the
   * threads do from the first on.
   */
  readonly startsAlone?: boolean;
  /** Hash of what determines all tasks of the pool, for the executor: the same for a run that is resumed. */
  readonly plan?: string;
}

/**
 * As many threads as there is work for, and as cores can use.
 *
 * @param wanted as the user says; by default one per core
 * @param onNotice told where fewer are used than the user wants
 * @throws ParameterError for a number of threads that is none
 */
export function threadsFor(
  wanted: number | undefined,
  tasks: number,
  onNotice: (line: string) => void = () => {},
): number {
  const cores = availableParallelism();
  const useful = Math.min(tasks, LIMITS.threadsPerCore.most * cores);
  if (wanted === undefined) return Math.min(cores, useful);
  requireInteger('workers', wanted, 0);
  if (wanted > useful) {
    const why =
      useful === tasks ? 'as many as there are tasks' : `${LIMITS.threadsPerCore.most} for each core`;
    onNotice(`--workers ${wanted}: ${useful} are used, ${why}`);
  }
  return Math.min(wanted, useful);
}

/**
 * Runs `work` with threads that end with it, or at once when the signal is raised; tasks under way are given
 * up.
 *
 * @param module URL of the module whose exported functions the threads perform
 * @throws what `work` throws, and the signal's reason when aborted
 */
export async function withPool<Result>(
  module: string,
  {
    workers = availableParallelism(),
    signal,
    watched = false,
    startsAlone = false,
    executor,
    plan = '',
  }: PoolOptions,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  if (executor) return await executor.withPool(module, plan, signal, work);
  if (workers === 0 && !watched) return await work(CALLING_THREAD);
  const count = Math.max(1, workers);
  let threads = startsAlone && !watched ? null : openThreads(module, count, watched);
  const opened = (): Threads => (threads ??= openThreads(module, count));
  // By the function that is performed: accounts say nothing of how long trials take.
  const aloneAt = threads ? null : onceEach((_name: string) => new Alone(signal));
  const pool: Pool = {
    workers: count,
    wholeTasks: false,
    run: async <Task, Answer>(
      task: (task: Task) => Answer | Promise<Answer>,
      data: Task,
      shortTasks: number | null = 0,
    ) => {
      const alone = shortTasks === 0 ? undefined : aloneAt?.(task.name);
      if (alone && (threads === null || alone.isBusy)) {
        const own = await alone.answerOf(task, data, shortTasks);
        if (alone.isBusy) opened();
        if (own) return own.answer;
      }
      return (await opened().perform(task.name, data)) as Answer;
    },
  };
  const close = async (): Promise<void> => threads?.close();
  const abort = (): void => void close();
  signal?.addEventListener('abort', abort);
  try {
    return await work(pool);
  } catch (error) {
    // Whatever the pool says when it is closed under its tasks, the reason is the signal's.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    await close();
  }
}

const CALLING_THREAD: Pool = { workers: 0, wholeTasks: false, run: performHere };

/**
 * Megabytes of a thread for what was made last: with Node's own 48, accounts, which make numbers by the
 * hundred million and keep few, take a tenth more processor time.
 */
const YOUNG_MEMORY_MB = 96;

export interface Threads {
  /** Whether they have ended by themselves; a task that fails ends neither them nor other tasks. */
  readonly isBroken: boolean;
  /** The answer of the function that the module exports under this name. @throws as `Pool.run` */
  perform(name: string, task: unknown): Promise<unknown>;
  /** Ends the threads; tasks under way are given up. */
  close(): Promise<void>;
}

/**
 * Threads that stay until they are closed.
 *
 * @param module as of `withPool`
 * @throws TaskError where the system has no room for them
 */
export function openThreads(module: string, workers: number, watched = false): Threads {
  // A thread that fails while it has no task, as one that cannot start, is told here alone.
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    void piscina.destroy();
  };
  const watch = watched ? watchCalls(fail) : null;
  const execArgv = argumentsFor(module);
  const piscina = started(
    () =>
      new Piscina({
        minThreads: workers,
        maxThreads: workers,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEMORY_MB },
        ...(watch ? { workerData: watch.threadData } : {}),
        ...(execArgv.length > 0 ? { execArgv: [...execArgv] } : {}),
      }),
  );
  piscina.on('error', fail);
  return {
    get isBroken() {
      return failure !== undefined;
    },
    perform: async (name, task) => {
      try {
        return (await piscina.run(task, { filename: module, name })) as unknown;
      } catch (error) {
        throw failure instanceof OverdueError ? failure : taskError(failure ?? error);
      }
    },
    close: () => {
      watch?.stop();
      return piscina.destroy();
    },
  };
}

/**
 * Runs `work` on all entries, at most `limit` at a time, starting them in order. The first failure ends it.
 */
export async function forEachConcurrently<Entry>(
  entries: Iterable<Entry>,
  limit: number,
  signal: AbortSignal | undefined,
  work: (entry: Entry) => Promise<void>,
): Promise<void> {
  const iterator = entries[Symbol.iterator]();
  const ending = new AbortController();
  const lane = async (): Promise<void> => {
    try {
      for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
        signal?.throwIfAborted();
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
  signal?.throwIfAborted();
}
