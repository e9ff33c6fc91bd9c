/**
 * e^x = 2^(n/128) e^r with |r| <= log(2) / 256: a table of 128 powers to twice the digits, and five terms of
 * the series, of which the sixth is below 1e-18.
 */
import { fromDouble, squareRoot, toDouble, UNIT } from './fixed-point.ts';
import { LN2_HIGH, LN2_LOW } from './ln2.ts';

const STEPS = 128;
const STEPS_PER_NAT = STEPS / Math.LN2;
/** Parts of log(2) / 128: the first has 32 digits, so that its multiples are exact. */
const [STEP_HIGH, STEP_LOW] = [LN2_HIGH / STEPS, LN2_LOW / STEPS];
/** Added and taken away again it leaves the nearest whole number. */
const ROUNDER = 1.5 * 2 ** 52;
/** Beyond, the result or a part of it is no normal double. */
const [LEAST, MOST] = [-708, 709];

/** Of exponents. */
const OFFSET = 1023;

const ROOTS = /* @__PURE__ */ rootsOfTwo();
const POWERS = /* @__PURE__ */ powersOfTwo();

/** 2^(j/128): the nearest double at 2 j, and what it lacks at 2 j + 1. */
function rootsOfTwo(): Float64Array {
  let root = 2n * UNIT;
  for (let parts = 1; parts < STEPS; parts *= 2) root = squareRoot(root);
  const table = new Float64Array(2 * STEPS);
  let power = UNIT;
  for (let j = 0; j < STEPS; j++) {
    table[2 * j] = toDouble(power);
    table[2 * j + 1] = toDouble(power - fromDouble(table[2 * j]!));
    power = (power * root) / UNIT;
  }
  return table;
}

/** 2^k at k + 1023, for normal ones. */
function powersOfTwo(): Float64Array {
  const table = new Float64Array(2 * OFFSET + 1);
  for (let k = 1 - OFFSET; k <= OFFSET; k++) table[k + OFFSET] = 2 ** k;
  return table;
}

/** @example Real.exp(1) // 2.71828 */
export function exp(x: number): number {
  // The sign tells engines that it is a number: not knowing, they would keep all results in boxes of memory.
  // oxlint-disable-next-line typescript/no-unnecessary-type-conversion
  if (!(x > LEAST && x < MOST)) return +extremeExp(x);
  const n = x * STEPS_PER_NAT + ROUNDER - ROUNDER;
  const r = x - n * STEP_HIGH - n * STEP_LOW;
  const whole = n | 0;
  const j = (whole & (STEPS - 1)) << 1;
  const root = ROOTS[j]!;
  const grown = r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))));
  return (root + (root * grown + ROOTS[j + 1]!)) * POWERS[(whole >> 7) + OFFSET]!;
}

/** In two steps, of which only the second may leave the normal doubles. */
function extremeExp(x: number): number {
  if (!(x > -746 && x < 710)) return Number.isNaN(x) ? x : x > 0 ? Infinity : 0;
  const n = x * STEPS_PER_NAT + ROUNDER - ROUNDER;
  const r = x - n * STEP_HIGH - n * STEP_LOW;
  const k = Math.floor(n / STEPS);
  const root = ROOTS[2 * (n - STEPS * k)]!;
  const grown = r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))));
  const half = k >> 1;
  return (root + root * grown) * 2 ** half * 2 ** (k - half);
}

/** @example Real.expm1(1e-10) // 1e-10 */
export function expm1(x: number): number {
  if (!(x > -40 && x < MOST)) return x <= -40 ? -1 : exp(x);
  if (Math.abs(x) < SMALL) return smallExpm1(x);
  const n = x * STEPS_PER_NAT + ROUNDER - ROUNDER;
  const r = x - n * STEP_HIGH - n * STEP_LOW;
  const whole = n | 0;
  const j = (whole & (STEPS - 1)) << 1;
  const grown = r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))));
  const scale = POWERS[(whole >> 7) + OFFSET]!;
  const root = ROOTS[j]! * scale;
  const less = root - 1;
  // Of a root below 1 the difference may have been rounded.
  const lost = root < 1 ? root - (less + 1) : 0;
  return less + (lost + (root * grown + ROOTS[j + 1]! * scale));
}

/** Below, the series itself keeps more digits than a difference. */
const SMALL = 1 / 64;

function smallExpm1(x: number): number {
  const tail = 1 / 24 + x * (1 / 120 + x * (1 / 720 + x * (1 / 5040 + x * (1 / 40320))));
  return Math.abs(x) < 2 ** -54 ? x : x + x * x * (0.5 + x * (1 / 6 + x * tail));
}
