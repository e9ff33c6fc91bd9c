/** What the page asks of an engine and what it answers: plain data that can be posted to a worker. */

/** What an engine can be asked, by name: what it is given, and what each of its answers is. */
export type EngineContract = Readonly<Record<string, { readonly given: unknown; readonly answer: unknown }>>;

/** The functions behind a contract. Each gives its answers one by one, the sharpest last. */
export type EngineFunctions<Contract extends EngineContract> = {
  readonly [Name in keyof Contract]: (given: Contract[Name]['given']) => Iterable<Contract[Name]['answer']>;
};

export interface EngineRequest {
  readonly id: number;
  readonly name: string;
  readonly given: unknown;
}

/** A request that an engine refuses, in one line; `parameter` is what is at fault, where one is. */
export interface Refusal {
  readonly message: string;
  readonly parameter?: string;
  /** Which of several has the parameter, from 0 on: the entry of a schedule. */
  readonly entry?: number;
}

/** Whether a page refuses what it would ask. */
export function isRefusal(question: object): question is Refusal {
  return 'message' in question;
}

export type EngineReply =
  | { readonly id: number; readonly kind: 'answer'; readonly answer: unknown }
  | { readonly id: number; readonly kind: 'end' }
  | { readonly id: number; readonly kind: 'refusal'; readonly refusal: Refusal };
