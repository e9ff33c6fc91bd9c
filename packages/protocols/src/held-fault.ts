/** What is wrong with data by themselves, whatever the protocol: estimates of such would be of nobody. */
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

/** @throws the fault, where there is one */
export function throwFault(fault: ParameterError | null): void {
  if (fault !== null) throw fault;
}
