/** Key-value pairs of the users, as protocols see them. */
import { onceEachObject } from '@shuffle-dp/core';
import { heldFault, numbersFault, requireSame, throwFault } from '../data-checks.ts';

/** Each user holds the same number of pairs, of distinct keys. */
export interface KeyValuedData {
  readonly kind: 'key-values';
  readonly users: number;
  /** Number of keys that exist. */
  readonly domain: number;
  /** Of these, from the first, keys that were not added to pad users; absent where none was. */
  readonly keys?: number;
  readonly items: number;
  /** Users who hold each key. */
  readonly histogram: Float64Array;
  /** For each key the sum of its values, over the users who hold it. */
  readonly sums: Float64Array;
  /** The same of the squares of the values. */
  readonly squares: Float64Array;
  /**
   * Row-major: the pairs of user u stand from u * items on; absent where only counts exist (very many users).
   */
  readonly pairs?: { readonly keys: Uint32Array; readonly values: Float64Array };
  /** How many users hold each key with each value; absent where values are too many to count. */
  readonly counts?: KeyValueCounts;
  /** Of the population that the users were drawn from. */
  readonly population?: { readonly frequencies: Float64Array; readonly means: Float64Array };
}

export interface KeyValueCounts {
  /** The different values. */
  readonly values: Float64Array;
  /** Key-major: users with key k and value j stand at k * values.length + j. */
  readonly holders: Float64Array;
}

/** @throws ParameterError where the data are not the users the protocol was made for, or not all of them */
export function checkKeyValues(
  data: KeyValuedData,
  setting: Pick<KeyValuedData, 'users' | 'domain' | 'items'>,
): void {
  for (const field of ['users', 'domain', 'items'] as const)
    requireSame(`data.${field}`, data[field], setting[field]);
  throwFault(ownFault(data));
}

const ownFault = onceEachObject((data: KeyValuedData) => {
  const { pairs, sums } = data;
  return (
    heldFault({ ...data, held: pairs?.keys }) ??
    numbersFault('data.sums', sums) ??
    (pairs ? numbersFault('data.pairs.values', pairs.values) : null)
  );
});

/** The means of the keys' values; of a key that nobody holds `absent`. */
export function keyMeans({ histogram, sums }: KeyValuedData, absent: number): Float64Array {
  return histogram.map((holders, key) => (holders > 0 ? sums[key]! / holders : absent));
}
