/** A mechanism's parameter as an axis from privacy to usefulness: logarithmic towards either end. */
import {
  checkParameter,
  endOfRange,
  ParameterError,
  Real,
  UsageError,
  type ParameterSpec,
  type ParameterValues,
  type RangeEnd,
} from '@shuffle-dp/core';
import type { Axis } from '@shuffle-dp/accounting';

/** How near an end is approached, in logarithms of the range. */
const NEAREST = 20;

export interface ParameterAxis extends Axis {
  positionOf(value: number): number;
}

/**
 * The value at position u is (a + b e^u) / (1 + e^u), from the most private end a to the least private one b.
 * @param given the other parameters @throws ParameterError where they leave no range
 */
export function parameterAxis(spec: ParameterSpec, given: ParameterValues): ParameterAxis {
  const { setByTarget } = spec;
  if (!setByTarget) throw new Error(`${spec.name} is not set by targets`);
  const a = endAt(spec, setByTarget.mostPrivate, given);
  const b = endAt(spec, setByTarget.leastPrivate, given);
  if (!(Number.isFinite(a) && Number.isFinite(b) && a !== b))
    throw new ParameterError(
      spec.name,
      `${a} to ${b}`,
      'a range of more than one value: other parameters leave none',
    );
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const further = Math.abs(Real.log(a / b));
  const mostPrivate = -NEAREST - (b > a ? further : 0);
  const leastPrivate = NEAREST + (a > b ? further : 0);
  const valueAt = (position: number): number => {
    if (position <= mostPrivate && isAllowed(spec, a, given)) return a;
    if (position >= leastPrivate && isAllowed(spec, b, given)) return b;
    const share = 1 / (1 + Real.exp(-position));
    // From the nearer end: the other one would swallow the digits.
    const value = position < 0 ? a + (b - a) * share : b + (a - b) / (1 + Real.exp(position));
    return Math.min(high, Math.max(low, spec.integer ? Math.round(value) : value));
  };
  return {
    valueAt,
    mostPrivate,
    leastPrivate,
    whole: spec.integer,
    positionOf: (value) => {
      const position = Real.log(Math.abs((value - a) / (b - value)));
      return Math.min(leastPrivate, Math.max(mostPrivate, position));
    },
  };
}

function isAllowed(spec: ParameterSpec, value: number, given: ParameterValues): boolean {
  try {
    checkParameter(spec, value, given);
    return true;
  } catch (error) {
    if (error instanceof ParameterError) return false;
    throw error;
  }
}

function endAt(spec: ParameterSpec, end: RangeEnd['value'], given: ParameterValues): number {
  const value = endOfRange(end, given);
  if (value === undefined) throw new UsageError(`${spec.name}: its range takes parameters that are missing`);
  return value;
}
