/** One measured number, beside a plain baseline measured in the same run. */
export interface BenchmarkRow {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: { readonly name: string; readonly value: number };
  /** How many times better than the baseline. */
  readonly ratio?: number;
}

/** Seconds of the fastest of several runs, after one to warm up. */
export function fastest(run: () => void, repeats = 5): number {
  run();
  let least = Infinity;
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least / 1000;
}

/** A row of a rate, where more is better. */
export function rateRow(
  group: string,
  name: string,
  unit: string,
  value: number,
  baseline?: { readonly name: string; readonly value: number },
): BenchmarkRow {
  return { group, name, value, unit, ...(baseline ? { baseline, ratio: value / baseline.value } : {}) };
}
