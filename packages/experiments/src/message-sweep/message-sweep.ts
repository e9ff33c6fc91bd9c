/**
 * What is learnt from rounds of shuffled histograms, at several numbers of messages: each given, or the least
 * that meets a target. All trials of a number are one line of the journal.
 */
import { keptByKey } from '@shuffle-dp/core';
import { leastMessagesPerUser, worstEpsilonOfRounds, type ShuffledRounds } from '@shuffle-dp/protocols';
import { ConfigError } from '../documents/config-error.ts';
import { answerOf, type Answer } from '../pool/answer.ts';
import { forEachConcurrently, threadsFor, withPool, type Pool, type PoolOptions } from '../pool/pool.ts';
import { Pace } from '../run-folder/checkpoints.ts';
import type { JournalEntry } from '../run-folder/journal.ts';
import type { FinishedWork, JournalledRunOptions } from '../run-folder/journalled-run.ts';

export interface SweepOptions<Run> extends JournalledRunOptions<Run>, PoolOptions {
  /** Told how many trials of all are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** One number of messages. */
export interface SweptResult<Trial> extends JournalEntry, SettledPoint {
  /** The target that chose the number of messages; null where it was given. */
  readonly target: number | null;
  readonly trials: readonly Trial[];
}

/** What is known of a point before its trials. */
export interface SettledPoint {
  readonly messagesPerUser: number;
  /** Certified upper end, over all rounds. */
  readonly epsilon: number;
}

/** Exactly one of the two. */
interface AskedPoint {
  readonly messagesPerUser?: number;
  readonly epsilon?: number;
}

/** What a thread, or another machine, is given of a point. `Source` is what all points share. */
export interface PointTask<Source> {
  readonly source: Source;
  readonly asked: AskedPoint;
}

export interface TrialTask<Source> {
  readonly source: Source;
  readonly messagesPerUser: number;
  readonly trial: number;
}

/** What every number of messages shares. `Source` and `Trial` are plain data. */
export interface MessageSweep<Source, Trial> {
  readonly configFile: string;
  readonly config: {
    readonly trials: number;
    readonly messagesPerUser?: number | readonly number[] | undefined;
    readonly epsilon?: number | readonly number[] | undefined;
  };
  /** URL of the module that exports `settle` and `perform`. */
  readonly module: string;
  /** For the threads of this pool, or for other machines. */
  readonly sourceFor: (pool: Pool) => Source;
  readonly settle: (task: PointTask<Source>) => Answer<SettledPoint>;
  readonly perform: (task: TrialTask<Source>) => Answer<Trial>;
}

/** Far above what an accuracy tells apart, and a tenth of the time. */
const WIDTH = { relativeWidth: 1e-3 };

/**
 * The number of messages that is asked for, or that meets the target, and what it proves. @param roundsAt all
 * rounds with m messages of a user in each; of each variant that a statement must cover
 */
export function settledPoint(
  { messagesPerUser: given, epsilon: target }: AskedPoint,
  delta: number,
  roundsAt: (messagesPerUser: number) => readonly (readonly ShuffledRounds[])[],
): Answer<SettledPoint> {
  return answerOf(() => {
    const messagesPerUser = given ?? leastMessagesPerUser(roundsAt, target!, delta, WIDTH);
    return { messagesPerUser, epsilon: worstEpsilonOfRounds(roundsAt(messagesPerUser), delta, WIDTH) };
  });
}

/**
 * What the journal lacks is performed. @throws ConfigError, DiskError, TaskError; and the signal's reason
 * when aborted
 */
export async function sweepMessages<Source, Trial>(
  sweep: MessageSweep<Source, Trial>,
  finished: FinishedWork<SweptResult<Trial>>,
  options: Omit<SweepOptions<never>, 'write'>,
): Promise<SweptResult<Trial>[]> {
  const points = sweptPoints(sweep.config);
  const missing = points.filter(({ cell }) => !finished.get(cell));
  if (missing.length > 0) {
    const workers = threadsFor(options.workers, missing.length * sweep.config.trials, options.onNotice);
    await withPool(sweep.module, { ...options, workers }, (pool) =>
      performMissing(sweep, missing, finished, pool, {
        ...options,
        before: points.length - missing.length,
      }),
    );
  }
  return points.map(({ cell }) => finished.get(cell)!);
}

interface SweptPoint extends AskedPoint {
  readonly cell: string;
}

function sweptPoints({ messagesPerUser, epsilon }: MessageSweep<never, never>['config']): SweptPoint[] {
  const list = (value: number | readonly number[] | undefined): readonly number[] =>
    value === undefined ? [] : typeof value === 'number' ? [value] : value;
  return [
    ...list(messagesPerUser).map((messages) => ({ cell: `m = ${messages}`, messagesPerUser: messages })),
    ...list(epsilon).map((target) => ({ cell: `epsilon = ${target}`, epsilon: target })),
  ];
}

/** What its checkpoint keeps: a trial that is not done is null. */
interface BegunPoint<Trial> extends SettledPoint {
  readonly trials: (Trial | null)[];
}

/** First every point's number of messages, then the trials of all. */
async function performMissing<Source, Trial>(
  { configFile, config, sourceFor, settle, perform }: MessageSweep<Source, Trial>,
  missing: readonly SweptPoint[],
  finished: FinishedWork<SweptResult<Trial>>,
  pool: Pool,
  { signal, onProgress, before }: Omit<SweepOptions<never>, 'write'> & { readonly before: number },
): Promise<void> {
  const source = sourceFor(pool);
  const { checkpoints } = finished;
  const lanes = Math.max(1, pool.workers);
  const valueOf = <Value>(answer: Answer<Value>): Value => {
    if ('refused' in answer) throw new ConfigError(`${configFile}: ${answer.refused}`);
    return answer.value;
  };
  const total = (before + missing.length) * config.trials;
  let done = before * config.trials;
  const begun = new Map<SweptPoint, { readonly point: BegunPoint<Trial>; readonly pace: Pace }>();
  await forEachConcurrently(missing, lanes, signal, async (asked) => {
    const pace = new Pace();
    const kept = checkpoints.read(asked.cell) as BegunPoint<Trial> | null;
    const { cell: _, ...only } = asked;
    const point = kept ?? {
      ...valueOf(await pool.run(settle, { source, asked: only })),
      trials: Array.from({ length: config.trials }, () => null),
    };
    begun.set(asked, { point, pace });
    if (!kept && pace.isDue()) pace.keep(() => checkpoints.write(asked.cell, point));
    done += point.trials.filter((trial) => trial !== null).length;
    onProgress?.(done, total);
  });
  const trials = missing.flatMap((asked) =>
    begun.get(asked)!.point.trials.flatMap((known, trial) => (known === null ? [{ asked, trial }] : [])),
  );
  // Targets that settle on one number of messages share its trials.
  const shared = keptByKey<Promise<Trial>>();
  await forEachConcurrently(trials, lanes, signal, async ({ asked, trial }) => {
    const { point, pace } = begun.get(asked)!;
    const { messagesPerUser, epsilon } = point;
    point.trials[trial] = await shared(`${messagesPerUser} ${trial}`, () =>
      pool.run(perform, { source, messagesPerUser, trial }).then(valueOf),
    );
    done++;
    const known = point.trials.filter((each) => each !== null);
    if (known.length === config.trials)
      finished.add({
        cell: asked.cell,
        messagesPerUser,
        epsilon,
        target: asked.epsilon ?? null,
        trials: known,
      });
    else if (pace.isDue()) pace.keep(() => checkpoints.write(asked.cell, point));
    onProgress?.(done, total);
  });
}
