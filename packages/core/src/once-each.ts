/**
 * The same function, which is asked once for each argument: searches come back to the points where they
 * began.
 *
 * @example onceEach((x) => x * x)(3) // 9
 */
export function onceEach<Value>(compute: (argument: number) => Value): (argument: number) => Value {
  const known = new Map<number, { readonly value: Value }>();
  return (argument) => {
    const found = known.get(argument) ?? { value: compute(argument) };
    known.set(argument, found);
    return found.value;
  };
}
