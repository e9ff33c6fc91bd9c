/**
 * What is learnt from rounds of shuffled histograms, at several numbers of messages: each given, or the least that meets a target. All trials of a
 * number are one line of the journal.
 */
import { setImmediate } from 'node:timers/promises';
import { OutOfRegimeError, ParameterError } from '@shuffle-dp/core';
import { leastMessagesPerUser, worstForestEpsilon, type ShuffledRounds } from '@shuffle-dp/protocols';
import { ConfigError } from '../documents/config-error.ts';
import { taskError } from '../pool/task-error.ts';
import { Pace, type Checkpoints } from '../run-folder/checkpoints.ts';
import { DiskError } from '../run-folder/disk-error.ts';
import type { JournalEntry } from '../run-folder/journal.ts';
import type { FinishedWork, JournalledRunOptions } from '../run-folder/journalled-run.ts';

export interface SweepOptions<Run> extends JournalledRunOptions<Run> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** One number of messages. */
export interface SweptResult<Trial> extends JournalEntry {
  readonly messagesPerUser: number;
  /** Certified upper end, over all rounds. */
  readonly epsilon: number;
  /** The target that chose the number of messages; null where it was given. */
  readonly target: number | null;
  readonly trials: readonly Trial[];
}

/** What every number of messages shares. `Trial` is plain data. */
export interface MessageSweep<Trial> {
  readonly configFile: string;
  readonly config: {
    readonly trials: number;
    readonly messagesPerUser?: number | readonly number[] | undefined;
    readonly epsilon?: number | readonly number[] | undefined;
  };
  readonly delta: number;
  /** All rounds with m messages of a user in each; of each variant that a statement must cover. */
  readonly roundsAt: (messagesPerUser: number) => readonly (readonly ShuffledRounds[])[];
  readonly perform: (messagesPerUser: number, trial: number) => Trial;
}

/** Far above what an accuracy tells apart, and a tenth of the time. */
const WIDTH = { relativeWidth: 1e-3 };

/** What the journal lacks is performed. @throws ConfigError, DiskError; and the signal's reason when aborted */
export async function sweepMessages<Trial>(
  sweep: MessageSweep<Trial>,
  finished: FinishedWork<SweptResult<Trial>>,
  { signal, onProgress }: Pick<SweepOptions<never>, 'signal' | 'onProgress'>,
): Promise<SweptResult<Trial>[]> {
  const points = sweptPoints(sweep.config);
  try {
    for (const [index, point] of points.entries()) {
      signal?.throwIfAborted();
      // One after the other: each takes a core.
      // oxlint-disable-next-line no-await-in-loop
      if (!finished.get(point.cell)) finished.add(await sweepAt(sweep, point, finished.checkpoints, signal));
      onProgress?.(index + 1, points.length);
    }
  } catch (error) {
    if (error instanceof ParameterError || error instanceof OutOfRegimeError)
      throw new ConfigError(`${sweep.configFile}: ${error.message}`);
    signal?.throwIfAborted();
    throw error instanceof DiskError ? error : taskError(error);
  }
  return points.map(({ cell }) => finished.get(cell)!);
}

interface SweptPoint {
  readonly cell: string;
  readonly messagesPerUser?: number;
  readonly epsilon?: number;
}

function sweptPoints({ messagesPerUser, epsilon }: MessageSweep<never>['config']): SweptPoint[] {
  const list = (value: number | readonly number[] | undefined): readonly number[] =>
    value === undefined ? [] : typeof value === 'number' ? [value] : value;
  return [
    ...list(messagesPerUser).map((messages) => ({ cell: `m = ${messages}`, messagesPerUser: messages })),
    ...list(epsilon).map((target) => ({ cell: `epsilon = ${target}`, epsilon: target })),
  ];
}

/** What is known of a point before all its trials are done. */
interface BegunPoint<Trial> {
  readonly messagesPerUser: number;
  readonly epsilon: number;
  readonly trials: Trial[];
}

async function sweepAt<Trial>(
  { config, delta, roundsAt, perform }: MessageSweep<Trial>,
  { cell, messagesPerUser: given, epsilon: target }: SweptPoint,
  checkpoints: Checkpoints,
  signal: AbortSignal | undefined,
): Promise<SweptResult<Trial>> {
  const begin = (): BegunPoint<Trial> => {
    const messagesPerUser = given ?? leastMessagesPerUser(roundsAt, target!, delta, WIDTH);
    return {
      messagesPerUser,
      epsilon: worstForestEpsilon(roundsAt(messagesPerUser), delta, WIDTH),
      trials: [],
    };
  };
  const pace = new Pace();
  const begun = (checkpoints.read(cell) as BegunPoint<Trial> | null) ?? begin();
  const { messagesPerUser, epsilon, trials } = begun;
  const save = (): void => checkpoints.write(cell, begun);
  if (pace.isDue()) pace.keep(save);
  while (trials.length < config.trials) {
    // Lets Ctrl-C and progress through.
    // oxlint-disable-next-line no-await-in-loop
    await setImmediate();
    signal?.throwIfAborted();
    trials.push(perform(messagesPerUser, trials.length));
    if (pace.isDue()) pace.keep(save);
  }
  return { cell, messagesPerUser, epsilon, target: target ?? null, trials };
}
