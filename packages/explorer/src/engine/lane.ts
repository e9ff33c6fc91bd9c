/** A worker that answers the newest question. */
import { engineAddress, type EngineName } from './engine-source.ts';
import type { EngineContract, EngineReply, EngineRequest, Refusal } from './messages.ts';

/**
 * What becomes of a question in work when another is asked. 'finish': it gives the answer that it is at, and
 * of those that wait only the newest is kept, for questions of milliseconds. 'stop': its worker is ended.
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
  /** With 'stop' ends what is asked, unanswered; without effect with 'finish'. */
  cancel(): void;
}

/**
 * @param engine where a function says it, that of a question: one asked of another engine ends the work of
 * the last.
 */
export function lane<Contract extends EngineContract>(
  engine: EngineName | ((given: Contract[keyof Contract]['given']) => EngineName),
  whenBusy: WhenBusy,
): Lane<Contract> {
  let worker: Worker | undefined;
  let working: EngineName | undefined;
  /** Of the questions that are not answered to the end, by their numbers. */
  const listeners = new Map<number, Listener<unknown>>();
  let ids = 0;

  const hear = ({ data }: MessageEvent<EngineReply>): void => {
    const listener = listeners.get(data.id);
    if (listener === undefined) return;
    if (data.kind === 'answer') return listener.answer(data.answer);
    listeners.delete(data.id);
    if (data.kind === 'refusal') listener.refusal?.(data.refusal);
    listener.end?.();
  };
  /** Ends the worker, and all questions but the newest. */
  const leave = (newest: number): void => {
    worker?.terminate();
    worker = undefined;
    for (const id of listeners.keys())
      if (id < newest) hear(new MessageEvent('message', { data: { id, kind: 'end' } }));
  };
  const refuse = (id: number, message: string): void =>
    hear(new MessageEvent('message', { data: { id, kind: 'refusal', refusal: { message } } }));
  const fail = (message: string): void => {
    worker?.terminate();
    worker = undefined;
    for (const id of listeners.keys()) refuse(id, message);
  };
  const post = async (request: EngineRequest): Promise<void> => {
    try {
      const name = typeof engine === 'function' ? engine(request.given) : engine;
      const address = await engineAddress(name);
      if (!listeners.has(request.id)) return;
      if (name !== working) leave(request.id);
      working = name;
      worker ??= newWorker(address, hear, fail);
      worker.postMessage(request);
    } catch (error) {
      refuse(request.id, error instanceof Error ? error.message : String(error));
    }
  };
  const cancel = (): void => {
    if (whenBusy === 'finish' || listeners.size === 0) return;
    listeners.clear();
    worker?.terminate();
    worker = undefined;
  };
  return {
    cancel,
    ask: (name, given, listener) => {
      cancel();
      const request = { id: ids++, name, given };
      listeners.set(request.id, listener as Listener<unknown>);
      void post(request);
    },
  };
}

/** @param fail is told why a worker has ended by itself, such as for want of memory */
function newWorker(
  address: string,
  hear: (event: MessageEvent<EngineReply>) => void,
  fail: (message: string) => void,
): Worker {
  const worker = new Worker(address);
  worker.addEventListener('message', hear as (event: Event) => void);
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    fail(event.message || 'the computation has failed');
  });
  return worker;
}
