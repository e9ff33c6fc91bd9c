/** Against sums of whole numbers: coins of sixteenths have laws that BigInt holds exactly. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logBinomialPmf, logBinomialTail } from '@shuffle-dp/core';
import { coinSumsAt, type Coins } from '../../src/two-messages/coin-sum.ts';

const coinsOf = (users: number, sixteenths: number): Coins => ({
  users,
  heads: sixteenths / 16,
  tails: (16 - sixteenths) / 16,
});

/** Ways of each number of heads, over 16^users. */
function waysOf(groups: readonly (readonly [users: number, sixteenths: number])[]): bigint[] {
  let ways = [1n];
  for (const [users, heads] of groups)
    for (let user = 0; user < users; user++) {
      const next = [...ways.map((way) => way * BigInt(16 - heads)), 0n];
      ways.forEach((way, x) => (next[x + 1]! += way * BigInt(heads)));
      ways = next;
    }
  return ways;
}

/** way / 16^users over e^logScale, to some fifteen digits. */
function scaled(way: bigint, users: number, logScale: number): number {
  const shift = 200n;
  return (Number((way << shift) / 16n ** BigInt(users)) / 2 ** 200) * Math.exp(-logScale);
}

describe('the sum of two groups of coins', () => {
  it('brackets the probability of a number and of any larger one', () => {
    const group = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 15 }));
    fc.assert(
      fc.property(group, group, fc.double({ min: 0, max: 1, noNaN: true }), (one, other, share) => {
        const users = one[0] + other[0];
        const x = Math.round(share * users);
        const ways = waysOf([one, other]);
        const { before, at, after, logScale } = coinSumsAt(coinsOf(...one), coinsOf(...other), x);
        const of = (y: number): bigint => (y < 0 ? 0n : (ways[y] ?? 0n));
        const above = (y: number): bigint => ways.slice(y + 1).reduce((sum, way) => sum + way, 0n);
        for (const [{ lower, upper }, way] of [
          [before.mass, of(x - 1)],
          [before.above, above(x - 1)],
          [at.mass, of(x)],
          [at.above, above(x)],
          [after.mass, of(x + 1)],
          [after.above, above(x + 1)],
        ] as const) {
          const exact = scaled(way, users, logScale);
          expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-13));
          expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-13));
          // What is left out is the same for all six, and hardly any of the largest.
          expect(upper - lower).toBeLessThanOrEqual(1e-11 * upper + 1e-18 * before.above.upper);
        }
      }),
      { numRuns: 400, seed: 6 },
    );
  });

  it.each([
    [1_000_000, 0.3, 300_900],
    [1_000_000, 0.001, 1150],
    [4_000_000, 0.5, 2_004_000],
  ])('of %s equal users is binomial', (users, heads, x) => {
    const half = { users: users / 2, heads, tails: 1 - heads };
    const {
      at: { mass, above },
      logScale,
    } = coinSumsAt(half, half, x);
    const log = logBinomialPmf(x, users, heads);
    expect(Math.log(mass.lower) + logScale).toBeLessThan(log);
    expect(Math.log(mass.upper) + logScale).toBeGreaterThan(log);
    const tail = logBinomialTail(x + 1, users, heads);
    expect(Math.log(above.lower) + logScale).toBeLessThan(tail);
    expect(Math.log(above.upper) + logScale).toBeGreaterThan(tail);
    expect(above.upper / above.lower).toBeLessThan(1 + 1e-7);
  });
});
