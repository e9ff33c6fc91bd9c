/** Progress on stderr: a bar on a terminal, a plain line every half minute elsewhere, nothing when quiet. */
import type { RunProgress } from '@shuffle-dp/experiments/run';
import type { SingleBar } from 'cli-progress';
import { remainingTime } from './remaining-time.ts';

const LINE_EVERY_MS = 30_000;

export interface ProgressReporter {
  update(progress: RunProgress): void;
  stop(): void;
}

export async function progressReporter(quiet: boolean): Promise<ProgressReporter> {
  if (quiet) return { update: () => {}, stop: () => {} };
  return process.stderr.isTTY ? await barReporter() : lineReporter();
}

/** The same for trainings. */
export async function trainingProgress(
  quiet: boolean,
): Promise<{ update(done: number, total: number): void; stop(): void }> {
  const { update, stop } = await progressReporter(quiet);
  return {
    update: (done, total) => update({ phase: 'trainings', done, total, cellsDone: done, cells: total }),
    stop,
  };
}

/** A bar on stderr; what draws it is loaded only where there is a terminal. */
export async function stderrBar(format: string): Promise<SingleBar> {
  const { default: cliProgress } = await import('cli-progress');
  const look = { hideCursor: true, clearOnComplete: true, barsize: 30, fps: 8 };
  return new cliProgress.SingleBar({ stream: process.stderr, format, ...look });
}

async function barReporter(): Promise<ProgressReporter> {
  const bar = await stderrBar('{phase} [{bar}] {percentage} % | {cells} | {left}');
  const clock = remainingTime();
  let phase: string | null = null;
  return {
    update(progress) {
      const payload = {
        phase: progress.phase,
        cells: doneText(progress),
        left: clock(progress),
      };
      if (phase === progress.phase) bar.update(progress.done, payload);
      else {
        if (phase !== null) bar.stop();
        bar.start(progress.total, progress.done, payload);
        phase = progress.phase;
      }
    },
    stop: () => {
      if (phase !== null) bar.stop();
    },
  };
}

function lineReporter(): ProgressReporter {
  const clock = remainingTime();
  let last = performance.now();
  return {
    update(progress) {
      const left = clock(progress);
      if (performance.now() - last < LINE_EVERY_MS) return;
      last = performance.now();
      const percent = progress.total > 0 ? Math.floor((100 * progress.done) / progress.total) : 100;
      process.stderr.write(`${progress.phase} ${percent} %, ${doneText(progress)}, ${left}\n`);
    },
    stop: () => {},
  };
}

function doneText({ phase, cellsDone, cells }: RunProgress): string {
  return `${cellsDone}/${cells} ${phase === 'trainings' ? phase : 'cells'}`;
}
