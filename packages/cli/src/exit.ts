/**
 * How commands end: 0 for success, 1 for a run that failed, 2 for bad usage or a bad config; one line on
 * stderr.
 */
import { inspect } from 'node:util';
import { errorCode } from '@shuffle-dp/core';
import { withoutControls } from '@shuffle-dp/experiments/words';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** By the shells' convention, 128 plus the signal's number. */
export const EXIT_INTERRUPTED = 130;

/** What was checked does not hold: a verdict, no fault of the program. */
export class CheckFailedError extends Error {
  override readonly name = 'CheckFailedError';
  readonly code = 'check-failed';
}

/** The user stopped the run. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly code = 'interrupted';
}

/** Codes of errors that say what is wrong with the request, as opposed to faults of the program. */
const REFUSALS = new Set([
  'bad-usage',
  'bad-config',
  'bad-data',
  'bad-output',
  'locked',
  'bad-parameter',
  'bad-budgets',
  'out-of-regime',
  'bad-journal',
  'bad-merge',
  'bad-certificate',
  'small-batch',
  'bad-queue',
]);

export function exitCodeOf(error: unknown): number {
  if (isOfGoneFolder(error)) return EXIT_USAGE;
  const code = errorCode(error);
  if (code === 'interrupted') return EXIT_INTERRUPTED;
  return code !== undefined && REFUSALS.has(code) ? EXIT_USAGE : EXIT_FAILED;
}

/** Codes of failures that the user cannot mend: their trace is shown. */
const FAULTS_OF_THE_PROGRAM = new Set([undefined, 'no-bracket']);

/** The folder that the program was started in was removed: no relative path leads anywhere. */
function isOfGoneFolder(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall === 'uv_cwd';
}

/** One line for what the user can mend; the whole trace for what they cannot. */
export function describeFailure(error: unknown): string {
  if (isOfGoneFolder(error)) return 'the current folder is gone: change to one that is there';
  if (!(error instanceof Error)) return withoutControls(inspect(error, { breakLength: Infinity, depth: 1 }));
  if (!FAULTS_OF_THE_PROGRAM.has(errorCode(error))) return withoutControls(error.message);
  if (error instanceof RangeError && error.message === 'Array buffer allocation failed')
    return 'this takes more memory than there is';
  return error.stack ?? error.message;
}
