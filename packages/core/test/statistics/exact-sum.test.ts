// Rounding of exact sums, against the definition: the nearest double, of two equally near ones the even.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactSum } from '../../src/statistics/exact-sum.ts';

function sumOf(terms: readonly number[]): number {
  const sum = new ExactSum();
  for (const term of terms) sum.add(term);
  return sum.value;
}

const [ULP, HALF, TINY] = [2 ** -52, 2 ** -53, 2 ** -120];

test.each([
  { what: 'a tie goes to the even neighbour below', terms: [1, HALF], value: 1 },
  { what: 'a tie goes to the even neighbour above', terms: [1, ULP, HALF], value: 1 + 2 * ULP },
  { what: 'what comes after breaks a tie upwards', terms: [1, HALF, TINY], value: 1 + ULP },
  { what: 'what comes after breaks a tie downwards', terms: [1, ULP, HALF, -TINY], value: 1 + ULP },
  { what: 'a tie seen from above goes to even', terms: [1 + ULP, -HALF], value: 1 },
  { what: 'and is broken upwards', terms: [1 + ULP, -HALF, TINY], value: 1 + ULP },
  { what: 'and is broken downwards', terms: [1 + 2 * ULP, -HALF, -TINY], value: 1 + ULP },
  { what: 'less than half does not count', terms: [1, HALF, -TINY], value: 1 },
  { what: 'more than half does', terms: [1, HALF / 2, HALF / 2, TINY, TINY], value: 1 + ULP },
])('$what', ({ terms, value }) => {
  for (const order of [terms, terms.toReversed()]) {
    expect(sumOf(order)).toBe(value);
    expect(sumOf(order.map((term) => -term))).toBe(-value);
  }
});

/** The nearest double of an integer times 2^-1074, ties to even, by integers alone. */
function nearest(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const cut = BigInt(Math.max(0, magnitude.toString(2).length - 53));
  let kept = magnitude >> cut;
  const twiceRest = 2n * (magnitude - (kept << cut));
  const unit = 1n << cut;
  if (twiceRest > unit || (twiceRest === unit && kept % 2n === 1n)) kept += 1n;
  return (value < 0n ? -1 : 1) * Number(kept) * 2 ** (Number(cut) - SHIFT);
}

/** Terms are multiples of 2^-200. */
const SHIFT = 200;
const term = fc
  .tuple(fc.integer({ min: -9, max: 9 }), fc.constantFrom(0, -1, -51, -52, -53, -54, -106, -107, -150, -200))
  .map(([digit, exponent]) => ({ digit, exponent }));

test('every sum is the nearest double, whatever cancels', () => {
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 8 }), (terms) => {
      const exact = terms.reduce(
        (sum, { digit, exponent }) => sum + (BigInt(digit) << BigInt(SHIFT + exponent)),
        0n,
      );
      expect(sumOf(terms.map(({ digit, exponent }) => digit * 2 ** exponent)) + 0).toBe(nearest(exact) + 0);
    }),
    { numRuns: 2000 },
  );
});
