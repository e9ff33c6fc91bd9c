/** One measured number, beside a plain baseline measured in the same run. */
export interface BenchmarkRow {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: { readonly name: string; readonly value: number };
  /** How many times better than the baseline. */
  readonly ratio?: number;
  /** What other programs reach at this, each measured on a quiet machine of about this speed. */
  readonly others?: string;
}

/** Long enough for the optimising compiler, which works beside the program, to have taken over. */
const WARM_UP_SECONDS = 0.15;
const MEASURED_SECONDS = 0.25;

/**
 * Seconds of the fastest of several runs: at least `repeats`, more while they are short; others come first to warm up. A
 * run of a few milliseconds is now and then left alone on a busy machine, a longer one is not.
 */
export function fastest(run: () => void, repeats = 5): number {
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

/** A row of a rate, where more is better. */
export function rateRow(
  group: string,
  name: string,
  unit: string,
  value: number,
  baseline?: { readonly name: string; readonly value: number },
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
