import * as fc from 'fast-check';
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
  masses: fc.array(fc.bigInt({ min: 0n, max: 1n << 37n }), { minLength: 1, maxLength: 7 }),
  beyond: fc.constant(0n),
});
const windows = fc.array(fc.tuple(fc.integer({ min: -40, max: 5 }), fc.integer({ min: 5, max: 40 })), {
  minLength: 8,
  maxLength: 8,
});
const doublings = fc.uniqueArray(fc.integer({ min: 1, max: 3 }));

function withMost(law: Omit<LatticeLaw, 'most'>): LatticeLaw {
  return { ...law, most: law.first + law.masses.length - 1 };
}

/** E (S)_+ over 2^(scale), where what lies beyond counts as much as a sum can be. */
function positivePart(law: LatticeLaw): bigint {
  let sum = law.beyond * BigInt(Math.max(0, law.most));
  law.masses.forEach((mass, i) => (sum += BigInt(Math.max(0, law.first + i)) * mass));
  return sum;
}

describe('the law of a sum', () => {
  it('is refused where its masses or its digits are those of none', () => {
    const plan = { windows: [[-9, 9] as const], doublings: [] };
    const law = (masses: bigint[], beyond = 0n): LatticeLaw => withMost({ first: 0, masses, beyond });
    const one = 1n << BITS;
    expect(convolutionPower(law([one, one]), 2n, plan, BITS).masses).toEqual([one, 2n * one, one]);
    expect(() => convolutionPower(law([one, one], 1n), 2n, plan, BITS)).toThrow('a mass of more than 2');
    const long = law(Array.from({ length: 2 ** 20 }, () => 0n));
    expect(() => convolutionPower(long, 2n, plan, 4096n)).toThrow('too many points');
  });

  it('is the exact one but for rounding up, in wide windows', () => {
    fc.assert(
      fc.property(laws, fc.integer({ min: 1, max: 9 }), (one, n) => {
        const law = withMost(one);
        const wide = powerSteps(BigInt(n)).map((): Window => [-1000, 1000]);
        const power = convolutionPower(law, BigInt(n), { windows: wide, doublings: [] }, BITS);
        const shift = BITS * BigInt(n - 1);
        for (const [sum, mass] of sumsOf(law, n)) {
          const found = power.masses[sum - power.first] ?? 0n;
          expect(found << shift >= mass).toBe(true);
          // Every rounding adds a unit, and later steps multiply them.
          expect(found - (mass >> shift) < 1n << 22n).toBe(true);
        }
        expect(power.beyond).toBe(0n);
        expect(power.most).toBe(n * law.most);
      }),
    );
  });

  it('never loses of the positive part, in any windows, on lattices as coarse as one likes', () => {
    fc.assert(
      fc.property(laws, fc.integer({ min: 1, max: 9 }), windows, doublings, (one, n, kept, coarser) => {
        const law = withMost(one);
        const plan = { windows: kept.slice(0, powerSteps(BigInt(n)).length), doublings: coarser };
        const power = convolutionPower(law, BigInt(n), plan, BITS);
        const taken = coarser.filter((squaring) => 2 ** squaring <= n).length;
        let exact = 0n;
        for (const [sum, mass] of sumsOf(law, n)) exact += BigInt(Math.max(0, sum)) * mass;
        expect((positivePart(power) << BigInt(taken)) << (BITS * BigInt(n - 1)) >= exact).toBe(true);
      }),
    );
  });

  it('rounds half a mass up where its point is none of the coarser lattice', () => {
    // Three copies of one unit at 1, without rounding but this: a lost half would leave nothing.
    const wide = powerSteps(3n).map((): Window => [-1000, 1000]);
    const one = { first: 1, masses: [1n], beyond: 0n, most: 1 };
    const power = convolutionPower(one, 3n, { windows: wide, doublings: [1] }, 0n);
    expect(positivePart(power) << 1n).toBeGreaterThanOrEqual(3n);
  });

  it('keeps its mass and mean when the lattice is made coarser', () => {
    fc.assert(
      fc.property(laws, doublings, (one, coarser) => {
        const law = withMost(one);
        const wide = powerSteps(8n).map((): Window => [-1000, 1000]);
        const power = convolutionPower(law, 8n, { windows: wide, doublings: coarser }, BITS);
        const exact = convolutionPower(law, 8n, { windows: wide, doublings: [] }, BITS);
        const moments = ({ first, masses }: LatticeLaw, unit: bigint): [bigint, bigint] => [
          masses.reduce((sum, mass) => sum + mass, 0n),
          masses.reduce((sum, mass, i) => sum + mass * BigInt(first + i) * unit, 0n),
        ];
        const [mass, mean] = moments(power, 1n << BigInt(coarser.length));
        const [wantedMass, wantedMean] = moments(exact, 1n);
        // But for units in the last place of the early sums.
        const slack = 1n << 22n;
        for (const [distance, most] of [
          [mass - wantedMass, slack],
          [mean - wantedMean, slack << 8n],
        ] as const)
          expect(distance < most && -distance < most).toBe(true);
      }),
    );
  });

  it('takes a squaring a digit, and a product for each one but the lowest', () => {
    expect(powerSteps(1n)).toEqual([]);
    expect(powerSteps(4n)).toEqual(['square', 'square']);
    expect(powerSteps(11n)).toEqual(['square', 'multiply', 'square', 'square', 'multiply']);
    expect(powerSteps(12n)).toEqual(['square', 'square', 'square', 'multiply']);
  });
});
