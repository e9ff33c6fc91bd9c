/** A worker that answers the newest question. */
import { engineAddress, type EngineName } from './engine-source.ts';
import type { EngineContract, EngineReply, EngineRequest, Refusal } from './messages.ts';

/**
 * What becomes of a question in work when another is asked. 'finish': it is answered first, and of those that wait only the newest
 * is kept, for questions of milliseconds. 'stop': its worker is ended.
 */
export type WhenBusy = 'finish' | 'stop';

export interface Listener<Answer> {
  answer(answer: Answer): void;
  refusal?(refusal: Refusal): void;
  /** All answers were given, or a refusal. */
  end?(): void;
}

export interface Lane<Contract extends EngineContract> {
  ask<Name extends string & keyof Contract>(
    name: Name,
    given: Contract[Name]['given'],
    listener: Listener<Contract[Name]['answer']>,
  ): void;
  /** Forgets what is asked; with 'stop' also ends it. */
  cancel(): void;
}

interface Question {
  readonly request: EngineRequest;
  readonly listener: Listener<unknown>;
}

export function lane<Contract extends EngineContract>(
  engine: EngineName,
  whenBusy: WhenBusy,
): Lane<Contract> {
  let worker: Worker | undefined;
  let asked: Question | undefined;
  let waiting: Question | undefined;
  let ids = 0;

  const hear = ({ data }: MessageEvent<EngineReply>): void => {
    if (asked === undefined || data.id !== asked.request.id) return;
    const { listener } = asked;
    if (data.kind === 'answer') return listener.answer(data.answer);
    asked = undefined;
    const next = waiting;
    waiting = undefined;
    // The next is under way before anything is drawn.
    if (next !== undefined) start(next);
    if (data.kind === 'refusal') listener.refusal?.(data.refusal);
    listener.end?.();
  };
  const start = (question: Question): void => {
    asked = question;
    if (worker !== undefined) return worker.postMessage(question.request);
    void begin(question);
  };
  const begin = async (question: Question): Promise<void> => {
    const address = await engineAddress(engine).catch((error: unknown) => refusalOf(error));
    if (asked !== question) return;
    if (typeof address === 'string') {
      worker ??= newWorker(address, hear);
      worker.postMessage(question.request);
      return;
    }
    asked = undefined;
    question.listener.refusal?.(address);
    question.listener.end?.();
  };
  const cancel = (): void => {
    waiting = undefined;
    if (asked === undefined || whenBusy === 'finish') return;
    worker?.terminate();
    worker = undefined;
    asked = undefined;
  };
  return {
    cancel,
    ask: (name, given, listener) => {
      const question = { request: { id: ids++, name, given }, listener: listener as Listener<unknown> };
      cancel();
      if (asked === undefined) start(question);
      else waiting = question;
    },
  };
}

function newWorker(address: string, hear: (event: MessageEvent<EngineReply>) => void): Worker {
  const worker = new Worker(address);
  worker.addEventListener('message', hear as (event: Event) => void);
  return worker;
}

function refusalOf(error: unknown): Refusal {
  return { message: error instanceof Error ? error.message : String(error) };
}
