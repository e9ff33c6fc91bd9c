/** An answer that sharpens, as signals: for pages that ask one long question at a time. */
import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { lane } from './lane.ts';
import type { EngineName } from './engine-source.ts';
import { isRefusal, type EngineContract, type Refusal } from './messages.ts';

/** How long a slider rests before the work begins. */
const REST = 200;

export interface Sharpening<Given, Answer> {
  /** The last one, also while the next is computed. */
  readonly answer: ReadonlySignal<{
    readonly given: Given;
    readonly answer: Answer;
    readonly isWhole: boolean;
  } | null>;
  readonly refusal: ReadonlySignal<Refusal | null>;
  /** Seconds since the present question was asked; null when all is answered. */
  readonly seconds: ReadonlySignal<number | null>;
  /** Asks, unless the same is asked already. */
  ask(given: Given): void;
}

export function sharpening<Contract extends EngineContract, Name extends string & keyof Contract>(
  engine: EngineName,
  name: Name,
): Sharpening<Contract[Name]['given'], Contract[Name]['answer']> {
  type Given = Contract[Name]['given'];
  const worker = lane<Contract>(engine, 'stop');
  const answer = signal<{ given: Given; answer: Contract[Name]['answer']; isWhole: boolean } | null>(null);
  const refusal = signal<Refusal | null>(null);
  const seconds = signal<number | null>(null);
  let asked = '';
  let rest: ReturnType<typeof setTimeout> | undefined;
  let clock: ReturnType<typeof setInterval> | undefined;
  const end = (): void => {
    clearTimeout(rest);
    clearInterval(clock);
    seconds.value = null;
  };
  const start = (given: Given): void => {
    const began = performance.now();
    clock = setInterval(() => (seconds.value = Math.round((performance.now() - began) / 1000)), 1000);
    worker.ask(name, given, {
      answer: (sharper) => {
        refusal.value = null;
        answer.value = { given, answer: sharper, isWhole: false };
      },
      refusal: (reason) => (refusal.value = reason),
      end: () => {
        end();
        if (refusal.value === null && answer.value !== null)
          answer.value = { ...answer.value, isWhole: true };
      },
    });
  };
  return {
    answer,
    refusal,
    seconds,
    ask: (given) => {
      const key = JSON.stringify(given);
      if (key === asked) return;
      asked = key;
      worker.cancel();
      end();
      seconds.value = 0;
      rest = setTimeout(() => start(given), REST);
    },
  };
}

/** Whether an answer is of another question than the present one, whose own is still to come. */
export function isFormer(given: object, question: object | null): boolean {
  return JSON.stringify(given) !== JSON.stringify(question);
}

/**
 * Asks the question of a page when it becomes another one, unless the page refuses it.
 *
 * @returns what stands in place of an answer: the page's refusal, or the engine's
 */
export function useQuestion<Given extends object>(
  asked: Pick<Sharpening<Given, unknown>, 'ask' | 'refusal'>,
  question: Given | Refusal,
): Refusal | null {
  const key = JSON.stringify(question);
  useEffect(() => {
    if (!isRefusal(question)) asked.ask(question);
  }, [key]);
  return isRefusal(question) ? question : asked.refusal.value;
}
