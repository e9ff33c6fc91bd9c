// The law of sets behind the counts against sums over all orders, and the counts against enumerations.
// Statistical tests have fixed seeds; of each the probability of a false alarm is 1e-5.
import { RandomStream } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { describe, expect, it } from 'vitest';
import { drawSuccessiveCounts, ringingTimes } from '../../src/data/item-sets/successive-counts.ts';
import { syntheticSource } from '../../src/data/item-sets/set-source.ts';

const FALSE_ALARM = 1e-5;

function subsets(rows: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return rows.flatMap((item, i) => subsets(rows.slice(i + 1), size - 1).map((rest) => [item, ...rest]));
}

/** Probability that these items come first, one after another in any order. */
function drawnProbability(
  set: readonly number[],
  weights: readonly number[],
  gone: readonly number[] = [],
): number {
  if (set.length === 0) return 1;
  const left = weights.reduce((sum, weight, item) => (gone.includes(item) ? sum : sum + weight), 0);
  return set.reduce(
    (sum, item) =>
      sum +
      (weights[item]! / left) *
        drawnProbability(
          set.filter((other) => other !== item),
          weights,
          [...gone, item],
        ),
    0,
  );
}

const LAWS: [number[], number][] = [
  [[0.4, 0.3, 0.15, 0.1, 0.05], 2],
  [[0.4, 0.3, 0.15, 0.1, 0.05], 3],
  [[0.2, 0.2, 0.2, 0.2, 0.2], 1],
  [[0.2, 0.2, 0.2, 0.2, 0.2], 5],
  [[0.9, 0.09, 0.009, 0.0009, 0.0001], 4],
];

describe('times at which the last item rings', () => {
  it.each(LAWS)('of %j give the law of sets of %d drawn one after another', (weights, s) => {
    const { times, masses } = ringingTimes(Float64Array.from(weights), s);
    const step = Math.log(times[1]! / times[0]!);
    let distance = 0;
    for (const set of subsets([...weights.keys()], s)) {
      let p = 0;
      for (const time of times) {
        const out = weights.reduce(
          (product, w, i) => (set.includes(i) ? product : product * Math.exp(-w * time)),
          1,
        );
        for (const last of set) {
          const x = weights[last]! * time;
          const before = set.reduce(
            (product, i) => (i === last ? product : product * -Math.expm1(-weights[i]! * time)),
            1,
          );
          p += step * out * before * x * Math.exp(-x);
        }
      }
      distance += Math.abs(p - drawnProbability(set, weights)) / 2;
    }
    expect(distance).toBeLessThan(1e-14);
    expect(Math.abs(masses.reduce((sum, mass) => sum + mass, 0) - 1)).toBeLessThan(1e-14);
  });
});

describe('holders of items whose sets are not listed', () => {
  it.each([2, 3])('have the joint law of two users with %d items, by enumeration', (s) => {
    const weights = [0.5, 0.3, 0.15, 0.05];
    const sets = subsets([0, 1, 2, 3], s).map((set) => ({ set, p: drawnProbability(set, weights) }));
    const expected = new Map<string, number>();
    for (const a of sets)
      for (const b of sets) {
        const key = [0, 1, 2, 3].map((i) => Number(a.set.includes(i)) + Number(b.set.includes(i))).join();
        expected.set(key, (expected.get(key) ?? 0) + a.p * b.p);
      }
    const probabilities = Float64Array.from(weights);
    const law = { probabilities, items: s, times: ringingTimes(probabilities, s) };
    const stream = RandomStream.fromSeed(`two users, ${s} items`);
    const draws = 20_000;
    const seen = new Map<string, number>();
    for (let i = 0; i < draws; i++) {
      const key = drawSuccessiveCounts(law, [2], stream)[0]!.join();
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const keys = [...expected.keys()];
    expect([...seen.keys()].every((key) => expected.has(key))).toBe(true);
    const { pValue } = chiSquareTest(
      keys.map((key) => seen.get(key) ?? 0),
      keys.map((key) => expected.get(key)! * draws),
    );
    expect(pValue).toBeGreaterThan(FALSE_ALARM);
  });

  it.each(['uniform', 'zipf'] as const)(
    'of a billion users with %s items are those expected, level by level',
    (kind) => {
      const [domain, s] = [700, 2];
      const source = syntheticSource({ kind, exponent: 1 }, { domain, items: s });
      const { counts, histogram, users } = source.drawCounts!(1e9, [0.25, 0.75], RandomStream.fromSeed(kind));
      expect(counts!.sets).toBeUndefined();
      expect([...counts!.usersOfLevel]).toEqual([2.5e8, 7.5e8]);
      expect(histogram.reduce((sum, holders) => sum + holders, 0)).toBe(users * s);
      const raw = Array.from({ length: domain }, (_, i) => (kind === 'zipf' ? 1 / (i + 1) : 1));
      const total = raw.reduce((sum, w) => sum + w, 0);
      const w = raw.map((weight) => weight / total);
      // First, or second after any other.
      const odds = w.reduce((sum, p) => sum + p / (1 - p), 0);
      w.forEach((p, item) => {
        const held = p + p * (odds - p / (1 - p));
        counts!.holdersOfLevel.forEach((holders, level) => {
          const members = counts!.usersOfLevel[level]!;
          const z = (holders[item]! - members * held) / Math.sqrt(members * held * (1 - held));
          expect(Math.abs(z)).toBeLessThan(5.8);
        });
      });
    },
  );

  it('are counted only where users are too many to be drawn one by one', () => {
    const many = syntheticSource({ kind: 'uniform' }, { domain: 128, items: 4 });
    expect(many.countsFrom).toBe(2 ** 26 + 1);
    expect(syntheticSource({ kind: 'uniform' }, { domain: 17, items: 4 }).countsFrom).toBeUndefined();
    expect(syntheticSource({ kind: 'uniform' }, { domain: 60_000, items: 100 }).drawCounts).toBeUndefined();
  });
});
