/**
 * The tasks of one run, from asked for to settled. Every answer is checked against its checksum, some are
 * asked for twice, and two answers of one task must be the same bytes. What the engine loses is asked for
 * again: only what is settled here counts.
 */
import { TaskError } from '@shuffle-dp/experiments/pool';
import { disagreement, refusalIn } from './disagreement.ts';
import { contentHash, decoded, hashOf, type AnswerMessage } from './messages.ts';

/** What the board needs of the world. */
export interface Surroundings {
  /** Asks workers for a task, by any but `notBy`. Never fails: a job that is not there is asked for again. */
  ask(task: AskedTask, job: string, notBy: string | undefined): void;
  /** Of these jobs those that the queue does not hold. */
  missing(jobs: readonly string[]): Promise<ReadonlySet<string>>;
  /** Takes back what need not be answered any more. */
  takeBack(jobs: readonly string[]): void;
  /** The answer of this process itself. */
  performHere(task: AskedTask): Promise<string>;
  /** Workers that are there, by id, with their threads. */
  workers(): ReadonlyMap<string, number>;
  onNotice(line: string): void;
}

export interface AskedTask {
  /** Hash of everything that determines the answer. */
  readonly id: string;
  readonly perform: string;
  readonly task: unknown;
  readonly text: string;
  readonly label: string;
}

interface Answer {
  readonly by: string;
  readonly name: string;
  readonly text: string;
  readonly content: string;
}

interface Pending extends AskedTask {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Jobs that ask for it, by id: when they were last seen, and how often in a row they were not. */
  readonly jobs: Map<string, { at: number; missed: number }>;
  asked: number;
  failures: number;
  answer: Answer | null;
  /** Null: the answer settles it, once its worker is trusted. */
  confirmation: 'by another' | 'here' | null;
}

/** One task in so many is asked for twice. So is each worker's first one, and what a worker refuses. */
const CONFIRMED_SHARE = 50;
/** A task that fails so often fails the run: once may be the machine's fault. */
const MOST_FAILURES = 3;
/**
 * Tasks asked for at a time: enough for every thread to have a next one, and few enough to be near one
 * another.
 */
const PER_THREAD = 2;
const LEAST_ASKED = 8;
/** Answers of an earlier coordinator of the same run that are kept until they are asked for. */
const MOST_EARLY = 10_000;
/** A job that was just asked for may be on its way. */
const ON_ITS_WAY_MS = 1500;

export class TaskBoard {
  readonly #around: Surroundings;
  readonly #waiting: Pending[] = [];
  readonly #open = new Map<string, Pending>();
  readonly #early = new Map<string, AnswerMessage>();
  readonly #settled = new Map<string, Omit<Answer, 'text'> & Pick<Pending, 'asked'>>();
  /** What is asked for and not settled. */
  readonly #promised = new Map<string, Promise<unknown>>();
  /** Workers one of whose answers was confirmed. */
  readonly #trusted = new Set<string>();
  /** By worker: tasks that are settled when it is trusted. */
  readonly #held = new Map<string, Pending[]>();
  readonly #answered = new Map<string, number>();
  #failure: { readonly error: unknown } | null = null;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** How many tasks were settled by each worker, by its name. */
  get answered(): ReadonlyMap<string, number> {
    return this.#answered;
  }

  /**
   * @returns the answer, one for all who ask for the same task at a time
   * @throws TaskError, DisagreementError, and what `fail` was given
   */
  perform(task: AskedTask): Promise<unknown> {
    const known = this.#promised.get(task.id);
    if (known) return known;
    const promised = this.#begin(task);
    this.#promised.set(task.id, promised);
    const forget = (): boolean => this.#promised.delete(task.id);
    promised.then(forget, forget);
    return promised;
  }

  #begin(task: AskedTask): Promise<unknown> {
    // A task that was settled before is asked for by new jobs: its answer is not kept.
    const asked = this.#settled.get(task.id)?.asked ?? 0;
    this.#settled.delete(task.id);
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure.error);
      const fields = { jobs: new Map(), asked, failures: 0, answer: null, confirmation: null };
      const pending: Pending = { ...task, ...fields, resolve, reject };
      const early = this.#early.get(task.id);
      this.#early.delete(task.id);
      if (early) {
        this.#open.set(task.id, pending);
        this.receive(early);
      } else {
        this.#waiting.push(pending);
        this.#askForMore();
      }
    });
  }

  /** Ends all tasks, also those to come. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    const open = [...this.#open.values(), ...this.#waiting.splice(0)];
    this.#open.clear();
    this.#around.takeBack(open.flatMap(({ jobs }) => [...jobs.keys()]));
    for (const { reject } of open) reject(this.#failure.error);
  }

  receive(message: AnswerMessage): void {
    const pending = this.#open.get(message.task);
    pending?.jobs.delete(message.job);
    if (hashOf(message.text) !== message.checksum) {
      this.#around.onNotice(`${message.name}: its answer was damaged on the way, and is asked for again`);
      if (pending) this.#countFailure(pending, `an answer of ${message.name} arrives damaged`);
      return;
    }
    const settled = this.#settled.get(message.task);
    if (settled) {
      if (!message.isFailure && settled.content !== contentHash(message.text))
        this.fail(disagreement(message.name, settled.name, 'a task', ''));
      return;
    }
    if (!pending) {
      if (this.#early.size < MOST_EARLY) this.#early.set(message.task, message);
      return;
    }
    if (message.isFailure) return this.#countFailure(pending, `${message.text} (on ${message.name})`);
    const { by, name, text } = message;
    this.#compare(pending, { by, name, text, content: contentHash(text) });
    this.#askForMore();
  }

  /** Asks again for what the queue has lost, and confirms here what nobody else is there to confirm. */
  async look(): Promise<void> {
    this.#askForMore();
    const now = performance.now();
    const due = [...this.#open.values()].flatMap((pending) =>
      [...pending.jobs].filter(([, { at }]) => now - at > ON_ITS_WAY_MS).map(([job]) => ({ pending, job })),
    );
    const missing = due.length === 0 ? new Set() : await this.#around.missing(due.map(({ job }) => job));
    for (const { pending, job } of due) {
      const state = pending.jobs.get(job);
      if (!state || !this.#open.has(pending.id)) continue;
      state.missed = missing.has(job) ? state.missed + 1 : 0;
      // Once may be that it is done, and its answer under way.
      if (state.missed < 2) continue;
      pending.jobs.set(job, { at: performance.now(), missed: 0 });
      this.#around.ask(pending, job, pending.answer?.by);
    }
    for (const pending of this.#open.values())
      if (pending.confirmation === 'by another' && !this.#othersThan(pending.answer!.by))
        this.#confirmHere(pending);
  }

  #askForMore(): void {
    const threads = [...this.#around.workers().values()].reduce((sum, each) => sum + each, 0);
    const most = Math.max(LEAST_ASKED, PER_THREAD * threads);
    let asked = [...this.#open.values()].filter(({ answer }) => answer === null).length;
    for (; asked < most && this.#waiting.length > 0; asked++) {
      const pending = this.#waiting.shift()!;
      this.#open.set(pending.id, pending);
      this.#ask(pending);
    }
  }

  #ask(pending: Pending, notBy?: string): void {
    const job = pending.asked === 0 ? pending.id : `${pending.id}-${pending.asked}`;
    pending.asked++;
    pending.jobs.set(job, { at: performance.now(), missed: 0 });
    this.#around.ask(pending, job, notBy);
  }

  #countFailure(pending: Pending, reason: string): void {
    pending.failures++;
    if (pending.failures < MOST_FAILURES) return this.#ask(pending, pending.answer?.by);
    this.fail(new TaskError(reason));
  }

  #compare(pending: Pending, answer: Answer): void {
    const first = pending.answer;
    if (first && first.content !== answer.content) return void this.#arbitrate(pending, first, answer);
    // The same worker says nothing new: its memory may be what is wrong.
    if (first?.by === answer.by) return;
    if (first) {
      this.#trust(answer.by);
      return this.#confirmed(pending);
    }
    pending.answer = answer;
    const held = this.#held.get(answer.by);
    const isChosen = Number.parseInt(pending.id.slice(0, 8), 16) % CONFIRMED_SHARE === 0;
    const isRefusal = answer.text.startsWith('{"refused":');
    const isFirst = !this.#trusted.has(answer.by) && !held;
    if (isFirst) this.#held.set(answer.by, []);
    if (!isChosen && !isRefusal && !isFirst) return held ? void held.push(pending) : this.#settle(pending);
    if (!this.#othersThan(answer.by)) return this.#confirmHere(pending);
    pending.confirmation = 'by another';
    this.#ask(pending, answer.by);
  }

  #othersThan(worker: string): boolean {
    const workers = this.#around.workers();
    return workers.size > (workers.has(worker) ? 1 : 0);
  }

  #confirmHere(pending: Pending): void {
    pending.confirmation = 'here';
    void this.#compareWithOwn(pending, pending.answer!);
  }

  async #compareWithOwn(pending: Pending, { name, content, text }: Answer): Promise<void> {
    try {
      const own = contentHash(await this.#around.performHere(pending));
      if (own === content) this.#confirmed(pending);
      else this.fail(disagreement(name, 'this machine', pending.label, refusalIn(text)));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Two workers disagree: this machine says which of them it agrees with. */
  async #arbitrate(pending: Pending, one: Answer, other: Answer): Promise<void> {
    if (one.by === other.by)
      return this.fail(disagreement(one.name, 'itself', pending.label, refusalIn(one.text)));
    try {
      const own = contentHash(await this.#around.performHere(pending));
      const [wrong, right] = own === one.content ? [other, one] : [one, other];
      const verdict =
        own === right.content
          ? `this machine agrees with ${right.name}`
          : 'this machine agrees with neither of them';
      this.fail(disagreement(wrong.name, right.name, pending.label, refusalIn(wrong.text), verdict));
    } catch (error) {
      this.fail(error);
    }
  }

  #confirmed(pending: Pending): void {
    this.#trust(pending.answer!.by);
    this.#settle(pending);
  }

  #trust(worker: string): void {
    this.#trusted.add(worker);
    const held = this.#held.get(worker) ?? [];
    this.#held.delete(worker);
    for (const pending of held) this.#settle(pending);
  }

  #settle(pending: Pending): void {
    if (!this.#open.delete(pending.id)) return;
    const { text, ...kept } = pending.answer!;
    this.#settled.set(pending.id, { ...kept, asked: pending.asked });
    this.#answered.set(kept.name, 1 + (this.#answered.get(kept.name) ?? 0));
    this.#around.takeBack([...pending.jobs.keys()]);
    pending.resolve(decoded(text));
    this.#askForMore();
  }
}
