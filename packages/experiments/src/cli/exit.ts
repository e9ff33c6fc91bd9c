/** How commands end: 0 for success, 1 for a run that failed, 2 for bad usage or a bad config; one line on stderr. */
import { inspect } from 'node:util';
import { withoutControls } from '../config/control-characters.ts';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** By the shells' convention, 128 plus the signal's number. */
export const EXIT_INTERRUPTED = 130;

/** A request that makes no sense; its message is one line for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The user stopped the run. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** Errors that say what is wrong with the request, as opposed to faults of the program. */
const REFUSALS = new Set([
  'UsageError',
  'ConfigError',
  'DataFileError',
  'OutputError',
  'LockedError',
  'ParameterError',
  'OutOfRegimeError',
  'JournalError',
  'MergeError',
]);

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return EXIT_FAILED;
  if (error.name === 'InterruptedError') return EXIT_INTERRUPTED;
  return REFUSALS.has(error.name) ? EXIT_USAGE : EXIT_FAILED;
}

/** Failures that are no fault of the program either: a disk, a run that can go on. */
const OUTSIDE_FAULTS = new Set(['StoppedError', 'DiskError', 'TaskError']);

/** One line for what the user can mend; the whole trace for what they cannot. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return withoutControls(inspect(error, { breakLength: Infinity, depth: 1 }));
  const code = exitCodeOf(error);
  if (code !== EXIT_FAILED || OUTSIDE_FAULTS.has(error.name) || 'code' in error)
    return withoutControls(error.message);
  if (error instanceof RangeError && error.message === 'Array buffer allocation failed')
    return 'this takes more memory than there is';
  return error.stack ?? error.message;
}
