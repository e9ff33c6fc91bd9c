/** Uniform subsets of size k of {0, …, universe - 1}, without replacement. */
import { requireInteger } from '../arguments.ts';
import type { RandomStream } from './random-stream.ts';

/**
 * Writes an increasing uniform k-subset to target[offset .. offset + k). Selection sampling for dense
 * subsets, Floyd's method (Bentley and Floyd, CACM 30(9), 1987) for sparse ones.
 * @throws ParameterError unless 0 <= k <= universe
 * @example sampleSubset(3, 10, new Uint32Array(3), 0, RandomStream.fromSeed('example'))
 */
export function sampleSubset(
  k: number,
  universe: number,
  target: Uint8Array | Uint16Array | Uint32Array,
  offset: number,
  stream: RandomStream,
): void {
  requireInteger('universe', universe, 0);
  requireInteger('k', k, 0, universe);
  if (k > 64 || k * 8 > universe) selectionSampling(k, universe, target, offset, stream);
  else floyd(k, universe, target, offset, stream);
}

/** Takes each element with probability (still needed) / (still to come). */
function selectionSampling(
  k: number,
  universe: number,
  target: Uint8Array | Uint16Array | Uint32Array,
  offset: number,
  stream: RandomStream,
): void {
  let needed = k;
  for (let element = 0; needed > 0; element++) {
    if (stream.integerBelow(universe - element) < needed) {
      target[offset + k - needed] = element;
      needed--;
    }
  }
}

/**
 * Draws from growing prefixes; a repeated draw is replaced by the prefix's new last element. Insertion keeps
 * order.
 */
function floyd(
  k: number,
  universe: number,
  target: Uint8Array | Uint16Array | Uint32Array,
  offset: number,
  stream: RandomStream,
): void {
  for (let size = 0; size < k; size++) {
    const last = universe - k + size;
    let element = stream.integerBelow(last + 1);
    let place = offset + size;
    while (place > offset && target[place - 1]! > element) place--;
    if (place > offset && target[place - 1] === element) {
      element = last;
      place = offset + size;
    }
    target.copyWithin(place + 1, place, offset + size);
    target[place] = element;
  }
}
