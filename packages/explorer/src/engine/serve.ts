/** The worker's half of an engine: performs what is asked, one request after the other. */
import { errorCode, ParameterError } from '@shuffle-dp/core';
import type { EngineContract, EngineFunctions, EngineReply, EngineRequest, Refusal } from './messages.ts';

interface WorkerScope {
  postMessage(reply: EngineReply): void;
  addEventListener(kind: 'message', listener: (event: { readonly data: EngineRequest }) => void): void;
}

/**
 * Called once, at the top of an engine's module. Of requests that come while one is in work only the newest
 * is kept, and it takes the place of the one in work as soon as that has given an answer.
 */
export function serve<Contract extends EngineContract>(functions: EngineFunctions<Contract>): void {
  const scope = globalThis as unknown as WorkerScope;
  let next: EngineRequest | undefined;
  let isWorking = false;
  const perform = async ({ id, name, given }: EngineRequest): Promise<void> => {
    try {
      for (const answer of functions[name]!(given)) {
        scope.postMessage({ id, kind: 'answer', answer });
        // oxlint-disable-next-line no-await-in-loop -- one after the other is what is wanted
        await newerMessages();
        if (next !== undefined) break;
      }
      scope.postMessage({ id, kind: 'end' });
    } catch (error) {
      scope.postMessage({ id, kind: 'refusal', refusal: refusalOf(error) });
    }
  };
  const work = async (): Promise<void> => {
    isWorking = true;
    while (next !== undefined) {
      const request = next;
      next = undefined;
      // oxlint-disable-next-line no-await-in-loop -- likewise
      await perform(request);
    }
    isWorking = false;
  };
  scope.addEventListener('message', ({ data }) => {
    if (next !== undefined) scope.postMessage({ id: next.id, kind: 'end' });
    next = data;
    if (!isWorking) void work();
  });
}

/** Lets messages in that arrived meanwhile. Timers would wait longer. */
function newerMessages(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}

export function refusalOf(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  // An error without a code is a fault of the program, which should not look like one of the user's.
  const text = errorCode(error) === undefined ? `this is a fault of the program: ${message}` : message;
  return error instanceof ParameterError ? { message: text, parameter: error.parameter } : { message: text };
}
