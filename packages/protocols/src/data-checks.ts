/** What data are checked for before anything is estimated of them: alone, and against the protocol. */
import { ParameterError } from '@shuffle-dp/core';

/** What data of categories, of sets of items and of key-value pairs have in common. */
export interface HeldData {
  readonly users: number;
  readonly domain: number;
  /** That every user holds; default one. */
  readonly items?: number;
  readonly histogram: Float64Array;
  /** What the users hold, one after another; absent where they are only counted. */
  readonly held?: Uint32Array | Uint16Array | undefined;
}

/** Null for none. Counts may be parts of users: errors are expected of users who are spread evenly, too. */
export function heldFault({ users, domain, items = 1, histogram, held }: HeldData): ParameterError | null {
  if (histogram.length !== domain)
    return new ParameterError(
      'the number of counts in data.histogram',
      histogram.length,
      `${domain}, data.domain`,
    );
  const all = users * items;
  const what = `${all}, ${items === 1 ? 'data.users' : 'data.users times data.items'}`;
  let sum = 0;
  for (const count of histogram) sum += count >= 0 ? count : NaN;
  if (!(Math.abs(sum - all) <= ROUNDED * all))
    return new ParameterError('the sum of data.histogram', sum, what);
  if (held === undefined) return null;
  if (held.length !== all) return new ParameterError('the number of values held', held.length, what);
  const wrong = held.findIndex((value) => value >= domain);
  return wrong < 0
    ? null
    : new ParameterError(`value ${wrong}`, held[wrong], `below data.domain = ${domain}`);
}

/** Of a sum of parts. */
const ROUNDED = 1e-9;

/** Null for none. @param name of the numbers in the data */
export function numbersFault(name: string, numbers: Float64Array): ParameterError | null {
  const wrong = numbers.findIndex((value) => !Number.isFinite(value));
  return wrong < 0 ? null : new ParameterError(`${name}[${wrong}]`, numbers[wrong], 'a finite number');
}

/** How many users hold something: in their order, or counted. */
export function holdersIn(
  values: Float64Array | undefined,
  holders: Float64Array | undefined,
): number | undefined {
  return values?.length ?? holders?.reduce((sum, count) => sum + (count >= 0 ? count : NaN), 0);
}

/** @throws ParameterError where data are of other users, or of more or fewer values, than the protocol */
export function requireSame(name: string, given: number | undefined, expected: number | undefined): void {
  if (given !== expected) throw new ParameterError(name, given, `${expected}, as the protocol was made for`);
}

/** @throws the fault, where there is one */
export function throwFault(fault: ParameterError | null): void {
  if (fault !== null) throw fault;
}
