/** One measured number, beside a plain baseline measured in the same run. */
export interface BenchmarkRow {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: Baseline;
  /** How many times better than the baseline. */
  readonly ratio?: number;
  /** What other programs reach at this, each measured on a quiet machine of about this speed. */
  readonly others?: string;
}

/** The same work as one would first write it. */
interface Baseline {
  readonly name: string;
  readonly value: number;
}

/** Long enough for the optimising compiler, which works beside the program, to have taken over. */
const WARM_UP_SECONDS = 0.15;
const MEASURED_SECONDS = 0.25;

/**
 * Seconds of the fastest of several runs: at least `repeats`, more while they are short; others come first to
 * warm up. A run of a few milliseconds is now and then left alone on a busy machine, a longer one is not.
 */
export function fastest(run: () => unknown, repeats = 5): number {
  const now = (): number => performance.now() / 1000;
  for (const start = now(); now() - start < WARM_UP_SECONDS;) run();
  let least = Infinity;
  const start = now();
  for (let i = 0; i < repeats || now() - start < MEASURED_SECONDS; i++) {
    const from = now();
    run();
    least = Math.min(least, now() - from);
  }
  return least;
}

/** Seconds of one run, of what takes long enough to be compiled on the way. */
export function once(run: () => unknown): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}

/** A row of a rate, where more is better. */
export function rateRow(
  group: string,
  name: string,
  unit: string,
  value: number,
  baseline?: Baseline,
  others?: string,
): BenchmarkRow {
  return {
    group,
    name,
    value,
    unit,
    ...(baseline ? { baseline, ratio: value / baseline.value } : {}),
    ...(others === undefined ? {} : { others }),
  };
}

const TIME_UNITS = { s: 1, ms: 1e3, us: 1e6, 'ns a draw': 1e9, 'ns a message': 1e9 } as const;

/** A row of a time, where less is better; both times in seconds. */
export function timeRow(
  group: string,
  name: string,
  unit: keyof typeof TIME_UNITS,
  seconds: number,
  baseline?: { readonly name: string; readonly seconds: number },
  others?: string,
): BenchmarkRow {
  const scale = TIME_UNITS[unit];
  return {
    group,
    name,
    value: seconds * scale,
    unit,
    ...(baseline
      ? {
          baseline: { name: baseline.name, value: baseline.seconds * scale },
          ratio: baseline.seconds / seconds,
        }
      : {}),
    ...(others === undefined ? {} : { others }),
  };
}
