/** Parts of records. */

/**
 * These fields of a record, in this order.
 *
 * @example picked({ a: 1, b: 2, c: 3 }, 'c', 'a') // { c: 3, a: 1 }
 */
export function picked<From extends object, Key extends keyof From>(
  from: From,
  ...keys: readonly Key[]
): Pick<From, Key> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<From, Key>;
}
