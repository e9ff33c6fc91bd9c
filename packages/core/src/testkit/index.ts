/** @module Statistical tests for tests. Each returns a p-value; the caller states the significance. */
import { regularizedGammaTail } from '../numeric/incomplete-gamma.ts';
import { normalTail } from '../numeric/normal-distribution.ts';

export { aim } from './aimed-stream.ts';
export { ReferenceGenerator } from './reference-generator.ts';

/** Cells with fewer expected counts are pooled, as the chi-square law needs. */
const SMALLEST_CELL = 8;

export interface ChiSquareResult {
  readonly statistic: number;
  readonly degrees: number;
  readonly pValue: number;
}

/** Pearson's test of observed counts against expected ones (same total); small cells are pooled. */
export function chiSquareTest(observed: ArrayLike<number>, expected: ArrayLike<number>): ChiSquareResult {
  for (let i = 0; i < expected.length; i++)
    if (expected[i] === 0 && observed[i]! > 0) return { statistic: Infinity, degrees: 1, pValue: 0 };
  return fromCells(
    pool(observed, expected, (_, wanted) => wanted >= SMALLEST_CELL),
    (seen, wanted) => (seen - wanted) ** 2 / wanted,
  );
}

/**
 * Whether two tables of counts come from one distribution; cells are those of the tables, small ones pooled.
 */
export function twoSampleChiSquare(first: ArrayLike<number>, second: ArrayLike<number>): ChiSquareResult {
  const total = (table: ArrayLike<number>): number =>
    Array.from(table).reduce((sum, count) => sum + count, 0);
  const ratio = Math.sqrt(total(second) / total(first));
  return fromCells(
    pool(first, second, (a, b) => a + b >= 2 * SMALLEST_CELL),
    (a, b) => (a * ratio - b / ratio) ** 2 / (a + b),
  );
}

type Cell = readonly [first: number, second: number];

/** Neighbouring cells added up until they are large enough; what is left at the end joins the last. */
function pool(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  enough: (first: number, second: number) => boolean,
): Cell[] {
  const cells: Cell[] = [];
  let [a, b] = [0, 0];
  for (let i = 0; i < first.length; i++) {
    a += first[i]!;
    b += second[i]!;
    if (!enough(a, b)) continue;
    cells.push([a, b]);
    [a, b] = [0, 0];
  }
  const [lastA, lastB] = cells.pop() ?? [0, 0];
  return [...cells, [lastA + a, lastB + b]];
}

function fromCells(cells: readonly Cell[], term: (first: number, second: number) => number): ChiSquareResult {
  const statistic = cells.reduce((sum, [first, second]) => sum + term(first, second), 0);
  const degrees = Math.max(1, cells.length - 1);
  return { statistic, degrees, pValue: regularizedGammaTail(degrees / 2, statistic / 2) };
}

/**
 * Two-sided p-value of the Kolmogorov-Smirnov statistic of samples against a continuous cdf (asymptotic law).
 */
export function kolmogorovSmirnov(samples: Float64Array, cdf: (x: number) => number): number {
  const sorted = Float64Array.from(samples).sort();
  const n = sorted.length;
  let distance = 0;
  for (let i = 0; i < n; i++) {
    const value = cdf(sorted[i]!);
    distance = Math.max(distance, (i + 1) / n - value, value - i / n);
  }
  const t = (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n)) * distance;
  let pValue = 0;
  for (let k = 1; k <= 100; k++) pValue += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * t * t);
  return t < 0.2 ? 1 : Math.min(1, Math.max(0, pValue));
}

/** Two-sided p-value of a mean that is normal with this standard error. */
export function zTest(mean: number, expected: number, standardError: number): number {
  if (standardError === 0) return mean === expected ? 1 : 0;
  return 2 * normalTail(Math.abs(mean - expected) / standardError);
}

/** Counts of values 0 … size - 1; larger ones are counted in the last cell. */
export function tabulate(draws: number, size: number, draw: () => number): Float64Array {
  const counts = new Float64Array(size);
  for (let i = 0; i < draws; i++) {
    const cell = Math.min(size - 1, draw());
    counts[cell] = counts[cell]! + 1;
  }
  return counts;
}
