/** A parameter outside its legal range. The message names the quantity, the value given and what is allowed. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly parameter: string;

  constructor(parameter: string, given: unknown, allowed: string) {
    super(`${parameter} = ${describe(given)}: must be ${allowed}`);
    this.parameter = parameter;
  }
}

/** A theorem asked outside its conditions: it neither holds nor fails there, it just says nothing. */
export class OutOfRegimeError extends Error {
  override readonly name = 'OutOfRegimeError';
  readonly theorem: string;
  readonly condition: string;

  /** @param advice what to try instead, as a clause: 'use the blanket accountant' */
  constructor(theorem: string, condition: string, given: string, advice?: string) {
    super(`${theorem} needs ${condition}, but ${given}${advice ? `; ${advice}` : ''}`);
    this.theorem = theorem;
    this.condition = condition;
  }
}

/** A search whose two ends do not enclose a root. */
export class BracketError extends Error {
  override readonly name = 'BracketError';
}

function describe(value: unknown): string {
  const plain =
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);
  return plain || typeof value === 'string' ? JSON.stringify(value) : String(value);
}
