/**
 * Checks of arguments with uniform messages: `name = value: must be …`. Each returns the value it checked,
 * so that a factory can validate where it assigns. All throw `ParameterError`.
 */
import { ParameterError } from './errors.ts';

export function requireFinite(name: string, value: number): number {
  if (!Number.isFinite(value)) throw new ParameterError(name, value, 'a finite number');
  return value;
}

/** In (0, infinity); infinity itself is refused. */
export function requirePositive(name: string, value: number): number {
  if (!(value > 0 && value < Infinity)) throw new ParameterError(name, value, 'a positive number');
  return value;
}

/** In [0, infinity). */
export function requireNonNegative(name: string, value: number): number {
  if (!(value >= 0 && value < Infinity)) throw new ParameterError(name, value, 'zero or a positive number');
  return value;
}

/** In [0, 1]. */
export function requireProbability(name: string, value: number): number {
  if (!(value >= 0 && value <= 1)) throw new ParameterError(name, value, 'in [0, 1]');
  return value;
}

/** In [low, high], ends included. */
export function requireWithin(name: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) throw new ParameterError(name, value, `in [${low}, ${high}]`);
  return value;
}

/** A safe integer in [low, high]. */
export function requireInteger(
  name: string,
  value: number,
  low: number,
  high: number = Number.MAX_SAFE_INTEGER,
): number {
  if (!(Number.isSafeInteger(value) && value >= low && value <= high)) {
    const range = high === Number.MAX_SAFE_INTEGER ? `of at least ${low}` : `from ${low} to ${high}`;
    throw new ParameterError(name, value, `an integer ${range}`);
  }
  return value;
}

/** One of the listed words. */
export function requireOneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  if (!(allowed as readonly string[]).includes(value)) {
    throw new ParameterError(name, value, `one of ${allowed.join(', ')}`);
  }
  return value as T;
}
