/**
 * The shuffler: the one place where messages lose the order of their users.
 *
 * `shuffle` and `shuffleRows` make the `ShuffledMessages` that analyzers ask for; what is sealed, or met
 * block by block, loses its order where it is opened or counted. Every permutation is equally likely. Up to a
 * million messages Fisher and Yates's method runs in place; beyond, random access to memory costs more than
 * arithmetic, so messages are first scattered to random buckets that fit the cache and then permuted inside
 * each (P. Sanders, "Random permutations on distributed, external and hierarchical memory", IPL 67(6), 1998).
 */
import type { Column, MessageColumns, RandomStream, ShuffledMessages, UserMessages } from '@shuffle-dp/core';
import { scatterToBuckets } from './bucket-scatter.ts';
import { LONGEST_RANGE, permuteInPlace } from './fisher-yates.ts';

export interface ShuffleOptions {
  /** Messages above which buckets are used; default 2^20, at most 2^21. */
  readonly bucketsFrom?: number;
}

const BUCKETS_FROM = 1 << 20;

/**
 * Permutes the messages uniformly, all columns of a message together, and hands them on. The user batch is
 * used up: its count becomes 0, so that nothing in user order is left.
 *
 * @example shuffle({ columns: { value: Uint8Array.of(1, 2, 3) }, count: 3 }, RandomStream.fromSeed('example')).count // 3
 */
export function shuffle<Columns extends MessageColumns>(
  messages: UserMessages<Columns>,
  stream: RandomStream,
  { bucketsFrom = BUCKETS_FROM }: ShuffleOptions = {},
): ShuffledMessages<Columns> {
  const { count } = messages;
  const columns = Object.values<Column>(messages.columns);
  if (count > Math.min(bucketsFrom, LONGEST_RANGE)) {
    const bounds = scatterToBuckets(columns, count, stream);
    for (let bucket = 0; bucket + 1 < bounds.length; bucket++) {
      permuteInPlace(columns, bounds[bucket]!, bounds[bucket + 1]!, stream);
    }
  } else {
    permuteInPlace(columns, 0, count, stream);
  }
  messages.count = 0;
  return { columns: messages.columns, count } as ShuffledMessages<Columns>;
}
