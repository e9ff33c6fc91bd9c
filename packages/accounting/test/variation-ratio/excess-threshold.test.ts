/**
 * The three-cell sum where its threshold is an integer but for rounding, against the same sum in integers of
 * any length: of a rare cell the counts on either side of the threshold differ by thirty magnitudes.
 */
import { expect, it } from 'vitest';
import { ROUNDOFF } from '@shuffle-dp/core';
import { expectedExcess } from '../../src/variation-ratio/expected-excess.ts';

const BITS = 1500;

/** In units of 2^-BITS, exactly. */
function inUnits(x: number): bigint {
  let exponent = 0;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  return BigInt(mantissa) << BigInt(BITS - exponent);
}

/**
 * log of E (a - low)_+ for a ~ Bin(users, 2^-rareness). With dTelling = dOther low is users times it, but for
 * rho m, which is below 2^-rareness users.
 */
function exactLog(users: number, rareness: number, d: number): number {
  const low = inUnits(d) * BigInt(users);
  let total = 0n;
  let ways = 1n;
  // Beyond, a count is 2^-80 times as likely as the one before.
  for (let a = 0; a <= 12; a++) {
    const gain = (BigInt(a) << BigInt(BITS)) - low;
    if (gain > 0n) total += (ways * gain) >> BigInt(a * rareness);
    ways = (ways * BigInt(users - a)) / BigInt(a + 1);
  }
  const digits = total.toString();
  return Math.log(Number(`0.${digits.slice(0, 30)}`)) + digits.length * Math.LN10 - BITS * Math.LN2;
}

it('is bracketed where low is an integer but for rounding, and sharp where it is beyond', () => {
  const misses: string[] = [];
  const rareness = 100;
  let sharp = 0;
  for (const users of [2000, 3001]) {
    for (const count of [1, 2, 3, 5]) {
      for (let shift = -40; shift <= 40; shift++) {
        const d = (count / users) * (1 + shift * 2 * ROUNDOFF);
        const cells = { cell0: 2 ** -rareness, cell1: 0.5, other: 0.5 };
        const shares = { dTelling: d, dOther: d, gapTelling: 1 - d, dConstant: 0 };
        const excess = expectedExcess({ users, ...cells, ...shares, gapError: 0, otherError: 0 })!;
        const { logScale, value, error, truncated } = excess;
        const exact = exactLog(users, rareness, d);
        const lower = value > error ? logScale + Math.log(value - error) : -Infinity;
        const upper = logScale + Math.log(value + error + truncated);
        if (!(lower <= exact + 1e-12 && upper >= exact - 1e-12))
          misses.push(`${users} ${count} ${shift}: ${exact} is not in [${lower}, ${upper}]`);
        if (upper - lower < 1e-9) sharp++;
      }
    }
  }
  expect(misses).toEqual([]);
  // Low is above the integer there by more than its rounding, and the count below it gains nothing.
  expect(sharp).toBeGreaterThan(150);
});

it('of tens of millions of terms a coarse excess is what bounds it, and encloses the sum', () => {
  const tiny = 2 ** -144;
  const cells = { cell0: tiny, cell1: 0.5, other: 0.5, dTelling: 0, dOther: 0, dConstant: 0 };
  const errors = { gapError: 8 * ROUNDOFF, otherError: 8 * ROUNDOFF };
  const problem = { users: 1e12, ...cells, gapTelling: 1, ...errors };
  const fine = expectedExcess(problem)!;
  const coarse = expectedExcess(problem, 'coarse')!;
  const scale = Math.exp(coarse.logScale - fine.logScale);
  const [lower, upper] = [coarse.value - coarse.error, coarse.value + coarse.error + coarse.truncated];
  expect(lower * scale).toBeLessThanOrEqual(fine.value + fine.error);
  expect(upper * scale).toBeGreaterThanOrEqual(fine.value - fine.error);
  // Hardly anybody is in the first cell: what they show adds up to no more than their number.
  expect(upper * Math.exp(coarse.logScale)).toBeLessThan(1e12 * tiny * 1.01);
});
