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

/** A bound by name, as a contradiction tells it. */
export interface NamedBound {
  readonly name: string;
  readonly value: number;
}

/**
 * Two bounds that are both proved and cannot both hold: a lower end above an upper end. A fault of this program, whatever
 * was asked; neither end can be told to anyone.
 */
export class ContradictionError extends Error {
  override readonly name = 'ContradictionError';
  /** For programs; never changes. */
  readonly code = 'proved-bounds-cross';
  readonly lower: NamedBound;
  readonly upper: NamedBound;

  /** @param quantity what is bounded: 'epsilon' */
  constructor(quantity: string, lower: NamedBound, upper: NamedBound) {
    super(
      `${quantity} is proved to be at least ${lower.value} (${lower.name}) and at most ${upper.value} (${upper.name}): ` +
        'both cannot hold, so a proof or its arithmetic is at fault',
    );
    this.lower = lower;
    this.upper = upper;
  }
}

function describe(value: unknown): string {
  const plain =
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);
  return plain || typeof value === 'string' ? JSON.stringify(value) : String(value);
}
