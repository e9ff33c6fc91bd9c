/** A run that could not go on: what it has finished is on the disk, and the message says what to do. */
import { errorCode } from '@shuffle-dp/core';
import { DiskError } from './disk-error.ts';
import { OutputError } from './make-folder.ts';
import { TaskError } from '../pool/task-error.ts';
import { WITH_RESUME } from '../words/going-on.ts';

export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly code = 'stopped';
}

/** The same error, unless it is one that --resume gets over. @param goOn how the user goes on with the run */
export function asStopped(error: unknown, out: string, goOn = WITH_RESUME): unknown {
  const kept = `finished cells are kept in ${out}`;
  if (error instanceof DiskError && error.wantsSpace)
    return new StoppedError(`${error.message}; ${kept}: free some space, then ${goOn}`, { cause: error });
  if (error instanceof DiskError || error instanceof OutputError)
    return new StoppedError(`${error.message}; ${kept}: when that is mended, ${goOn}`, { cause: error });
  if (error instanceof TaskError)
    return new StoppedError(`${error.message}; ${kept}: ${goOn}`, { cause: error });
  return error;
}

/** The same for a run that had nothing to show: what it was to replace is there again. */
export function asBefore(error: unknown, out: string): unknown {
  const isKnown = error instanceof DiskError || error instanceof OutputError || error instanceof TaskError;
  if (!isKnown && errorCode(error) !== 'interrupted') return error;
  return new StoppedError(`${(error as Error).message}; ${out} is as it was`, { cause: error });
}

/**
 * The same for a merge, which has nothing to go on with.
 *
 * @param isWritten whether the merged journal is in `out`; otherwise what was there before is there again
 */
export function asUnmerged(error: unknown, out: string, isWritten: boolean): unknown {
  if (!(error instanceof DiskError || error instanceof OutputError)) return error;
  const state = isWritten ? `the merged cells are kept in ${out}` : `${out} is as it was`;
  const step = error instanceof DiskError && error.wantsSpace ? 'free some space' : 'mend that';
  const again = `then give the same command again${isWritten ? ', with --force' : ''}`;
  return new StoppedError(`${error.message}; ${state}: ${step}, ${again}`, { cause: error });
}
