/** Values that have a key in common, together. */

/**
 * The values of each key, keys and values in the order in which they come.
 *
 * @example groupBy([1, 2, 3], (n) => n % 2).get(1) // [1, 3]
 */
export function groupBy<Key, Value>(
  values: Iterable<Value>,
  key: (value: Value) => Key,
): Map<Key, [Value, ...Value[]]> {
  const groups = new Map<Key, [Value, ...Value[]]>();
  for (const value of values) {
    const name = key(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}
