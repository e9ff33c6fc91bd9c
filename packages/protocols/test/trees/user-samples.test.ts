import { describe, expect, it } from 'vitest';
import { composedDelta } from '@shuffle-dp/accounting';
import { RandomStream } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { classifyByVote, correctShare, majorityShare } from '../../src/trees/decision-tree.ts';
import { splitTable } from '../../src/trees/categorical-table.ts';
import {
  forestAnswers,
  forestRounds,
  trainFederatedForest,
  trainForest,
} from '../../src/trees/federated-forest.ts';
import { worstEpsilonOfRounds } from '../../src/trees/rounds-privacy.ts';
import { answeredTimes, drawUsers, mostAnswers, sampleSize } from '../../src/trees/user-samples.ts';
import { randomTable } from './tables.ts';

const stream = RandomStream.fromSeed('samples');

/** Probabilities of all counts of `draws` uniform draws over `cells` cells. */
function uniformCounts(draws: number, cells: number): Map<string, number> {
  let law = new Map([[Array.from({ length: cells }, () => 0).join(), 1]]);
  for (let draw = 0; draw < draws; draw++) {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      for (let cell = 0; cell < cells; cell++) {
        const counts = key.split(',').map(Number);
        counts[cell]!++;
        const to = counts.join();
        next.set(to, (next.get(to) ?? 0) + mass / cells);
      }
    }
    law = next;
  }
  return law;
}

describe('the users of a tree', () => {
  it('are all of them, half of them once, or as many draws as users', () => {
    expect([...drawUsers(5, 'all', stream)]).toEqual([0, 1, 2, 3, 4]);
    const half = drawUsers(101, 'half', stream);
    expect([half.length, new Set(half).size]).toEqual([50, 50]);
    expect(sampleSize(1, 'half')).toBe(1);
    const drawn = drawUsers(4000, 'bootstrap', stream.fork('bootstrap'));
    expect(drawn.length).toBe(4000);
    const times = new Uint32Array(4000);
    for (const user of drawn) times[user]!++;
    // Binomial with mean 1: shares (1 - 1/n)^n and so on, close to those of a Poisson number.
    const seen = [0, 1, 2, 3].map((k) => times.filter((count) => count === k).length);
    const law = [1, 1, 1 / 2, 1 / 6].map((value) => value / Math.E);
    const rest = (values: number[], whole: number): number[] => [
      ...values,
      whole - values.reduce((a, b) => a + b),
    ];
    expect(
      chiSquareTest(
        rest(seen, 4000),
        rest(law, 1).map((share) => 4000 * share),
      ).pValue,
    ).toBeGreaterThan(1e-6);
  });

  it('answer at most as often as is said', () => {
    const draws = [[0, 0, 1, 2].map(Number), [2, 2, 2, 1], [1, 1, 2, 2]].map((drawn) =>
      Uint32Array.from(drawn),
    );
    // User 0: 2; user 1: 2, 1, 1; user 2: 3, 2, 1.
    expect(mostAnswers(4, draws)).toEqual([3, 2, 1]);
    expect(mostAnswers(4, draws.slice(0, 1))).toEqual([2]);
  });

  it.each([
    [2, 6, 2],
    [2, 6, 3],
    [3, 7, 2],
  ])(
    'who send %i messages among %i over %i cells give away no more than is composed',
    (times, blankets, q) => {
      const law = uniformCounts(blankets, q);
      const rounds = [{ pair: { p: Infinity, beta: 1, q }, users: blankets + 1, count: 1 }];
      const parts = answeredTimes(rounds, times);
      expect(parts).toEqual([
        { pair: rounds[0]!.pair, users: Math.floor(blankets / times) + 1, count: times },
      ]);
      const shifted = (cell: number): Map<string, number> =>
        new Map(
          [...law].map(([key, mass]) => {
            const counts = key.split(',').map(Number);
            counts[cell]! += times;
            return [counts.join(), mass];
          }),
        );
      const [one, other] = [shifted(0), shifted(1)];
      for (const epsilon of [0, 0.5, 1, 2]) {
        let exact = 0;
        for (const [key, mass] of one) exact += Math.max(0, mass - Math.exp(epsilon) * (other.get(key) ?? 0));
        const composed = composedDelta(parts, epsilon, { relativeWidth: 1e-3 }).upper;
        expect(exact).toBeGreaterThan(0.1 * composed);
        expect(exact).toBeLessThanOrEqual(composed);
      }
      // What the group of messages gives away is more than one of them does.
      expect(composedDelta(parts, 0).upper).toBeGreaterThan(composedDelta(rounds, 0).upper);
    },
  );
});

describe('forests from samples of the users', () => {
  const table = randomTable(6000, 3, [2, 3, 2, 2, 2, 2], 'forest');
  const { train, test } = splitTable(table, 4000, RandomStream.fromSeed('split'));

  it('have the rounds of a user whom no other exceeds, with the largest arities', () => {
    const plan = { height: 2, trees: 3, attributesPerTree: 2, messagesPerUser: 4 } as const;
    const half = forestRounds(train, { ...plan, sample: 'half' }, stream);
    // Someone is in all three halves of 2,000 users, with 3 blanket messages each.
    expect(half).toEqual([
      { pair: { p: Infinity, beta: 1, q: 9 }, users: 6001, count: 6 },
      { pair: { p: Infinity, beta: 1, q: 18 }, users: 6001, count: 3 },
    ]);
    const answers = forestAnswers(4000, { ...plan, sample: 'bootstrap' }, stream);
    expect(answers[0]).toBeGreaterThanOrEqual(4);
    expect([...answers].sort((a, b) => b - a)).toEqual(answers);
    const bootstrap = forestRounds(train, { ...plan, sample: 'bootstrap' }, stream);
    const most = answers[0]!;
    expect(bootstrap[0]).toEqual({
      pair: { p: Infinity, beta: 1, q: 9 },
      users: Math.floor(12_000 / most) + 1,
      count: 2 * most,
    });
    const epsilonOf = (rounds: typeof half): number =>
      worstEpsilonOfRounds([rounds], 1e-6, { relativeWidth: 1e-2 });
    expect(epsilonOf(bootstrap)).toBeGreaterThan(epsilonOf(half));
  });

  it.each(['half', 'bootstrap'] as const)('%s learn, each tree from users of its own', (sample) => {
    const plan = { height: 3, trees: 3, sample } as const;
    const free = trainForest(train, plan, stream);
    expect(free[0]).not.toEqual(free[1]);
    const learnt = trainFederatedForest(train, { ...plan, messagesPerUser: 2 }, stream, 'aggregated');
    for (const trees of [free, learnt.trees])
      expect(correctShare(classifyByVote(trees, test), test)).toBeGreaterThan(majorityShare(test) + 0.2);
    expect(learnt.totalMessagesPerUser).toBe(3 * (6 + 5 + 4) * 2 * (sample === 'half' ? 0.5 : 1));
  });
});
