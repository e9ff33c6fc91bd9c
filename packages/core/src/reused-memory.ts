/**
 * Memory for what is no result, which the next call overwrites: as long as was asked for, and at first zeros.
 *
 * @example reusedMemory()(3) // [0, 0, 0]
 */
export function reusedMemory(): (length: number) => Float64Array {
  let spare = new Float64Array(0);
  return (length) => {
    if (spare.length < length) spare = new Float64Array(length);
    return spare.subarray(0, length);
  };
}
