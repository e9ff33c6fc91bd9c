// Tails against exact rational sums, at counts between the integers and at the edges.
import { describe, expect, test } from 'vitest';
import { binomialUpperEnd, logBinomialLowerTail, logBinomialTail } from '@shuffle-dp/core';

/** Pr[Bin(n, eighths / 8) = j] times 8^n, exactly. */
function weight(j: number, n: number, eighths: number): bigint {
  let coefficient = 1n;
  for (let i = 1; i <= j; i++) coefficient = (coefficient * BigInt(n - j + i)) / BigInt(i);
  return coefficient * BigInt(eighths) ** BigInt(j) * BigInt(8 - eighths) ** BigInt(n - j);
}

/** The probability of the counts that are wanted. */
function sumWhere(wanted: (j: number) => boolean, n: number, eighths: number): number {
  let sum = 0n;
  for (let j = 0; j <= n; j++) if (wanted(j)) sum += weight(j, n, eighths);
  // The values here are above 2^-130, so the integer quotient has far more than the 53 digits of a double,
  // and is one.
  const digits = 1000n;
  return Number((sum << digits) / 8n ** BigInt(n)) * 2 ** -1000;
}

describe.each([
  [0, 3],
  [1, 4],
  [7, 1],
  [20, 4],
  [40, 7],
])('n = %d, p = %d/8', (n, eighths) => {
  const counts = [-1.5, -1, -0.5, 0, 0.25, 0.5, 1, 1.5, n / 2, n / 2 + 0.3, n - 0.5, n, n + 0.5, n + 1];

  test.each(counts)('k = %d', (k) => {
    const upper = sumWhere((j) => j >= k, n, eighths);
    const lower = sumWhere((j) => j <= k, n, eighths);
    const p = eighths / 8;
    expect(upper + lower).toBeLessThanOrEqual(2);
    expect(Math.abs(Math.exp(logBinomialTail(k, n, p)) - upper)).toBeLessThanOrEqual(1e-13 * upper);
    expect(Math.abs(Math.exp(logBinomialLowerTail(k, n, p)) - lower)).toBeLessThanOrEqual(1e-13 * lower);
  });
});

test('nothing happens, or everything does', () => {
  expect(logBinomialTail(0.5, 5, 0)).toBe(-Infinity);
  expect(logBinomialTail(4.5, 5, 1)).toBe(0);
  expect(logBinomialLowerTail(0.5, 5, 0)).toBe(0);
  expect(logBinomialLowerTail(4.5, 5, 1)).toBe(-Infinity);
});

// Of Bin(4, 1/2) the masses above 0, 1, 2, 3 and 4 are 15, 11, 5, 1 and 0 of 16.
test.each([
  [0.95, 0],
  [0.9, 1],
  [0.32, 2],
  [0.3, 3],
  [0.06, 4],
])('but for %f the number is at most %i', (mass, end) => {
  expect(binomialUpperEnd(4, 0.5, Math.log(mass))).toBe(end);
});
