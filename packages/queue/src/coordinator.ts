/** The coordinator's side: a pool whose tasks are performed by workers that take them from a queue. */
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openThreads, TaskError, type Executor, type Pool, type Threads } from '@shuffle-dp/experiments/pool';
import { codeDigest } from '@shuffle-dp/experiments/run-folder';
import { TASK_MODULES, type TaskModule } from '@shuffle-dp/experiments/tasks';
import type { Queue } from 'bullmq';
import { closeSoon, LOCK_MS, openEngine, type Engine } from './engine.ts';
import { troubleTeller, untilPrepared } from './gone-server.ts';
import { GONE_MS, Lobby, ownName, type Entry } from './lobby.ts';
import { encoded, hashOf, type AnswerMessage, type TaskMessage } from './messages.ts';
import { QueueError, queueAddress } from './queue-address.ts';
import { progressLine, WorkerWatch } from './worker-watch.ts';
import { TaskBoard, type AskedTask } from './task-board.ts';

export interface CoordinatorOptions {
  /** Something that the user should know and that stops nothing, as one line. */
  readonly onNotice?: (line: string) => void;
}

/** Tasks that callers keep asking for at a time: the board asks workers for as many as they can use. */
const LANES = 256;
const LOOK_MS = 1000;
const LINE_EVERY_MS = 30_000;

/** Queues of one version of the program: others neither see nor answer its tasks. */
export function taskQueueName(version: string): string {
  return `tasks-${version}`;
}

/** First digits of the hash of the code that computes and of the code that asks for it. */
export function programVersion(): string {
  return hashOf(codeDigest(), codeDigest(dirname(fileURLToPath(import.meta.url)))).slice(0, 16);
}

/**
 * An executor whose tasks are performed by `shuffle-dp work` with the same queue, on any number of machines.
 *
 * @param url redis://…, rediss://… or postgres://…
 * @throws QueueError for a URL that is none, or where nothing answers; a server that goes away later is
 * waited for
 */
export async function queueExecutor(
  url: string,
  { onNotice = () => {} }: CoordinatorOptions = {},
): Promise<Executor> {
  const address = queueAddress(url);
  const version = programVersion();
  const tell = troubleTeller(address.shown, onNotice);
  const open = (): Engine => openEngine(address, tell);
  await open().prepare();
  return {
    async withPool(module, plan, signal, work) {
      signal?.throwIfAborted();
      const engine = open();
      await untilPrepared(engine, tell, signal);
      const around = { engine, version, module: taskModule(module), onNotice };
      const run = await CoordinatedRun.open(around, plan, signal);
      const abort = (): void => run.board.fail(signal!.reason);
      try {
        await run.begin(signal);
        signal?.addEventListener('abort', abort);
        signal?.throwIfAborted();
        return await work(run.pool);
      } finally {
        signal?.removeEventListener('abort', abort);
        await run.end();
      }
    },
  };
}

function taskModule(url: string): TaskModule & { readonly name: string } {
  const known = Object.entries(TASK_MODULES).find(([, module]) => module.url === url);
  if (!known) throw new TaskError(`${url}: is no module whose tasks a queue takes`);
  return { name: known[0], ...known[1] };
}

function answerQueueName(run: string): string {
  return `answers-${run}`;
}

function runEntryId(run: string): string {
  return `run-${run}`;
}

/** Where the answers to a run go, by the name of its entry in the lobby. */
export function answerQueueOf(entryId: string): string {
  return answerQueueName(entryId.slice(runEntryId('').length));
}

interface RunSurroundings {
  readonly engine: Engine;
  readonly version: string;
  readonly module: TaskModule & { readonly name: string };
  readonly onNotice: (line: string) => void;
}

interface RunQueues {
  readonly tasks: Queue;
  readonly answers: Queue;
  readonly lobby: Lobby;
}

class CoordinatedRun {
  readonly pool: Pool;
  readonly board: TaskBoard;
  readonly #engine: Engine;
  readonly #version: string;
  readonly #run: string;
  readonly #module: TaskModule & { readonly name: string };
  readonly #onNotice: (line: string) => void;
  readonly #tasks: Queue;
  readonly #answers: Queue;
  readonly #lobby: Lobby;
  readonly #workers: WorkerWatch;
  readonly #ending = new AbortController();
  readonly #began = performance.now();
  #receiver: { close(): Promise<void> } | null = null;
  #threads: Threads | null = null;
  #loops: Promise<unknown> = Promise.resolve();
  #line = performance.now();

  private constructor(around: RunSurroundings, run: string, queues: RunQueues) {
    const { engine, version, module, onNotice } = around;
    this.#engine = engine;
    this.#version = version;
    this.#module = module;
    this.#onNotice = onNotice;
    this.#run = run;
    this.#tasks = queues.tasks;
    this.#answers = queues.answers;
    this.#lobby = queues.lobby;
    this.#workers = new WorkerWatch(version, engine.shown, onNotice);
    this.board = new TaskBoard({
      ask: (task, job, notBy) => this.#ask(task, job, notBy),
      missing: (jobs) => this.#missing(jobs),
      takeBack: (jobs) => {
        for (const job of jobs) this.#tasks.remove(job).catch(() => undefined);
      },
      performHere: async ({ perform, task }) => {
        this.#threads ??= openThreads(module.url, 1);
        return encoded(await this.#threads.perform(perform, task));
      },
      workers: () => this.#workers.threads,
      onNotice,
    });
    this.pool = {
      workers: LANES,
      wholeTasks: true,
      run: async <Task, Answer>(perform: (task: Task) => Answer | Promise<Answer>, task: Task) =>
        (await this.board.perform(this.#asked(perform.name, task))) as Answer,
    };
  }

  static async open(
    around: RunSurroundings,
    plan: string,
    signal: AbortSignal | undefined,
  ): Promise<CoordinatedRun> {
    const { engine, version, module } = around;
    // A run that is resumed has the name that it had, and with it the answers that came meanwhile.
    const run = hashOf(version, module.name, plan || randomBytes(16).toString('hex')).slice(0, 32);
    const opening = [
      engine.queue(taskQueueName(version), signal),
      engine.queue(answerQueueName(run), signal),
      Lobby.open(engine, signal),
    ] as const;
    try {
      const [tasks, answers, lobby] = await Promise.all(opening);
      return new CoordinatedRun(around, run, { tasks, answers, lobby });
    } catch (error) {
      const ended = await Promise.allSettled(opening);
      await closeSoon(ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
      throw error;
    }
  }

  /** @throws QueueError where this plan is run already; the signal's reason where it is raised meanwhile */
  async begin(signal: AbortSignal | undefined): Promise<void> {
    const own = this.#entry();
    const before = (await this.#lobby.present()).find(({ id }) => id === own.id);
    const other = before && (await this.#stays(own.id, signal)) ? before : await this.#lobby.enter(own);
    if (other)
      throw new QueueError(
        `${this.#engine.shown}: ${other.name} coordinates this very run: wait for it, or stop it`,
      );
    this.#receiver = await this.#engine.worker(
      answerQueueName(this.#run),
      // oxlint-disable-next-line typescript/require-await
      async (job) => this.board.receive(job.data as AnswerMessage),
      { concurrency: 1, lockMs: LOCK_MS },
      signal,
    );
    this.#loops = Promise.all([
      this.#lobby.keep(
        () => this.#entry(),
        this.#ending.signal,
        async () => this.#greet(await this.#lobby.present()),
      ),
      this.#look(),
    ]);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    this.board.fail(new TaskError('the run is over'));
    await this.#threads?.close();
    // Of one that was refused: what is there is another's.
    if (!this.#receiver) {
      await closeSoon([this.#tasks, this.#answers, this.#lobby]);
      return;
    }
    if (await closeSoon([this.#receiver])) {
      await closeSoon([{ close: () => this.#answers.obliterate({ force: true }) }]);
      await this.#lobby.leave(runEntryId(this.#run));
    }
    const loops = { close: async () => void (await this.#loops) };
    await closeSoon([this.#tasks, this.#answers, this.#lobby, loops]);
    const done = progressLine(this.board.answered);
    if (done !== '') this.#onNotice(`done: ${done}`);
  }

  #entry(): Entry {
    const none = { threads: 0, doing: [], done: 0 };
    return { kind: 'run', id: runEntryId(this.#run), name: ownName(), version: this.#version, ...none };
  }

  /** Whether the entry still changes: that of a coordinator that was killed does not. */
  async #stays(id: string, signal: AbortSignal | undefined): Promise<boolean> {
    await setTimeout(GONE_MS + LOOK_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
    signal?.throwIfAborted();
    return (await this.#lobby.present()).some((entry) => entry.id === id);
  }

  #asked(perform: string, task: unknown): AskedTask {
    const { name, tasks } = this.#module;
    const text = encoded(task);
    // The one of this name takes tasks of this kind.
    const label = tasks[perform]!(task as never);
    return {
      id: hashOf(this.#version, this.#run, name, perform, text).slice(0, 32),
      perform,
      task,
      text,
      label,
    };
  }

  #ask({ id, perform, text, label }: AskedTask, job: string, notBy: string | undefined): void {
    const message: TaskMessage = {
      version: this.#version,
      task: id,
      module: this.#module.name,
      perform,
      text,
      label,
      answersTo: answerQueueName(this.#run),
      ...(notBy === undefined ? {} : { notBy }),
    };
    // Where the server is gone the board finds that the job is missing.
    this.#tasks.add('task', message, { jobId: job }).catch(() => undefined);
  }

  async #missing(jobs: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await Promise.all(jobs.map((job) => this.#tasks.getJob(job)));
    return new Set(jobs.filter((_, i) => !found[i]));
  }

  async #look(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      // One look after another.
      /* oxlint-disable no-await-in-loop */
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => undefined);
      await this.board.look().catch(() => undefined);
      /* oxlint-enable no-await-in-loop */
    }
  }

  #greet(present: readonly Entry[]): void {
    this.#workers.see(present, performance.now() - this.#began);
    if (performance.now() - this.#line < LINE_EVERY_MS) return;
    this.#line = performance.now();
    this.#onNotice(this.#workers.line(this.board.answered));
  }
}
