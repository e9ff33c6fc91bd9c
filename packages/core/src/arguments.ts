/**
 * Checks of arguments with uniform messages: `name = value: must be …`. Each returns the value it checked,
 * so that a factory can validate where it assigns. All throw `ParameterError`.
 */
import type { Target } from './contracts/privacy.ts';
import { ParameterError } from './errors.ts';

/**
 * The value, where it is neither infinite nor NaN.
 *
 * @throws ParameterError naming it
 * @example requireFinite('x', 1) // 1
 */
export function requireFinite(name: string, value: number): number {
  if (!Number.isFinite(value)) throw new ParameterError(name, value, 'a finite number');
  return value;
}

/**
 * In (0, infinity); infinity itself is refused.
 *
 * @example requirePositive('x', 1) // 1
 */
export function requirePositive(name: string, value: number): number {
  if (!(value > 0 && value < Infinity)) throw new ParameterError(name, value, 'a positive number');
  return value;
}

/**
 * In [0, infinity).
 *
 * @example requireNonNegative('x', 0) // 0
 */
export function requireNonNegative(name: string, value: number): number {
  if (!(value >= 0 && value < Infinity)) throw new ParameterError(name, value, 'zero or a positive number');
  return value;
}

/**
 * In [0, 1].
 *
 * @example requireProbability('p', 0.5) // 0.5
 */
export function requireProbability(name: string, value: number): number {
  if (!(value >= 0 && value <= 1)) throw new ParameterError(name, value, 'in [0, 1]');
  return value;
}

/**
 * In (0, 1).
 *
 * @example requireOpenUnit('delta', 1e-6) // 0.000001
 */
export function requireOpenUnit(name: string, value: number): number {
  if (!(value > 0 && value < 1)) throw new ParameterError(name, value, 'in (0, 1)');
  return value;
}

/**
 * In [0, 1): a part that leaves some.
 *
 * @example requireShare('dropout', 0.1) // 0.1
 */
export function requireShare(name: string, value: number): number {
  if (!(value >= 0 && value < 1)) throw new ParameterError(name, value, 'in [0, 1)');
  return value;
}

/**
 * In (0, 1].
 *
 * @example requirePositiveProbability('p', 1) // 1
 */
export function requirePositiveProbability(name: string, value: number): number {
  if (!(value > 0 && value <= 1)) throw new ParameterError(name, value, 'in (0, 1]');
  return value;
}

/**
 * In [low, high], ends included.
 *
 * @example requireWithin('x', 2, 1, 3) // 2
 */
export function requireWithin(name: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) throw new ParameterError(name, value, `in [${low}, ${high}]`);
  return value;
}

/**
 * A safe integer in [low, high].
 *
 * @example requireInteger('users', 10, 1) // 10
 */
export function requireInteger(
  name: string,
  value: number,
  low: number,
  high: number = Number.MAX_SAFE_INTEGER,
): number {
  if (!(Number.isSafeInteger(value) && value >= low && value <= high)) {
    const isEndless = high === Number.MAX_SAFE_INTEGER && !(value > high);
    const range = isEndless ? `of at least ${low}` : `from ${low} to ${high}`;
    throw new ParameterError(name, value, `an integer ${range}`);
  }
  return value;
}

/**
 * A delta in [0, 1], or an epsilon in [0, infinity), and not both.
 *
 * @example requireTarget({ delta: 1e-6 }) // undefined
 */
export function requireTarget(target: Target): void {
  if ('delta' in target && 'epsilon' in target)
    throw new ParameterError('target', JSON.stringify(target), 'of one key, delta or epsilon, and not both');
  if ('delta' in target) requireProbability('delta', target.delta);
  else requireNonNegative('epsilon', target.epsilon);
}

/**
 * One of the listed words.
 *
 * @example requireOneOf('path', 'messages', ['messages', 'aggregated']) // 'messages'
 */
export function requireOneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  if (!(allowed as readonly string[]).includes(value)) {
    throw new ParameterError(name, value, `one of ${allowed.join(', ')}`);
  }
  return value as T;
}
