/** How long a run still takes, by what it has done so far. */
import type { RunProgress } from '@shuffle-dp/experiments/run';

/** By less than a second, and by what comes before anything is done, no pace is told. */
const LEAST_SECONDS = 1;
/**
 * The first step of a phase makes what all share: it tells the pace only where it is so much of the whole.
 */
const LARGE_SHARE = 0.05;

interface Moment {
  readonly done: number;
  readonly seconds: number;
}

/**
 * What a line of progress says of the time left, from one report to the next.
 * @param seconds a clock
 */
export function remainingTime(
  seconds = (): number => performance.now() / 1000,
): (progress: Pick<RunProgress, 'phase' | 'done' | 'total'>) => string {
  let current: string | null = null;
  // What a resumed run finds done took none of this time.
  let begin: Moment = { done: 0, seconds: 0 };
  let first: Moment | null = null;
  return ({ phase, done, total }) => {
    const now = { done, seconds: seconds() };
    if (phase !== current) [current, begin, first] = [phase, now, null];
    if (done > begin.done) first ??= now;
    const isLarge = done - begin.done >= LARGE_SHARE * total;
    const since = first !== null && done > first.done ? first : isLarge ? begin : null;
    if (since === null || now.seconds - since.seconds < LEAST_SECONDS) return 'estimating';
    return `${durationText(((now.seconds - since.seconds) * (total - done)) / (done - since.done))} left`;
  };
}

export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
