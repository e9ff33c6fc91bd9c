/** Sends every message to a uniformly random bucket; with a permutation inside each bucket the whole is uniform. */
import type { Column, RandomStream } from '@shuffle-dp/core';

/** A bucket of this many messages stays in the cache while it is permuted. */
const BUCKET_SIZE = 1 << 15;
const MOST_BUCKETS = 1 << 12;
const BLOCK = 1 << 14;

/**
 * Moves the first `count` messages of all columns into buckets, one after the other, and returns the bounds of the
 * buckets. The bucket of a message is drawn twice from the same generator state: once to count, once to move.
 */
export function scatterToBuckets(
  columns: readonly Column[],
  count: number,
  stream: RandomStream,
): Uint32Array {
  const buckets = Math.min(MOST_BUCKETS, 2 ** Math.max(1, Math.ceil(Math.log2(count / BUCKET_SIZE))));
  const shift = 32 - Math.log2(buckets);
  const words = new Uint32Array(BLOCK);
  const before = stream.state.slice();
  const bounds = new Uint32Array(buckets + 1);
  for (let start = 0; start < count; start += BLOCK) {
    const size = Math.min(BLOCK, count - start);
    stream.fillUint32(words, 0, size);
    countBlock(words, size, shift, bounds);
  }
  for (let bucket = 0; bucket < buckets; bucket++) bounds[bucket + 1] = bounds[bucket + 1]! + bounds[bucket]!;
  const after = stream.state.slice();
  for (const column of columns) {
    stream.state.set(before);
    const next = bounds.slice();
    const source = column.slice(0, count);
    for (let start = 0; start < count; start += BLOCK) {
      const size = Math.min(BLOCK, count - start);
      stream.fillUint32(words, 0, size);
      moveBlock(words, size, shift, source, start, column, next);
    }
  }
  stream.state.set(after);
  return bounds;
}

/** The high bits of a word are the bucket; bounds[b + 1] counts bucket b. */
function countBlock(words: Uint32Array, size: number, shift: number, bounds: Uint32Array): void {
  for (let i = 0; i < size; i++) {
    const bucket = (words[i]! >>> shift) + 1;
    bounds[bucket] = bounds[bucket]! + 1;
  }
}

function moveBlock(
  words: Uint32Array,
  size: number,
  shift: number,
  source: Column,
  start: number,
  target: Column,
  next: Uint32Array,
): void {
  for (let i = 0; i < size; i++) {
    const bucket = words[i]! >>> shift;
    const place = next[bucket]!;
    next[bucket] = place + 1;
    target[place] = source[start + i]!;
  }
}
