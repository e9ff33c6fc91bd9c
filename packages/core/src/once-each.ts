/**
 * The same function, which is asked once for each number or word: searches come back to the points where they
 * began.
 *
 * @example onceEach((x) => x * x)(3) // 9
 */
export function onceEach<Value, Key extends number | string = number>(
  compute: (argument: Key) => Value,
): (argument: Key) => Value {
  const known = new Map<Key, { readonly value: Value }>();
  return (argument) => {
    let found = known.get(argument);
    if (found === undefined) known.set(argument, (found = { value: compute(argument) }));
    return found.value;
  };
}

/**
 * Values by a key that says all they depend on: made where none is kept. Of more than `most` the one that was
 * asked for longest ago goes.
 *
 * @example keptByKey(16)('six times seven', () => 6 * 7) // 42
 */
export function keptByKey<Value>(most = Infinity): (key: unknown, make: () => Value) => Value {
  const kept = new Map<unknown, { readonly value: Value }>();
  return (key, make) => {
    const found = kept.get(key) ?? { value: make() };
    // A map begins with what was put in first.
    kept.delete(key);
    kept.set(key, found);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return found.value;
  };
}

/**
 * The same function of objects that are never changed, which is asked once for each as long as it is in use:
 * many trials on one data set count it once.
 *
 * @example onceEachObject((list) => list.length)([5, 7]) // 2
 */
export function onceEachObject<Key extends object, Value>(
  compute: (argument: Key) => Value,
): (argument: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (argument) => {
    let found = known.get(argument);
    if (found === undefined) known.set(argument, (found = { value: compute(argument) }));
    return found.value;
  };
}
