/**
 * The constants of the elementary functions, as whole numbers in units of 2^-256: they are computed once, and
 * not typed.
 */
const BITS = 256;
export const UNIT = 1n << BigInt(BITS);

/** atan(p / q), or with `sign` 1 atanh(p / q), by its series. @param unit the result's */
export function arcSeries(p: bigint, q: bigint, sign: 1n | -1n, unit: bigint = UNIT): bigint {
  let sum = 0n;
  let power = (unit * p) / q;
  for (let odd = 1n; power !== 0n; odd += 2n) {
    sum += power / odd;
    power = (sign * power * p * p) / (q * q);
  }
  return sum;
}

/** By Machin's formula. @param unit the result's */
export function pi(unit: bigint = UNIT): bigint {
  return 16n * arcSeries(1n, 5n, -1n, unit) - 4n * arcSeries(1n, 239n, -1n, unit);
}

/** The largest number whose square is no larger. */
export function squareRoot(value: bigint): bigint {
  const square = value * UNIT;
  let root = value + UNIT;
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The nearest double. */
export function toDouble(value: bigint): number {
  return Number(value) / 2 ** BITS;
}

/** A double that is a multiple of 2^-128 and not above 2^895. */
export function fromDouble(value: number): bigint {
  return BigInt(value * 2 ** 128) << BigInt(BITS - 128);
}

/** A value as a double that is a multiple of 2^-places, and as another what that lacks. */
export function split(value: bigint, places: number): readonly [high: number, low: number] {
  const drop = BigInt(BITS - places);
  const high = (value >> drop) << drop;
  return [toDouble(high), toDouble(value - high)];
}
