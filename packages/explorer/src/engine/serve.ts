/** The worker's half of an engine: performs what is asked, one request after the other. */
import { errorCode, ParameterError } from '@shuffle-dp/core';
import type { EngineContract, EngineFunctions, EngineReply, EngineRequest, Refusal } from './messages.ts';

interface WorkerScope {
  postMessage(reply: EngineReply): void;
  addEventListener(kind: 'message', listener: (event: { readonly data: EngineRequest }) => void): void;
}

/** Called once, at the top of an engine's module. */
export function serve<Contract extends EngineContract>(functions: EngineFunctions<Contract>): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.addEventListener('message', ({ data: { id, name, given } }) => {
    try {
      for (const answer of functions[name]!(given)) scope.postMessage({ id, kind: 'answer', answer });
      scope.postMessage({ id, kind: 'end' });
    } catch (error) {
      scope.postMessage({ id, kind: 'refusal', refusal: refusalOf(error) });
    }
  });
}

export function refusalOf(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error);
  // An error without a code is a fault of the program, which should not look like one of the user's.
  const text =
    errorCode(error) === undefined && !isNamed(error)
      ? `this is a fault of the program: ${message}`
      : message;
  return error instanceof ParameterError ? { message: text, parameter: error.parameter } : { message: text };
}

function isNamed(error: unknown): boolean {
  return error instanceof Error && error.name === 'BudgetError';
}
