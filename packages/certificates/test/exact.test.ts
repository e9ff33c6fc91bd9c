import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilDivision, decimalValue, exponential, floorDivision, FRACTION_BITS } from '../src/exact.ts';

/** Sixty decimals of e^x, from tables. */
const POWERS: readonly [x: string, digits: string][] = [
  ['1', '2.718281828459045235360287471352662497757247093699959574966967'],
  ['2', '7.389056098930650227230427460575007813180315570551847324087127'],
  ['0.5', '1.648721270700128146848650787814163571653776100710148011575079'],
  ['10', '22026.465794806716516957900645284244366353512618556781074235426355'],
];

describe('exponential', () => {
  it.each(POWERS)('of %s encloses the table to sixty decimals', (x, digits) => {
    const { lower, upper } = exponential(decimalValue(x)!);
    const [whole, fraction] = digits.split('.');
    const scale = 10n ** BigInt(fraction!.length);
    const table = BigInt(whole! + fraction!);
    // The table's last digit is rounded or cut.
    expect(lower * scale <= (table + 1n) << FRACTION_BITS).toBe(true);
    expect(upper * scale >= (table - 1n) << FRACTION_BITS).toBe(true);
    expect(upper - lower < 1n << (FRACTION_BITS - 250n)).toBe(true);
  });

  it('of 0 holds 1', () => {
    const { lower, upper } = exponential(decimalValue('0')!);
    expect(lower <= 1n << FRACTION_BITS && upper >= 1n << FRACTION_BITS).toBe(true);
  });

  it('of a sum is the product', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000 }), fc.integer({ min: 0, max: 3_000_000 }), (a, b) => {
        const one = (value: number): ReturnType<typeof exponential> =>
          exponential({ numerator: BigInt(value), denominator: 1_000_000n });
        const [first, second, both] = [one(a), one(b), one(a + b)];
        expect(first.lower * second.lower <= both.upper << FRACTION_BITS).toBe(true);
        expect(first.upper * second.upper >= both.lower << FRACTION_BITS).toBe(true);
      }),
    );
  });
});

describe('decimals', () => {
  it.each([
    ['12', 12n, 1n],
    ['0.0186', 186n, 10_000n],
    ['1e-6', 1n, 1_000_000n],
    ['2.5e3', 2500n, 1n],
  ])('%s', (text, numerator, denominator) => {
    const value = decimalValue(text)!;
    expect(value.numerator * denominator).toBe(numerator * value.denominator);
  });

  it.each(['', '-1', '1,5', '0x10', '1e999', 'NaN', ' 1', '1.', '.5', '١'])('%j is none', (text) => {
    expect(decimalValue(text)).toBeNull();
  });
});

describe('division', () => {
  it('rounds down and up', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        (a, b) => {
          const [floor, ceil] = [floorDivision(a, b), ceilDivision(a, b)];
          expect(floor * b <= a && (floor + 1n) * b > a).toBe(true);
          expect(ceil * b >= a && (ceil - 1n) * b < a).toBe(true);
        },
      ),
    );
  });
});
