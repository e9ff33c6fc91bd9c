/** Sends every message to a uniformly random bucket; with a permutation inside each bucket the whole is uniform. */
import type { Column, RandomStream } from '@shuffle-dp/core';

/** A bucket of this many messages stays in the cache while it is permuted. */
const BUCKET_SIZE = 1 << 16;
const MOST_BUCKETS = 1 << 12;
const BLOCK = 1 << 14;

/** Moves the first `count` messages of all columns into buckets, one after the other, and returns their bounds. */
export function scatterToBuckets(
  columns: readonly Column[],
  count: number,
  stream: RandomStream,
): Uint32Array {
  const buckets = Math.min(MOST_BUCKETS, 2 ** Math.max(1, Math.ceil(Math.log2(count / BUCKET_SIZE))));
  const bounds = new Uint32Array(buckets + 1);
  const bucketOf = drawBuckets(count, buckets, bounds, stream);
  for (let bucket = 0; bucket < buckets; bucket++) bounds[bucket + 1] = bounds[bucket + 1]! + bounds[bucket]!;
  for (const column of columns) {
    const next = bounds.slice();
    const source = column.slice(0, count);
    for (let start = 0; start < count; start += BLOCK)
      moveBlock(bucketOf, start, Math.min(count, start + BLOCK), source, column, next);
  }
  return bounds;
}

/**
 * The bucket of every message; bounds[b + 1] counts bucket b. The buckets are a power of two, at most 2^12, so each half of
 * a random word is one draw.
 */
function drawBuckets(count: number, buckets: number, bounds: Uint32Array, stream: RandomStream): Uint16Array {
  const words = new Uint32Array(Math.ceil(count / 2));
  const bucketOf = new Uint16Array(words.buffer, 0, count);
  for (let start = 0; start < words.length; start += BLOCK) {
    const end = Math.min(words.length, start + BLOCK);
    stream.fillUint32(words, start, end);
    countBlock(bucketOf, 2 * start, Math.min(count, 2 * end), buckets - 1, bounds);
  }
  return bucketOf;
}

function countBlock(
  bucketOf: Uint16Array,
  start: number,
  end: number,
  mask: number,
  bounds: Uint32Array,
): void {
  for (let i = start; i < end; i++) {
    const bucket = bucketOf[i]! & mask;
    bucketOf[i] = bucket;
    bounds[bucket + 1] = bounds[bucket + 1]! + 1;
  }
}

function moveBlock(
  bucketOf: Uint16Array,
  start: number,
  end: number,
  source: Column,
  target: Column,
  next: Uint32Array,
): void {
  for (let i = start; i < end; i++) {
    const bucket = bucketOf[i]!;
    const place = next[bucket]!;
    next[bucket] = place + 1;
    target[place] = source[i]!;
  }
}
