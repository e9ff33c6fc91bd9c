/**
 * Columns as the four kinds of elements that moving them needs: what a message means does not matter to a
 * permutation. Loops that meet more kinds of arrays are compiled for none of them, and take many times as
 * long.
 */
import type { Column } from '@shuffle-dp/core';

export type MovableColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** The same memory, element by element. */
export function sameBits({ buffer, byteOffset, length, BYTES_PER_ELEMENT }: Column): MovableColumn {
  switch (BYTES_PER_ELEMENT) {
    case 1:
      return new Uint8Array(buffer, byteOffset, length);
    case 2:
      return new Uint16Array(buffer, byteOffset, length);
    case 4:
      return new Uint32Array(buffer, byteOffset, length);
    default:
      return new Float64Array(buffer, byteOffset, length);
  }
}
