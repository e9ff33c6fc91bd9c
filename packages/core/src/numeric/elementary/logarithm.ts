/**
 * x = 2^k m with m from about sqrt(1/2) to sqrt(2), and m c = 1 + r for a c of nine digits from a table, with
 * |r| <= 1/128: then log x = k log 2 - log c + log(1 + r), the last by eight terms of its series, of which
 * the ninth is below 2e-18 of the first.
 */
import { arcSeries, split, UNIT } from './fixed-point.ts';
import { LN2_HIGH, LN2_LOW } from './ln2.ts';

/** Cells of m, of width 1 / CELLS. */
const CELLS = 128;
/** The first cell and the one beyond the last. */
const [FIRST, END] = [90, 182];
/** Digits of the table's first parts behind the point, so that with k log(2) they make exact sums. */
const PLACES = 40;

const OFFSET = 1023;
/**
 * 2^-k at k + 1023: takes an exponent away, which is exact. Reading a double whose half was just written
 * would wait for the memory.
 */
const SCALES = /* @__PURE__ */ Float64Array.from({ length: 2 * OFFSET + 2 }, (_, i) => 2 ** (OFFSET - i));
/** Times this, and its excess taken away again, a double keeps the upper half of its digits. */
const SPLITTER = 2 ** 27 + 1;

const INVERSES = /* @__PURE__ */ inverses();
const LOGS = /* @__PURE__ */ logsOf(INVERSES);

/**
 * c of a cell: about the inverse of its middle, and 1 in the two cells beside 1, where the result has
 * relative digits.
 */
function inverses(): Float64Array {
  return Float64Array.from({ length: END - FIRST }, (_, at) => {
    const cell = FIRST + at;
    if (cell === CELLS - 1 || cell === CELLS) return 1;
    return Math.round((256 * CELLS) / (cell + 0.5)) / 256;
  });
}

/** -log c in two parts, at 2 i and 2 i + 1. */
function logsOf(values: Float64Array): Float64Array {
  // log((k + 1) / k) = 2 atanh(1 / (2 k + 1)), added up away from 256.
  const steps = Array.from({ length: 400 }, () => 0n);
  for (let k = 257; k < 400; k++) steps[k] = steps[k - 1]! + 2n * arcSeries(1n, BigInt(2 * k - 1), 1n, UNIT);
  for (let k = 255; k > 170; k--) steps[k] = steps[k + 1]! - 2n * arcSeries(1n, BigInt(2 * k + 1), 1n, UNIT);
  const table = new Float64Array(2 * values.length);
  values.forEach((value, i) => {
    [table[2 * i], table[2 * i + 1]] = split(-steps[256 * value]!, PLACES) as [number, number];
  });
  return table;
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
/** Where a double has its upper half, which tells the order of its bytes. */
const UPPER = ((): number => {
  double[0] = 1;
  return words[1] === 0 ? 0 : 1;
})();
/** The upper halves of 1 and of about sqrt(1/2). */
const [UPPER_OF_ONE, UPPER_OF_ROOT] = [0x3ff00000, 0x3fe6a09e];

/** @example Real.log(2) // 0.693147 */
export function log(x: number): number {
  // Also NaN, negative numbers, and what has fewer digits than others.
  if (!(x >= 2 ** -1022 && x < Infinity)) return x > 0 && x < 1 ? rest(x * 2 ** 54, 0, -54) : Math.log(x);
  return rest(x, 0, 0);
}

/** @example Real.log1p(1e-10) // 1e-10 */
export function log1p(x: number): number {
  if (Math.abs(x) < 1 / CELLS) return Math.abs(x) < 2 ** -54 ? x : x + series(x);
  if (!(x > -1 && x < Infinity)) return Math.log1p(x);
  const sum = 1 + x;
  const back = sum - 1;
  return rest(sum, (1 - (sum - back) + (x - back)) / sum, 0);
}

/** log(1 + r) - r */
function series(r: number): number {
  const square = r * r;
  return (
    square *
    (-1 / 2 +
      r * (1 / 3) +
      square * (-1 / 4 + r * (1 / 5) + square * (-1 / 6 + r * (1 / 7) - square * (1 / 8))))
  );
}

/** log(2^power x (1 + more)) of a positive normal x. */
function rest(x: number, more: number, power: number): number {
  double[0] = x;
  const exponent = (words[UPPER]! + (UPPER_OF_ONE - UPPER_OF_ROOT)) >> 20;
  const k = exponent - OFFSET + power;
  const m = x * SCALES[exponent]!;
  const spread = m * SPLITTER;
  const upper = spread - (spread - m);
  const cell = ((m * CELLS) | 0) - FIRST;
  const c = INVERSES[cell]!;
  // Both products are exact, and so is their sum but for one rounding.
  const r = upper * c - 1 + (m - upper) * c;
  const high = k * LN2_HIGH + LOGS[2 * cell]!;
  const low = k * LN2_LOW + LOGS[2 * cell + 1]!;
  const sum = high + r;
  return sum + (high - sum + r + (low + (series(r) + more)));
}
