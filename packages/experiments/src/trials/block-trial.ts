/**
 * A trial whose users are met block by block, on all threads: each block draws its users, makes their
 * messages and sends every one to a uniformly random bucket; when all have, each bucket is shuffled and
 * counted. Blocks and buckets have random streams of their own, so the outcome is the same whatever the
 * number of threads, and wherever messages were kept (decision 0020).
 */
import { freemem } from 'node:os';
import type { Cell } from '../kinds/cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { sumOfRows } from '../kinds/sum-of-rows.ts';
import type { Answer } from '../pool/answer.ts';
import { forEachConcurrently, type Pool } from '../pool/pool.ts';
import { BLOCK_USERS } from './by-blocks.ts';
import type { RoundOfTrial, SentBlock } from './block-tasks.ts';
import { countBuckets, sendBlock } from './cell-tasks.ts';
import type { CellProtocol } from './cell-protocol.ts';
import type { KeptBlock } from './kept-block.ts';
import { MessageFiles } from './message-files.ts';
import { dataStream, type TrialName } from './trial.ts';

/**
 * Messages of a bucket, at most and about: so many fit the cache of a core, and are permuted without buckets
 * of their own.
 */
const MESSAGES_PER_BUCKET = 1_000_000;
const MOST_BUCKETS = 2 ** 16;
/** Buckets are handed out in so many parts, so that threads end together. */
const PARTS = 64;

export interface BlockOptions {
  /** Default `BLOCK_USERS`. */
  readonly blockUsers?: number;
  /** About, for the size of the buckets; default 1. */
  readonly messagesPerUser?: number;
  /** Messages beyond so many bytes go to files; default half of the memory that is free. */
  readonly memoryBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** What is estimated, and the data without their users. */
export interface BlockTrial {
  readonly estimates: Float64Array;
  readonly data: AnyData;
}

/**
 * A refusal of the protocol comes back as the answer. @throws the signal's reason when aborted; Error of the
 * system for files
 */
export async function runTrialByBlocks(
  pool: Pool,
  cell: Cell,
  rounds: NonNullable<CellProtocol['messageRounds']>,
  trial: TrialName,
  { blockUsers = BLOCK_USERS, messagesPerUser = 1, memoryBytes = freemem() / 2, signal }: BlockOptions = {},
): Promise<Answer<BlockTrial>> {
  const { data } = cell;
  const sizes = Array.from({ length: Math.ceil(data.users / blockUsers) }, (_, block) =>
    Math.min(blockUsers, data.users - block * blockUsers),
  );
  const ofBlocks = kindOf(data.holds).blocks!;
  const cut = ofBlocks.cut(data, sizes, dataStream(data, trial).fork('levels of blocks'));
  const buckets = bucketsFor(data.users * messagesPerUser);
  const lanes = 2 * Math.max(1, pool.workers);
  const files = new MessageFiles();
  try {
    const counts: Float64Array[] = [];
    let users: AnyData | null = null;
    for (let round = rounds(counts); ; round = rounds(counts)) {
      if (round instanceof Float64Array) return { value: { estimates: round, data: users! } };
      const current: RoundOfTrial = { cell, trial, counts: [...counts] };
      let kept = 0;
      // Rounds follow each other.
      // oxlint-disable-next-line no-await-in-loop
      const sent = await answers<SentBlock>(sizes.length, lanes, signal, async (block) => {
        // Blocks on their way take about as much as the largest so far.
        const file = kept < memoryBytes ? null : files.path(`${counts.length}-${block}`);
        const answer = await pool.run(sendBlock, { ...current, block, data: cut[block]!, buckets, file });
        if ('value' in answer && file === null) kept += answer.value.messages.bytes;
        return answer;
      });
      if ('refused' in sent) return sent;
      users ??= ofBlocks.sum(sent.value.map(({ counted }) => counted));
      const blocks: readonly KeptBlock[] = sent.value.map(({ messages }) => messages);
      const parts = Math.min(PARTS, buckets);
      // oxlint-disable-next-line no-await-in-loop
      const counted = await answers<Float64Array>(parts, lanes, signal, (part) => {
        const [from, to] = [(part * buckets) / parts, ((part + 1) * buckets) / parts];
        return pool.run(countBuckets, { ...current, blocks, from, to });
      });
      if ('refused' in counted) return counted;
      counts.push(sumOfRows(counted.value));
      files.empty();
    }
  } finally {
    files.empty();
  }
}

/** A power of two. */
function bucketsFor(messages: number): number {
  return Math.min(MOST_BUCKETS, 2 ** Math.max(1, Math.ceil(Math.log2(messages / MESSAGES_PER_BUCKET))));
}

/** The answers of tasks 0 to count - 1 in their order, or the first refusal. */
async function answers<Value>(
  count: number,
  lanes: number,
  signal: AbortSignal | undefined,
  perform: (index: number) => Promise<Answer<Value>>,
): Promise<Answer<Value[]>> {
  const values: Value[] = [];
  let refusal: { readonly refused: string } | null = null;
  await forEachConcurrently(Array.from({ length: count }).keys(), lanes, signal, async (index) => {
    if (refusal) return;
    const answer = await perform(index);
    if ('value' in answer) values[index] = answer.value;
    else refusal ??= answer;
  });
  return refusal ?? { value: values };
}
