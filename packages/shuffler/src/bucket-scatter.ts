/**
 * Sends every message to a uniformly random bucket; with a permutation inside each bucket the whole is
 * uniform.
 */
import {
  ParameterError,
  requireInteger,
  type Column,
  type MessageColumns,
  type RandomStream,
  type UserMessages,
} from '@shuffle-dp/core';
import { sameBits, type MovableColumn } from './same-bits.ts';

/** A bucket of this many messages stays in the cache while it is permuted. */
const BUCKET_SIZE = 1 << 16;
const MOST_BUCKETS = 1 << 12;
/** Half a random word chooses among so many. */
const MOST_DRAWN = 1 << 16;
/** Messages moved in one call, two for each random word: one long loop is compiled again and again. */
const BLOCK = 1 << 14;

/**
 * One block of users' messages, moved to the buckets of a larger batch: bucket b holds messages [bounds[b],
 * bounds[b + 1]).
 */
export interface ScatteredBlock<Columns extends MessageColumns = MessageColumns> {
  readonly columns: Columns;
  readonly count: number;
  readonly bounds: Uint32Array;
}

/**
 * The first step of a shuffle by blocks: every message of the block goes to a uniformly random bucket. The
 * messages of one bucket, of all blocks together, are then shuffled; bucket after bucket they are the whole
 * batch in uniformly random order. The block is used up.
 *
 * @param buckets a power of two up to 2^16, the same for all blocks
 * @param stream of the block alone
 * @throws ParameterError
 */
export function scatterBlock<Columns extends MessageColumns>(
  messages: UserMessages<Columns>,
  buckets: number,
  stream: RandomStream,
): ScatteredBlock<Columns> {
  requireInteger('buckets', buckets, 1, MOST_DRAWN);
  if (!Number.isInteger(Math.log2(buckets))) throw new ParameterError('buckets', buckets, 'a power of two');
  const { columns, count } = messages;
  const bounds = scatterToBuckets(Object.values<Column>(columns), count, stream, buckets);
  messages.count = 0;
  return { columns, count, bounds };
}

/** As many buckets as fit the cache well, for a batch that is shuffled in memory. */
function bucketsFor(count: number): number {
  return Math.min(MOST_BUCKETS, 2 ** Math.max(1, Math.ceil(Math.log2(count / BUCKET_SIZE))));
}

/**
 * Moves the first `count` messages of all columns into buckets, one after the other, and returns their
 * bounds. The buckets are drawn anew for every column, by the generator set back to where it stood: that is
 * faster than to remember them.
 *
 * @throws ParameterError for 2^31 messages and more: places are counted in 32 bits
 */
export function scatterToBuckets(
  columns: readonly Column[],
  count: number,
  stream: RandomStream,
  buckets: number = bucketsFor(count),
): Uint32Array {
  requireInteger('messages', count, 0, 2 ** 31 - 1);
  const before = stream.state.slice();
  const bounds = countBuckets(count, buckets, stream);
  const buffer = spareMemory(count * Math.max(...columns.map((column) => column.BYTES_PER_ELEMENT)));
  for (const column of columns.map(sameBits)) {
    stream.state.set(before);
    const next = Int32Array.from(bounds.subarray(0, buckets));
    const scattered = elementsOf(column, buffer, count);
    for (let start = 0; start < count; start += BLOCK)
      moveBlock(column.subarray(start, Math.min(count, start + BLOCK)), scattered, next, stream);
    column.set(scattered);
  }
  return bounds;
}

/** Bucket b is to hold messages [bounds[b], bounds[b + 1]). */
function countBuckets(count: number, buckets: number, stream: RandomStream): Uint32Array {
  const counts = new Int32Array(buckets);
  for (let start = 0; start < count; start += BLOCK)
    countBlock(Math.min(BLOCK, count - start), counts, stream);
  const bounds = new Uint32Array(buckets + 1);
  for (let bucket = 0; bucket < buckets; bucket++) bounds[bucket + 1] = bounds[bucket]! + counts[bucket]!;
  return bounds;
}

/** Random words of one block of messages. */
const words = new Uint32Array(BLOCK / 2);

/**
 * Counts the buckets of so many messages. They are a power of two, at most 2^16, so each half of a random
 * word is one draw; of an odd number the last leaves a half unused.
 */
function countBlock(size: number, counts: Int32Array, stream: RandomStream): void {
  const mask = counts.length - 1;
  stream.fillUint32(words, 0, (size + 1) >>> 1);
  for (let i = 0; i < size; i += 2) {
    const word = words[i >>> 1]! | 0;
    const even = word & mask;
    counts[even] = (counts[even]! + 1) | 0;
    if (i + 1 === size) break;
    const odd = (word >>> 16) & mask;
    counts[odd] = (counts[odd]! + 1) | 0;
  }
}

/**
 * Moves a block of messages to the next place of the buckets that `countBlock` counted from the same state.
 */
function moveBlock(
  source: MovableColumn,
  target: MovableColumn,
  next: Int32Array,
  stream: RandomStream,
): void {
  const mask = next.length - 1;
  stream.fillUint32(words, 0, (source.length + 1) >>> 1);
  for (let i = 0; i < source.length; i += 2) {
    const word = words[i >>> 1]! | 0;
    const even = word & mask;
    const place = next[even]!;
    next[even] = (place + 1) | 0;
    target[place] = source[i]!;
    if (i + 1 === source.length) break;
    const odd = (word >>> 16) & mask;
    const other = next[odd]!;
    next[odd] = (other + 1) | 0;
    target[other] = source[i + 1]!;
  }
}

let spare: WeakRef<ArrayBuffer> | undefined;

/**
 * At least so many bytes. Memory used before is used again while it exists: fresh pages cost as much as all
 * the moves.
 */
function spareMemory(bytes: number): ArrayBuffer {
  const known = spare?.deref();
  if (known !== undefined && known.byteLength >= bytes) return known;
  const buffer = new ArrayBuffer(8 * Math.ceil(bytes / 8));
  spare = new WeakRef(buffer);
  return buffer;
}

/** The front of the buffer as `count` elements of the column's type. */
function elementsOf(column: MovableColumn, buffer: ArrayBuffer, count: number): MovableColumn {
  const Elements = column.constructor as new (
    buffer: ArrayBuffer,
    offset: number,
    length: number,
  ) => MovableColumn;
  return new Elements(buffer, 0, count);
}
