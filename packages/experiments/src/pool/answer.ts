import { errorCode, ParameterError } from '@shuffle-dp/core';

/** Errors lose their class between threads: what a task refuses comes back as its answer. */
export type Answer<Value> = { readonly value: Value } | Refusal;

export interface Refusal {
  /** The message of the error. */
  readonly refused: string;
  /** Its `code`. */
  readonly code?: string;
  /** The parameter that it names, where it is of one. */
  readonly parameter?: string;
  /** Of several things that a task does, the place of the one that is refused. */
  readonly place?: number;
}

/** Parameters that a protocol or a data set refuses. */
const REFUSALS = new Set(['bad-parameter', 'out-of-regime', 'bad-data', 'no-bracket']);

/** @throws what is no refusal */
export function answerOf<Value>(perform: () => Value): Answer<Value> {
  try {
    return { value: perform() };
  } catch (error) {
    return refusalOf(error);
  }
}

/** As `answerOf` for what is awaited. @throws what is no refusal */
export async function awaitedAnswerOf<Value>(perform: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { value: await perform() };
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === undefined || !REFUSALS.has(code)) throw error;
  return {
    refused: error.message,
    code,
    ...(error instanceof ParameterError ? { parameter: error.parameter } : {}),
  };
}
