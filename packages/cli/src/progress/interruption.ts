/** Ctrl-C: the run stops where it is, and says how to go on. */
import { EXIT_INTERRUPTED, InterruptedError } from '../exit.ts';

/**
 * A second Ctrl-C this long after the first ends the process at once; earlier ones are echoes of the first.
 */
const PATIENCE_MS = 1000;

/**
 * Runs `work` with a signal that Ctrl-C raises; what is finished by then stays in `out`, or is lost where
 * that is null.
 */
export async function interruptible<Result>(
  out: string | null,
  work: (signal: AbortSignal) => Promise<Result>,
  { kept = 'finished cells are', goOn = 'add --resume to the same command, without --force, to go on' } = {},
): Promise<Result> {
  const interruption = new AbortController();
  let interruptedAt = 0;
  const interrupt = (): void => {
    if (interruptedAt > 0 && performance.now() - interruptedAt > PATIENCE_MS) process.exit(EXIT_INTERRUPTED);
    interruptedAt ||= performance.now();
    const told = out === null ? 'nothing is kept' : `${kept} kept in ${out}: ${goOn}`;
    interruption.abort(new InterruptedError(`interrupted; ${told}`));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
