/** Copies of what all threads read, in memory that they share. */

export function inSharedMemory<Values extends Uint8Array | Float32Array>(values: Values): Values {
  const shared = new SharedArrayBuffer(values.byteLength);
  const copy = values instanceof Uint8Array ? new Uint8Array(shared) : new Float32Array(shared);
  copy.set(values);
  // Of the same class.
  return copy as Values;
}
