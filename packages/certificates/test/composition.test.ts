import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excessOfLosses, lossGrid, roundLoss, type LossGrid } from '../src/composition.ts';
import { convolutionPower, powerSteps } from '../src/convolution-power.ts';
import { FRACTION_BITS } from '../src/exact.ts';

const BITS = 120n;
const ONE = 1n << FRACTION_BITS;

function gridOf(ratio: number): LossGrid {
  return lossGrid(`${BigInt(Math.round(ratio * 2 ** 52)) << 76n}`, 128n)!;
}

/** Two laws; what the first is under one of two neighbours, the other is under the other. */
interface Pair {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** Both orders of the neighbours have the same curve. */
function symmetric({ first, second }: Pair): Pair {
  return {
    first: [...first, ...second].map((mass) => mass / 2),
    second: [...second, ...first].map((mass) => mass / 2),
  };
}

function excess({ first, second }: Pair, growth: number): number {
  return first.reduce((sum, mass, y) => sum + Math.max(0, mass - growth * second[y]!), 0);
}

/** The pair of so many rounds, outcome by outcome. */
function product(pair: Pair, rounds: number): Pair {
  let all: Pair = { first: [1], second: [1] };
  for (let round = 0; round < rounds; round++)
    all = {
      first: all.first.flatMap((mass) => pair.first.map((own) => mass * own)),
      second: all.second.flatMap((mass) => pair.second.map((own) => mass * own)),
    };
  return all;
}

/** What the verifier makes of points of the pair's curve at these indices, raised a little to be above. */
function composed(
  pair: Pair,
  ratio: number,
  indices: readonly number[],
  rounds: number,
  growth: number,
): number {
  const grid = gridOf(ratio);
  const deltas = indices.map((index) => {
    const at = Number(grid.power(index)) / Number(ONE);
    return (BigInt(Math.round(excess(pair, at) * 2 ** 52)) << (FRACTION_BITS - 52n)) + (1n << 272n);
  });
  const law = roundLoss(grid, indices, deltas, BITS)!;
  const windows = powerSteps(BigInt(rounds)).map(() => [-100_000, 100_000] as const);
  const sum = convolutionPower(law, BigInt(rounds), { windows, doublings: [] }, BITS);
  const scaled = BigInt(Math.floor(growth * 2 ** 50)) << (FRACTION_BITS - 50n);
  return Number(excessOfLosses(grid, sum, scaled)) / 2 ** Number(BITS + FRACTION_BITS);
}

const law = fc
  .array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 })
  .map((weights) => weights.map((weight) => weight / weights.reduce((a, b) => a + b)));

describe('rounds together', () => {
  it('are never more private than the pair of all rounds', () => {
    fc.assert(
      fc.property(
        law,
        law,
        fc.double({ min: 1.05, max: 1.9, noNaN: true }),
        fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }),
        fc.integer({ min: 2, max: 3 }),
        fc.double({ min: 1, max: 4, noNaN: true }),
        (first, second, ratio, above, rounds, growth) => {
          const pair = symmetric({ first, second });
          const indices = [0, ...above.toSorted((a, b) => a - b)];
          const exact = excess(product(pair, rounds), growth);
          expect(composed(pair, ratio, indices, rounds, growth)).toBeGreaterThanOrEqual(exact - 1e-12);
        },
      ),
    );
  });

  it('are what they are on the grid of the losses themselves', () => {
    // Randomized response with odds 3: all losses are log 3 up or down.
    const pair = { first: [0.75, 0.25], second: [0.25, 0.75] };
    for (const rounds of [2, 3, 7]) {
      const exact = excess(product(pair, rounds), 1.5);
      const grid = composed(pair, Math.sqrt(3), [0, 1, 2], rounds, 1.5);
      expect(grid).toBeGreaterThanOrEqual(exact);
      expect(grid).toBeLessThan(exact + 1e-12);
    }
  });

  it('have an infinite loss where the last point has one', () => {
    // With probability 0.1 an outcome tells everything.
    const pair = { first: [0.9, 0.1, 0], second: [0.9, 0, 0.1] };
    expect(composed(pair, 1.5, [0, 1], 3, 2)).toBeCloseTo(1 - 0.9 ** 3, 10);
  });

  it('have no grid for ratios that are none', () => {
    expect(lossGrid(`${1n << 128n}`, 128n)).toBeNull();
    expect(lossGrid(`${(1n << 129n) + 1n}`, 128n)).toBeNull();
    expect(roundLoss(gridOf(2), [0, 400], [0n, 0n], BITS)).toBeNull();
  });
});
