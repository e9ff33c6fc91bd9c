/**
 * The worker's side: takes tasks from a queue, performs them on threads, and sends the answers. It listens
 * nowhere.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { openThreads, TaskError, type Threads } from '@shuffle-dp/experiments/pool';
import { TASK_MODULES } from '@shuffle-dp/experiments/tasks';
import { counted } from '@shuffle-dp/experiments/words';
import { DelayedError, type Queue } from 'bullmq';
import { answerQueueOf, programVersion, taskQueueName } from './coordinator.ts';
import { closeSoon, LOCK_MS, openEngine, type Engine, type Job } from './engine.ts';
import { troubleTeller } from './gone-server.ts';
import { Lobby, ownName, type Entry } from './lobby.ts';
import { decoded, encoded, hashOf, type AnswerMessage, type TaskMessage } from './messages.ts';
import { queueAddress } from './queue-address.ts';

/** Performs a task of a module; in place of threads for tests. */
export type PerformTask = (module: string, perform: string, task: unknown) => Promise<unknown>;

export interface WorkOptions {
  /** Threads that compute. */
  readonly threads: number;
  /** Ends the worker, after the tasks it is at. */
  readonly signal?: AbortSignal;
  readonly onNotice?: (line: string) => void;
  /** Ends the worker after so long without a task. */
  readonly idleMs?: number;
  /** After so long without a sign of life its tasks are another's. */
  readonly lockMs?: number;
  readonly perform?: PerformTask;
  /** What others call it; by default 'host:process'. */
  readonly name?: string;
  /** Of the program, for tests. */
  readonly version?: string;
}

/** A task that another worker is to do is offered again so much later. */
const OFFER_AGAIN_MS = 100;
const TRY_AGAIN_MS = 500;
/** A server that answers takes so long for a connection at most. */
const OPENING_MS = 30_000;
/** A worker that ends waits so long for a server that does not take its answer. */
const LAST_ANSWER_MS = 5000;

/**
 * Takes tasks from a queue until there are none or it is stopped, and gives their number.
 *
 * @returns how many tasks were done
 * @throws QueueError where the queue cannot be reached at first
 */
export async function work(url: string, options: WorkOptions): Promise<number> {
  const { onNotice = () => {}, signal, idleMs = Infinity, lockMs = LOCK_MS, threads } = options;
  const address = queueAddress(url);
  const engine = openEngine(address, troubleTeller(address.shown, onNotice));
  await engine.prepare();
  const worker = new QueueWorker(engine, options);
  const ending = new AbortController();
  const own = openPerformer(threads);
  const opening = endOfOpening(signal, idleMs);
  const open = async () => {
    const lobby = await Lobby.open(engine, opening);
    try {
      const process = (job: Job, token?: string) =>
        worker.process(job, token!, options.perform ?? own.perform, ending.signal);
      // One more than threads: the next task is there when one ends.
      const places = { concurrency: threads + 1, lockMs };
      return {
        lobby,
        consumer: await engine.worker(taskQueueName(worker.version), process, places, opening),
      };
    } catch (error) {
      await closeSoon([lobby]);
      throw error;
    }
  };
  const opened = await open().catch((error: unknown) => {
    if (opening.aborted) return null;
    throw error;
  });
  if (opened === null) {
    onNotice(`worker ${worker.name} ends: it was not connected to ${address.shown}`);
    return 0;
  }
  const { lobby, consumer } = opened;
  onNotice(
    `worker ${worker.name} waits for tasks at ${address.shown}: ${counted(threads, 'thread')}, version ${worker.version}`,
  );
  const kept = lobby.keep(
    () => worker.entry(threads),
    ending.signal,
    async () => {
      const present = await lobby.present();
      worker.greet(present, onNotice);
      await worker.leaveEnded(present);
    },
  );
  await worker.untilIdle(idleMs, signal);
  // Takes no more, and waits for the tasks under way; not for a server that is gone.
  const closing = consumer.close();
  // Its failure is of no consequence, but nobody would hear of it while tasks are waited for.
  closing.catch(() => undefined);
  await worker.untilFree();
  await closeSoon([{ close: () => closing, disconnect: () => consumer.disconnect() }]);
  ending.abort();
  await Promise.all([own.close(), worker.close(), closeSoon([{ close: () => kept }])]);
  await lobby.leave(worker.id);
  await closeSoon([lobby]);
  onNotice(`worker ${worker.name} ends: ${worker.done} tasks done`);
  return worker.done;
}

/** Raised where a worker is stopped that is not connected yet, or would end for want of tasks. */
function endOfOpening(signal: AbortSignal | undefined, idleMs: number): AbortSignal {
  const patience = Math.max(idleMs, OPENING_MS);
  return AbortSignal.any([
    ...(signal ? [signal] : []),
    ...(patience < Infinity ? [AbortSignal.timeout(patience)] : []),
  ]);
}

class QueueWorker {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  done = 0;
  readonly #engine: Engine;
  readonly #doing = new Map<string, TaskMessage>();
  /** Of tasks that are done: since when their answers are on their way. */
  readonly #sendingSince = new Map<string, number>();
  /** By their names; one that is being opened is there already. */
  readonly #answers = new Map<string, Promise<Queue>>();
  readonly #refused = new Set<string>();
  #lastBusy = performance.now();

  constructor(engine: Engine, { version = programVersion(), name = ownName() }: WorkOptions) {
    this.#engine = engine;
    this.version = version;
    this.name = name;
    this.id = `worker-${randomBytes(8).toString('hex')}`;
  }

  entry(threads: number): Entry {
    const { id, name, version, done } = this;
    return {
      kind: 'worker',
      id,
      name,
      version,
      threads,
      doing: [...this.#doing.values()].map(({ label }) => label),
      done,
    };
  }

  /** Milliseconds since it was last at a task. */
  get #idleFor(): number {
    return this.#doing.size > 0 ? 0 : performance.now() - this.#lastBusy;
  }

  /** Until the signal is raised, or nothing was to be done for so long. */
  async untilIdle(idleMs: number, signal?: AbortSignal): Promise<void> {
    const stopped = (): boolean => signal?.aborted ?? false;
    while (!stopped() && this.#idleFor < idleMs)
      // oxlint-disable-next-line no-await-in-loop
      await setTimeout(Math.min(idleMs, 250), undefined, signal ? { signal } : {}).catch(() => undefined);
  }

  /** Until no task is under way, and no answer but those that the server does not take. */
  async untilFree(): Promise<void> {
    const isUnderWay = (job: string): boolean => {
      const since = this.#sendingSince.get(job);
      return since === undefined || performance.now() - since < LAST_ANSWER_MS;
    };
    // oxlint-disable-next-line no-await-in-loop
    while ([...this.#doing.keys()].some(isUnderWay)) await setTimeout(50);
  }

  greet(present: readonly Entry[], onNotice: (line: string) => void): void {
    for (const { kind, id, name, version } of present) {
      if (kind !== 'run' || version === this.version || this.#refused.has(id)) continue;
      this.#refused.add(id);
      onNotice(
        `the run of ${name} is refused: it is of version ${version} of the program, this is ${this.version} (code, Node, or kind of processor)`,
      );
    }
  }

  async process(job: Job, token: string, perform: PerformTask, ending: AbortSignal): Promise<void> {
    const message = job.data as TaskMessage;
    if (message.notBy === this.id) {
      await job.moveToDelayed(Date.now() + OFFER_AGAIN_MS, token);
      throw new DelayedError();
    }
    this.#doing.set(job.id!, message);
    try {
      const { text, isFailure } = await answerTo(message, this.version, perform);
      const { id: by, name } = this;
      const { task, answersTo } = message;
      const answer: AnswerMessage = { task, job: job.id!, by, name, text, isFailure, checksum: hashOf(text) };
      this.#sendingSince.set(job.id!, performance.now());
      await this.#send(answersTo, answer, ending);
      this.done++;
    } finally {
      this.#doing.delete(job.id!);
      this.#sendingSince.delete(job.id!);
      this.#lastBusy = performance.now();
    }
  }

  /** Closes what leads to runs that are no longer there. */
  async leaveEnded(present: readonly Entry[]): Promise<void> {
    const runs = present.filter(({ kind }) => kind === 'run').map(({ id }) => answerQueueOf(id));
    const wanted = new Set([...runs, ...[...this.#doing.values()].map(({ answersTo }) => answersTo)]);
    const ended = [...this.#answers].filter(([name]) => !wanted.has(name));
    for (const [name] of ended) this.#answers.delete(name);
    await closeSoon(await Promise.all(ended.map(([, queue]) => queue)));
  }

  async close(): Promise<void> {
    // One that is being opened at a server that is gone may never be.
    const opened = [...this.#answers.values()].map((queue) => ({
      close: async () => (await queue).close(),
      disconnect: async () => (await queue).disconnect(),
    }));
    await closeSoon(opened);
  }

  /** Tasks that end together open one connection. */
  #answersTo(name: string): Promise<Queue> {
    const opened = this.#answers.get(name) ?? this.#engine.queue(name);
    this.#answers.set(name, opened);
    return opened;
  }

  /** Until it is sent: the server may be gone for a while, or have been made anew. */
  async #send(queueName: string, answer: AnswerMessage, ending: AbortSignal): Promise<void> {
    for (;;) {
      /* oxlint-disable no-await-in-loop */
      try {
        const queue = await this.#answersTo(queueName);
        await queue.add('answer', answer);
        return;
      } catch (error) {
        if (ending.aborted) throw error;
        await setTimeout(TRY_AGAIN_MS);
        await this.#engine.prepare().catch(() => undefined);
      }
      /* oxlint-enable no-await-in-loop */
    }
  }
}

/** What is performed is in the list of tasks; everything else is answered by a failure. */
async function answerTo(
  { version, module, perform: name, text }: TaskMessage,
  own: string,
  perform: PerformTask,
): Promise<{ readonly text: string; readonly isFailure: boolean }> {
  try {
    const known = Object.hasOwn(TASK_MODULES, module) && Object.hasOwn(TASK_MODULES[module]!.tasks, name);
    if (!known || version !== own) throw new TaskError(`version ${own} of the program has no such task`);
    const task = decoded(text);
    if (namesOwnModule(task)) throw new TaskError('a module of a user is not taken from a queue');
    return { text: encoded(await perform(module, name, task)), isFailure: false };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isFailure: true };
  }
}

/** Whoever may write to the server is not to run modules of their own here. */
function namesOwnModule(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (value as { kind?: unknown }).kind === 'own-randomizer' || Object.values(value).some(namesOwnModule);
}

/** Threads for each module, from its first task on; anew where a failure has ended them. */
function openPerformer(threads: number): { readonly perform: PerformTask; close(): Promise<void> } {
  const open = new Map<string, Threads>();
  return {
    perform: async (module, name, task) => {
      let own = open.get(module);
      if (!own) open.set(module, (own = openThreads(TASK_MODULES[module]!.url, threads)));
      try {
        return await own.perform(name, task);
      } catch (error) {
        if (own.isBroken && open.get(module) === own) open.delete(module);
        throw error;
      }
    },
    close: async () => void (await Promise.all([...open.values()].map((each) => each.close()))),
  };
}
