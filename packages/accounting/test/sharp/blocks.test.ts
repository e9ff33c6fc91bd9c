// Numbers of a block against its smallest (docs/sharp-bound.md, Lemma B), by listing all draws.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { COARSE_BLOCKS, FINE_BLOCKS, ROUGH_BLOCKS, binomialBlocks } from '../../src/sharp/blocks.ts';
import { uniform } from '../../../core/test/uniform.ts';

it.each([
  ['fine', FINE_BLOCKS],
  ['coarse', COARSE_BLOCKS],
  ['rough', ROUGH_BLOCKS],
] as const)('%s blocks hold every number once', (_, ends) => {
  for (const [trials, probability] of [
    [10, 0.3],
    [400, 0.9],
    [100_000, 0.01],
  ] as const) {
    const { blocks, missed } = binomialBlocks(trials, probability, 1e-9, ends);
    for (const [i, { most }] of blocks.entries())
      expect(most).toBe(i + 1 < blocks.length ? blocks[i + 1]!.shown - 1 : trials);
    expect(blocks.every(({ shown, most }) => shown <= most)).toBe(true);
    // Rounded up, block by block.
    const whole = missed + blocks.reduce((sum, block) => sum + block.probability, 0);
    expect(whole).toBeGreaterThanOrEqual(1);
    expect(whole).toBeLessThan(1 + 1e-8);
  }
});

interface Draw {
  readonly probability: number;
  readonly h: number;
  readonly ratio: number;
}

/** E e^(sum of h + phi(mean ratio)) over so many draws. */
function expectation(draws: readonly Draw[], count: number, phi: (ratio: number) => number): number {
  const from = (left: number, probability: number, h: number, ratios: number): number =>
    left === 0
      ? probability * Math.exp(h + phi(ratios / count))
      : draws.reduce(
          (sum, draw) =>
            sum + from(left - 1, probability * draw.probability, h + draw.h, ratios + draw.ratio),
          0,
        );
  return from(count, 1, 0, 0);
}

const part = uniform(-2, 2);
it('one more draw multiplies by at most the mean of e^h', () => {
  fc.assert(
    fc.property(
      fc.tuple(part, part, part),
      fc.tuple(part, part, part),
      fc.tuple(part, part, part),
      fc.integer({ min: 1, max: 5 }),
      ([h0, h1, h2], [r0, r1, r2], [a, b, knee], count) => {
        const weights = [1, 2 + a, 3 + b];
        const total = weights[0]! + weights[1]! + weights[2]!;
        const draws = [h0, h1, h2].map((h, i) => ({
          probability: weights[i]! / total,
          h,
          ratio: [r0, r1, r2][i]!,
        }));
        // Convex: a square and a knee.
        const phi = (ratio: number): number =>
          a * ratio + b * b * ratio * ratio + 3 * Math.max(0, ratio - knee);
        const growth = draws.reduce((sum, { probability, h }) => sum + probability * Math.exp(h), 0);
        const [fewer, more] = [count, count + 1].map((draw) => expectation(draws, draw, phi));
        expect(more!).toBeLessThanOrEqual(growth * fewer! * (1 + 1e-12));
      },
    ),
    { numRuns: 200, seed: 5 },
  );
});
