/** Ctrl-C: work stops where it is, or after what it is at, and says how to go on. */
import { WITH_RESUME } from '@shuffle-dp/experiments/words';
import { EXIT_INTERRUPTED, InterruptedError } from '../exit.ts';

/**
 * A second Ctrl-C this long after the first ends the process at once; earlier ones are echoes of the first.
 */
const PATIENCE_MS = 1000;

/** Does `work`; the first Ctrl-C meanwhile calls `interrupt`, and a second one ends the process. */
export async function whileInterruptible<Result>(
  interrupt: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  let interruptedAt = 0;
  const listener = (): void => {
    if (interruptedAt === 0) interrupt();
    else if (performance.now() - interruptedAt > PATIENCE_MS) process.exit(EXIT_INTERRUPTED);
    interruptedAt ||= performance.now();
  };
  process.on('SIGINT', listener).on('SIGTERM', listener);
  try {
    return await work();
  } finally {
    process.off('SIGINT', listener).off('SIGTERM', listener);
  }
}

interface InterruptedWork {
  /** What is kept, in words. */
  readonly kept?: string | undefined;
  /** How the user goes on. */
  readonly goOn?: string | undefined;
}

/**
 * Runs `work` with a signal that Ctrl-C raises; what is finished by then stays in `out`, or is lost where
 * that is null.
 */
export async function interruptible<Result>(
  out: string | null,
  work: (signal: AbortSignal) => Promise<Result>,
  { kept = 'finished cells are', goOn = WITH_RESUME }: InterruptedWork = {},
): Promise<Result> {
  const interruption = new AbortController();
  const told = out === null ? 'nothing is kept' : `${kept} kept in ${out}: ${goOn}`;
  const interrupt = (): void => interruption.abort(new InterruptedError(`interrupted; ${told}`));
  return whileInterruptible(interrupt, () => work(interruption.signal)).catch((error: unknown) => {
    // A run that was to replace another one, and had nothing to show.
    const isAsBefore = error instanceof Error && error.cause instanceof InterruptedError;
    throw isAsBefore ? new InterruptedError(`interrupted; ${out} is as it was`) : error;
  });
}
