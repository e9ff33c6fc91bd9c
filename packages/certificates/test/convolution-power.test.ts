import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { convolutionPower, powerSteps, type Window } from '../src/convolution-power.ts';
import type { LatticeLaw } from '../src/lattice-law.ts';

const BITS = 40n;

/** Sums of n copies one by one, exactly: integers over 2^(n BITS). */
function sumsOf({ first, masses }: LatticeLaw, copies: number): Map<number, bigint> {
  let sums = new Map([[0, 1n]]);
  for (let copy = 0; copy < copies; copy++) {
    const next = new Map<number, bigint>();
    for (const [sum, mass] of sums)
      masses.forEach((own, i) => next.set(sum + first + i, (next.get(sum + first + i) ?? 0n) + mass * own));
    sums = next;
  }
  return sums;
}

const laws = fc.record({
  first: fc.integer({ min: -6, max: 2 }),
  masses: fc.array(fc.bigInt({ min: 0n, max: 1n << 38n }), { minLength: 1, maxLength: 7 }),
  beyond: fc.constant(0n),
});
const windows = fc.array(fc.tuple(fc.integer({ min: -40, max: 5 }), fc.integer({ min: 5, max: 40 })), {
  minLength: 8,
  maxLength: 8,
});

/** E (S)_+ over 2^(scale), where what lies beyond counts as n of the largest value. */
function positivePart(law: LatticeLaw, copies: number, largest: number): bigint {
  let sum = law.beyond * BigInt(copies * largest);
  law.masses.forEach((mass, i) => (sum += BigInt(Math.max(0, law.first + i)) * mass));
  return sum;
}

describe('the law of a sum', () => {
  test.prop([laws, fc.integer({ min: 1, max: 9 })])(
    'is the exact one but for rounding up, in wide windows',
    (law, n) => {
      const wide = powerSteps(BigInt(n)).map((): Window => [-1000, 1000]);
      const power = convolutionPower(law, BigInt(n), wide, BITS);
      const shift = BITS * BigInt(n - 1);
      for (const [sum, mass] of sumsOf(law, n)) {
        const found = power.masses[sum - power.first] ?? 0n;
        expect(found << shift >= mass).toBe(true);
        // Every rounding adds a unit, and later steps multiply them.
        expect(found - (mass >> shift) < 1n << 22n).toBe(true);
      }
      expect(power.beyond).toBe(0n);
    },
  );

  test.prop([laws, fc.integer({ min: 1, max: 9 }), windows])(
    'never loses of the positive part, in any windows',
    (law, n, kept) => {
      const power = convolutionPower(law, BigInt(n), kept.slice(0, powerSteps(BigInt(n)).length), BITS);
      let exact = 0n;
      for (const [sum, mass] of sumsOf(law, n)) exact += BigInt(Math.max(0, sum)) * mass;
      const largest = Math.max(0, law.first + law.masses.length - 1);
      expect(positivePart(power, n, largest) << (BITS * BigInt(n - 1)) >= exact).toBe(true);
    },
  );

  it('takes a squaring a digit, and one more where it is a one', () => {
    expect(powerSteps(1n)).toEqual([]);
    expect(powerSteps(11n)).toEqual(['square', 'square', 'one more', 'square', 'one more']);
  });
});
