/**
 * A value that is computed when it is first asked for, and kept: accounting that a simulation may never need.
 *
 * @example onDemand(() => 6 * 7)() // 42
 */
export function onDemand<T>(compute: () => T): () => T {
  let value: { readonly result: T } | undefined;
  return () => (value ??= { result: compute() }).result;
}
