/**
 * What threads do of a trial by blocks: send the messages of a block of users, and count those of some
 * buckets.
 */
import { shuffle, scatterBlock } from '@shuffle-dp/shuffler';
import type { Cell } from '../kinds/cell.ts';
import type { DataCell } from '../kinds/data-cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import { sumOfRows } from '../kinds/sum-of-rows.ts';
import { answerOf, type Answer } from '../pool/answer.ts';
import { protocolOf, sourceOf } from './thread-memory.ts';
import { eachBucket, keepBlock, type KeptBlock } from './kept-block.ts';
import { dataStream, trialStream, type TrialName } from './trial.ts';
import type { MessageRound } from '@shuffle-dp/protocols';

/** A round of messages of one trial. */
export interface RoundOfTrial {
  readonly cell: Cell;
  readonly trial: TrialName;
  /** Of the rounds before. */
  readonly counts: readonly Float64Array[];
}

export interface BlockTask extends RoundOfTrial {
  readonly block: number;
  /** Of the block alone. */
  readonly data: DataCell;
  /** Of the whole batch. */
  readonly buckets: number;
  /** Where the messages go; null for memory. */
  readonly file: string | null;
}

export interface SentBlock {
  readonly messages: KeptBlock;
  /** What is true of the block's users. */
  readonly counted: AnyData;
}

/** The users of a block, their messages, and the bucket of each. */
export function sendBlock(task: BlockTask): Answer<SentBlock> {
  return answerOf(() => {
    const { cell, trial, block, data, buckets, file } = task;
    const kind = kindOf(data.holds);
    const users = kind.draw(sourceOf(data), data, dataStream(cell.data, trial).fork(`block ${block}`));
    const round = roundOf(task);
    const stream = trialStream(cell, trial).fork(round.stage).fork(`block ${block}`);
    const messages = round.send(users, stream.fork('messages'));
    return {
      messages: keepBlock(scatterBlock(messages, buckets, stream.fork('buckets')), file),
      counted: kind.blocks!.counted(users, data),
    };
  });
}

export interface BucketsTask extends RoundOfTrial {
  readonly blocks: readonly KeptBlock[];
  readonly from: number;
  readonly to: number;
}

/**
 * Shuffles the messages of each of the buckets, which are then a part of the shuffled batch, and counts them.
 */
export function countBuckets(task: BucketsTask): Answer<Float64Array> {
  return answerOf(() => {
    const { cell, trial, blocks, from, to } = task;
    const round = roundOf(task);
    const stream = trialStream(cell, trial).fork(round.stage);
    const counts: Float64Array[] = [];
    eachBucket(blocks, from, to, (columns, count, bucket) => {
      counts.push(round.count(shuffle({ columns, count }, stream.fork(`bucket ${bucket}`))));
    });
    return sumOfRows(counts);
  });
}

function roundOf({ cell, counts }: RoundOfTrial): MessageRound<AnyData> {
  const round = protocolOf(cell).messageRounds!(counts);
  if (round instanceof Float64Array) throw new Error('all rounds of the trial are over');
  return round;
}
