/**
 * The `code` of an error, which never changes; undefined where it has none. Two copies of a class have one
 * code.
 *
 * @example errorCode(new ParameterError('users', 0, 'positive')) // 'bad-parameter'
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * A parameter outside its legal range. The message names the quantity, the value given and what is allowed.
 *
 * @example new ParameterError('users', 0, 'positive').message // 'users = 0: must be positive'
 */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly code = 'bad-parameter';
  readonly parameter: string;
  /** What was given, and what is allowed, in words. */
  private readonly said: string;

  constructor(parameter: string, given: unknown, allowed: string) {
    const said = ` = ${describe(given)}: must be ${allowed}`;
    super(`${parameter}${said}`);
    this.parameter = parameter;
    this.said = said;
  }

  /** The same refusal under the name by which the user gave the parameter: '--epsilon0'. */
  called(name: string): ParameterError {
    const error = new ParameterError(name, '', '');
    error.message = `${name}${this.said}`;
    return error;
  }
}

/**
 * A request that makes no sense as a whole: a parameter that is missing or unknown, a target that nothing
 * meets. Its message is one line for the user.
 *
 * @example new UsageError('domain is missing').code // 'bad-usage'
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'bad-usage';
}

/**
 * A theorem asked outside its conditions: it neither holds nor fails there, it just says nothing.
 *
 * @example new OutOfRegimeError('Theorem 1', 'epsilon <= 1', 'it is 2').message // 'Theorem 1 needs epsilon <= 1, but it is 2'
 */
export class OutOfRegimeError extends Error {
  override readonly name = 'OutOfRegimeError';
  readonly code = 'out-of-regime';
  readonly theorem: string;
  readonly condition: string;

  /** @param advice what to try instead, as a clause: 'use the blanket accountant' */
  constructor(theorem: string, condition: string, given: string, advice?: string) {
    super(`${theorem} needs ${condition}, but ${given}${advice ? `; ${advice}` : ''}`);
    this.theorem = theorem;
    this.condition = condition;
  }
}

/**
 * A search whose two ends do not enclose a root.
 *
 * @example new BracketError('no sign change between 0 and 1').code // 'no-bracket'
 */
export class BracketError extends Error {
  override readonly name = 'BracketError';
  readonly code = 'no-bracket';
}

/** A bound by name, as a contradiction tells it. */
export interface NamedBound {
  readonly name: string;
  readonly value: number;
}

/**
 * Two bounds that are both proved and cannot both hold: a lower end above an upper end. A fault of this
 * program, whatever was asked; neither end can be told to anyone.
 *
 * @example errorCode(new ContradictionError('epsilon', { name: 'lower', value: 2 }, { name: 'upper', value: 1 })) // 'proved-bounds-cross'
 */
export class ContradictionError extends Error {
  override readonly name = 'ContradictionError';
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
  if (value === Infinity) return 'inf';
  const plain =
    Array.isArray(value) ||
    (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);
  return plain || typeof value === 'string' ? JSON.stringify(value) : String(value);
}
