/**
 * Progress of work in steps of known cost, such as figures: each line of what is being done, with the time
 * left.
 */
import { printNote } from '../output/print.ts';
import { stderrBar } from './progress.ts';
import { durationText } from './remaining-time.ts';

export interface StepProgress {
  /** What the current step is doing, and how much of it is done where that is known. */
  report(line: string, share?: number): void;
  /** The current step is done. */
  next(): void;
  stop(): void;
}

/**
 * @param known about how many seconds each step takes; on other machines they are in proportion. Null for one
 * step of which nothing is known
 */
export async function stepProgress(known: readonly number[] | null, quiet: boolean): Promise<StepProgress> {
  if (quiet) return { report: () => {}, next: () => {}, stop: () => {} };
  const costs = known ?? [1];
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const seconds = (): number => performance.now() / 1000;
  // Where nothing is known, what comes before something is done, as the start of threads, tells no pace.
  let first = known === null ? null : { reached: 0, at: seconds() };
  let step = 0;
  let done = 0;
  const next = (): void => void (done += costs[step++] ?? 0);
  const doneWith = (share: number): number => done + share * (costs[step] ?? 0);
  const left = (share = 0): string => {
    const reached = doneWith(share);
    if (reached > 0) first ??= { reached, at: seconds() };
    const isSeen = first !== null && reached > first.reached;
    if (!isSeen && known === null) return 'time left not known yet';
    const pace = isSeen ? (seconds() - first!.at) / (reached - first!.reached) : 1;
    return `about ${durationText(pace * (total - reached))} left`;
  };
  const count = (): string =>
    costs.length === 1 ? '' : `${Math.min(step + 1, costs.length)}/${costs.length} `;
  if (!process.stderr.isTTY) {
    const report = (line: string): void =>
      printNote(`${count()}${line}${costs.length > 1 ? ` (${left()})` : ''}`);
    return { report, next, stop: () => {} };
  }
  const bar = await stderrBar('[{bar}] {percentage} % | {count}{line} | {left}');
  bar.start(total, 0, { count: count(), line: 'starting', left: left() });
  return {
    report: (line, share = 0) => bar.update(doneWith(share), { count: count(), line, left: left(share) }),
    next,
    stop: () => bar.stop(),
  };
}
