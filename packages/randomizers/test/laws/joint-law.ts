/**
 * The joint law of counts of support, by enumeration, and tests of draws against it and against other draws.
 */
import { chiSquareTest, zTest } from '@shuffle-dp/core/testkit';

/** Probabilities of the vectors of counts, each written as its entries with commas between. */
export type JointLaw = ReadonlyMap<string, number>;

/**
 * The law of the sum of independent users' supports.
 * @param supports per message, 1 for each value that it supports and else 0
 * @param users per user, the probabilities of the messages
 */
export function jointLaw(
  supports: readonly (readonly number[])[],
  users: readonly (readonly number[])[],
): JointLaw {
  let law = new Map([[supports[0]!.map(() => 0).join(), 1]]);
  for (const probabilities of users) {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      const counts = key.split(',').map(Number);
      supports.forEach((support, y) => {
        const moved = counts.map((count, i) => count + support[i]!).join();
        next.set(moved, (next.get(moved) ?? 0) + mass * probabilities[y]!);
      });
    }
    law = next;
  }
  return law;
}

/** The p-value of so many draws under the law; 0 where one is impossible. */
export function lawTest(law: JointLaw, draws: number, draw: () => Float64Array): number {
  const keys = [...law.keys()];
  const observed = new Float64Array(keys.length);
  const place = new Map(keys.map((key, i) => [key, i]));
  let impossible = 0;
  for (let i = 0; i < draws; i++) {
    const at = place.get(draw().join());
    if (at === undefined) impossible++;
    else observed[at]!++;
  }
  const expected = keys.map((key) => draws * law.get(key)!);
  return impossible > 0 ? 0 : chiSquareTest(observed, expected).pValue;
}

/** What joint laws decide: the spread of sums of squares, products, the largest. */
const STATISTICS: readonly ((counts: Float64Array) => number)[] = [
  sumOfSquares,
  (counts) => counts[0]! * counts[1]!,
  (counts) => Math.max(...counts),
  (counts) => sumOfSquares(counts) ** 2,
];

function sumOfSquares(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count * count, 0);
}

/**
 * The least p-value, over these statistics, of two samplers with equal means; counts less `centre` are looked
 * at.
 */
export function leastMeanTest(
  trials: number,
  centre: (i: number) => number,
  first: () => Float64Array,
  second: () => Float64Array,
): number {
  const [a, b] = [first, second].map((draw) =>
    Array.from({ length: trials }, () => draw().map((count, i) => count - centre(i))),
  );
  const pValues = STATISTICS.map((statistic) => {
    const [x, y] = [a!, b!].map((draws) => {
      const values = draws.map((counts) => statistic(counts));
      const mean = values.reduce((sum, value) => sum + value, 0) / trials;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / trials;
      return { mean, variance };
    });
    return zTest(x!.mean, y!.mean, Math.sqrt((x!.variance + y!.variance) / trials));
  });
  return Math.min(...pValues);
}
