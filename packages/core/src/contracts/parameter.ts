/**
 * A mechanism's parameter and its range, as data: texts of the range, checks, flags, fields of configs and
 * pages follow from it.
 */
import { ParameterError } from '../errors.ts';
import { isPrime } from '../numeric/primes.ts';

/** Parameters by name; what is absent takes its default. */
export type ParameterValues = Readonly<Record<string, number>>;

/** Parameters of which these are given. */
export type Given<Names extends string> = ParameterValues & Readonly<Record<Names, number>>;

/** One end of a range: a number, or what other parameters make of it (undefined while they are not given). */
export interface RangeEnd {
  readonly value: number | ((given: ParameterValues) => number | undefined);
  /** The end itself is not allowed. */
  readonly open: boolean;
  /** As a person writes it: '1/2', 'domain - 1'. */
  readonly text: string;
}

/** Integers that are more than that: every check takes the value within its range. */
export type IntegerKind = 'prime' | 'power of two';

export interface ParameterSpec {
  /** As in JSON: 'subsetSize'; the flag is --subset-size. */
  readonly name: string;
  readonly description: string;
  readonly low: RangeEnd;
  readonly high: RangeEnd;
  readonly integer: boolean;
  /** Which integers are allowed, where not all. */
  readonly kind?: IntegerKind;
  readonly required: boolean;
  /** 'nats'; absent for counts and shares. */
  readonly unit?: string;
  /** Of the one that a privacy target sets: from where to where it is searched. */
  readonly setByTarget?: TargetRange;
}

/**
 * A parameter along which privacy falls: its two ends, finite and other than 0 unless the parameter's range
 * ends there.
 */
export interface TargetRange {
  readonly mostPrivate: RangeEnd['value'];
  readonly leastPrivate: RangeEnd['value'];
}

/** An end that is allowed. @example from(0.5, '1/2').open // false */
export function from(value: RangeEnd['value'], text = String(value)): RangeEnd {
  return { value, open: false, text };
}

/** An end that is not. @example beyond(Infinity, 'inf').open // true */
export function beyond(value: RangeEnd['value'], text = String(value)): RangeEnd {
  return { value, open: true, text };
}

/**
 * A parameter that is a real number between two ends, which may depend on other parameters.
 *
 * @example rangeText(real('rate', beyond(0), from(1), 'probability that the item is sent')) // '(0, 1]'
 */
export function real(name: string, low: RangeEnd, high: RangeEnd, description: string): ParameterSpec {
  return { name, description, low, high, integer: false, required: true };
}

/**
 * A parameter that is a whole number between two ends, which may depend on other parameters.
 *
 * @example rangeText(integer('bins', from(2), from(2 ** 32), 'number of bins d')) // 'an integer from 2 to 4294967296'
 */
export function integer(name: string, low: RangeEnd, high: RangeEnd, description: string): ParameterSpec {
  return { ...real(name, low, high, description), integer: true };
}

/**
 * The same parameter, which need not be given.
 *
 * @example optional(domainUpTo(100)).required // false
 */
export function optional(spec: ParameterSpec): ParameterSpec {
  return { ...spec, required: false };
}

/**
 * The same parameter, which a privacy target sets.
 *
 * @example setByTarget(EPSILON0, 0.01, 10).name // 'epsilon0'
 */
export function setByTarget(
  spec: ParameterSpec,
  mostPrivate: TargetRange['mostPrivate'],
  leastPrivate: TargetRange['leastPrivate'],
): ParameterSpec {
  return { ...spec, setByTarget: { mostPrivate, leastPrivate } };
}

/** Below the least, e^epsilon0 is hardly told from 1; at the largest, certificates end. */
export const EPSILON0: ParameterSpec = {
  ...real('epsilon0', from(1e-9), from(300), 'local budget in nats'),
  unit: 'nats',
  setByTarget: { mostPrivate: 1e-9, leastPrivate: 300 },
};

/**
 * 'domain', from 2 to the most categories.
 *
 * @example rangeText(domainUpTo(100)) // 'an integer from 2 to 100'
 */
export function domainUpTo(most: number, description = 'number of categories'): ParameterSpec {
  return integer('domain', from(2), from(most), description);
}

/**
 * What is allowed: '[1e-9, 300]', 'an integer from 1 to domain - 1', 'a prime from 2 to 65521'.
 *
 * @param given other parameters, whose ends are then told with their values: 'an integer from 1 to
 * domain - 1 = 15'
 * @example rangeText(real('rate', beyond(0), from(1), 'a rate')) // '(0, 1]'
 */
export function rangeText(spec: ParameterSpec, given: ParameterValues = {}): string {
  const { low, high, integer: whole, kind } = spec;
  const [least, most] = [endText(low, given), endText(high, given)];
  if (least === most) return most;
  if (!whole) return `${low.open ? '(' : '['}${least}, ${most}${high.open ? ')' : ']'}`;
  const what = kind === undefined ? 'an integer' : `a ${kind}`;
  return high.value === Infinity ? `${what} of at least ${least}` : `${what} from ${least} to ${most}`;
}

function endText({ value, text }: RangeEnd, given: ParameterValues): string {
  const known = typeof value === 'number' ? undefined : value(given);
  return known === undefined ? text : `${text} = ${known}`;
}

/**
 * Refuses a value outside the parameter's range.
 *
 * @param given the other parameters, by which ends may be set
 * @returns the value, which is in its range
 * @throws ParameterError
 * @example checkParameter(domainUpTo(100), 4) // 4
 */
export function checkParameter(spec: ParameterSpec, value: number, given: ParameterValues = {}): number {
  const { name, low, high, integer: whole, kind } = spec;
  const least = endOfRange(low.value, given);
  const most = endOfRange(high.value, given);
  const within =
    !Number.isNaN(value) &&
    (least === undefined || value > least || (value === least && !low.open)) &&
    (most === undefined || value < most || (value === most && !high.open));
  if (!within || (whole && !(Number.isSafeInteger(value) && isOfKind(value, kind))))
    throw new ParameterError(name, value, `${whole ? '' : 'in '}${rangeText(spec, given)}`);
  return value;
}

/**
 * Undefined where it takes parameters that are not given.
 *
 * @example endOfRange(({ domain }) => domain && domain - 1, { domain: 4 }) // 3
 */
export function endOfRange(value: RangeEnd['value'], given: ParameterValues): number | undefined {
  return typeof value === 'number' ? value : value(given);
}

function isOfKind(value: number, kind: IntegerKind | undefined): boolean {
  if (kind === 'power of two') return Number.isInteger(Math.log2(value));
  return kind === undefined || isPrime(value);
}
