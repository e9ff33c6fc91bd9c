/** Tasks in the calling thread, which is there already: threads take half a second to load, each. */
import { setImmediate } from 'node:timers/promises';
import { taskError } from './task-error.ts';
import { Turns } from './turns.ts';

/** The answer of a task. @throws TaskError where it ends without one */
export async function performHere<Task, Answer>(
  perform: (task: Task) => Answer | Promise<Answer>,
  task: Task,
): Promise<Answer> {
  // Lets signals and progress through between tasks.
  await setImmediate();
  try {
    return await perform(task);
  } catch (error) {
    throw taskError(error);
  }
}

/** The calling thread's part of short tasks, one after the other: all of them, where they are done soon. */
export class Alone {
  readonly #signal: AbortSignal | undefined;
  readonly #turns = new Turns();
  #done = 0;
  #spentMs = 0;
  /** When it was told that there is more. */
  #busyAfterMs = Infinity;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether threads are to load, while this one goes on. */
  get isBusy(): boolean {
    return this.#busyAfterMs < Infinity;
  }

  /**
   * Null where threads are to perform it.
   * @param tasks in all; null where the first ones do not tell how long the others take
   */
  answerOf<Task, Answer>(
    perform: (task: Task) => Answer | Promise<Answer>,
    task: Task,
    tasks: number | null,
  ): Promise<{ readonly answer: Answer } | null> {
    return this.#turns.take(async () => {
      this.#signal?.throwIfAborted();
      if (this.#spentMs > this.#busyAfterMs + LOADING_MS) return null;
      const begin = performance.now();
      const answer = await performHere(perform, task);
      this.#spentMs += performance.now() - begin;
      this.#done++;
      const wholeMs = tasks === null ? this.#spentMs : (this.#spentMs * tasks) / this.#done;
      if (!this.isBusy && this.#spentMs > TELLING_MS && wholeMs > SOON_MS) this.#busyAfterMs = this.#spentMs;
      return { answer };
    });
  }
}

/** How long tasks take until they tell what all will, what is soon, and how long threads load. */
const [TELLING_MS, SOON_MS, LOADING_MS] = [200, 2500, 600];
