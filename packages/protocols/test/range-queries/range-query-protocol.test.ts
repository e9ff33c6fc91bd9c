import { describe, expect, test } from 'vitest';
import {
  binomialPmf,
  meanSquareOverRanges,
  RandomStream,
  RunningMoments,
  sumOfSquares,
  type CategoricalData,
} from '@shuffle-dp/core';
import { chiSquareTest, zTest } from '@shuffle-dp/core/testkit';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { singleMessageFrequency } from '../../src/frequencies/single-message-frequency.ts';
import { hierarchicalResponse } from '../../src/range-queries/hierarchical-response.ts';
import { hierarchy } from '../../src/range-queries/hierarchy.ts';
import { answerRange, consistentEstimates } from '../../src/range-queries/node-estimates.ts';
import { meanInverseCount } from '../../src/range-queries/range-error.ts';
import { hierarchicalRangeQueries } from '../../src/range-queries/range-query-protocol.ts';
import { describeProtocolLaws, pathsAgree } from '../laws/protocol-laws.ts';
import { randomCategories } from '../laws/random-data.ts';

/** Each check raises a false alarm with at most this probability; seeds are fixed. */
const SIGNIFICANCE = 1e-6;

const kind = 'range-queries';
const setting = { users: 600, domain: 11, delta: 1e-5 };
const data = randomCategories('ranges', 600, 11);
const protocol = hierarchicalRangeQueries({ kind, epsilon0: 2 }, setting);
const RANGES = [
  { from: 0, to: 1 },
  { from: 1, to: 7 },
  { from: 3, to: 11 },
  { from: 0, to: 8 },
  { from: 2, to: 10 },
];

function trueFraction({ histogram, users }: CategoricalData, { from, to }: { from: number; to: number }) {
  return histogram.slice(from, to).reduce((sum, holders) => sum + holders, 0) / users;
}

describe('the leaves of a hierarchy', () => {
  describeProtocolLaws({ protocol, data, trials: 400, stages: ['data messages'] });
});

describe.each(protocol.paths)('ranges by %s', (path) => {
  const trials = 3000;
  const root = RandomStream.fromSeed('ranges').fork(path);
  const estimates = Array.from({ length: trials }, (_, i) =>
    protocol.estimateNodes(data, root.fork(i), path),
  );
  const joined = estimates.map((nodes) => consistentEstimates(nodes, protocol.levelVariances));
  const squares = (answers: readonly number[], truth: number) =>
    answers.map((answer) => (answer - truth) * (answer - truth));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

  test.each(RANGES)('are unbiased with the variance stated, from $from to $to', (range) => {
    const truth = trueFraction(data, range);
    const errors = squares(
      estimates.map((nodes) => answerRange(nodes, range)),
      truth,
    );
    const variance = protocol.rangeVariance(data, range);
    const average = mean(estimates.map((nodes) => answerRange(nodes, range)));
    expect(zTest(average, truth, Math.sqrt(variance / trials))).toBeGreaterThan(SIGNIFICANCE);
    const spread = Math.sqrt(mean(squares(errors, mean(errors))) / trials);
    expect(zTest(mean(errors), variance, spread)).toBeGreaterThan(SIGNIFICANCE);
  });

  test('summed from the consistent leaves are the consistent answers', () => {
    const leaves = protocol.run(data, root.fork(7), path);
    for (const { from, to } of RANGES) {
      const sum = leaves.slice(from, to).reduce((total, leaf) => total + leaf, 0);
      expect(sum).toBeCloseTo(answerRange(joined[7]!, { from, to }), 12);
    }
  });

  test('consistent answers are unbiased, and the better ones', () => {
    let before = 0;
    let after = 0;
    for (const range of RANGES) {
      const truth = trueFraction(data, range);
      const answers = joined.map((nodes) => answerRange(nodes, range));
      const errors = squares(answers, truth);
      expect(zTest(mean(answers), truth, Math.sqrt(mean(errors) / trials))).toBeGreaterThan(SIGNIFICANCE);
      before += protocol.rangeVariance(data, range);
      after += mean(errors);
    }
    expect(after).toBeLessThan(0.9 * before);
  });
});

describe('over all ranges', () => {
  const ranges = Array.from({ length: 11 }, (_, from) =>
    Array.from({ length: 11 - from }, (__, i) => ({ from, to: from + i + 1 })),
  ).flat();
  const variance =
    ranges.reduce((sum, range) => sum + protocol.rangeVariance(data, range), 0) / ranges.length;

  test('answers from nodes err by the average of their variances', () => {
    const root = RandomStream.fromSeed('all ranges');
    const moments = new RunningMoments();
    for (let trial = 0; trial < 1000; trial++) {
      const nodes = protocol.estimateNodes(data, root.fork(trial), 'aggregated');
      const squares = ranges.map((range) => (answerRange(nodes, range) - trueFraction(data, range)) ** 2);
      moments.add(squares.reduce((sum, square) => sum + square, 0) / ranges.length);
    }
    const spread = Math.sqrt(moments.variance / moments.count);
    expect(zTest(moments.mean, variance, spread)).toBeGreaterThan(SIGNIFICANCE);
    expect(spread).toBeLessThan(0.04 * variance);
  });

  test('sums of consistent leaves err less, by what is stated', () => {
    expect(protocol.expectedRangeError(data)).toBeLessThan(0.9 * variance);
  });

  test('one level errs as the sums of randomized response do', () => {
    const flat = hierarchicalRangeQueries({ kind, epsilon0: 1, branching: 11 }, setting);
    const plain = singleMessageFrequency({ kind: 'frequency', randomizer: 'grr', epsilon0: 1 }, setting);
    const average = ranges.reduce((sum, range) => sum + flat.rangeVariance(data, range), 0) / ranges.length;
    expect(flat.expectedRangeError(data)! / average).toBeCloseTo(1, 11);
    expect(plain.expectedRangeError(data)! / average).toBeCloseTo(1, 11);
    expect(flat.expectedError(data)! / plain.expectedError(data)!).toBeCloseTo(1, 11);
  });

  test('nothing is stated for domains so large that it would take long', () => {
    const large = { users: 1e6, domain: 4097, delta: 1e-6 };
    const many = hierarchicalRangeQueries({ kind, epsilon0: 1 }, large);
    const histogram = new Float64Array(4097).fill(0).with(0, 1e6);
    expect(many.expectedRangeError({ kind: 'categories', ...large, histogram })).toBeNull();
  });
});

// At this budget nearly all error is of the sampling of users; the covariance of the two levels is a third of
// it.
const halves: CategoricalData = {
  kind: 'categories',
  users: 120,
  domain: 8,
  histogram: Float64Array.of(0, 60, 30, 30, 0, 0, 0, 0),
};
const precise = hierarchicalRangeQueries({ kind, epsilon0: 9 }, { users: 120, domain: 8, delta: 0.01 });

test('consistent leaves err as stated where users of the levels are all that errs', () => {
  const root = RandomStream.fromSeed('consistent');
  const [leaves, sums] = [new RunningMoments(), new RunningMoments()];
  for (let trial = 0; trial < 4000; trial++) {
    const estimate = precise.run(halves, root.fork(trial), 'aggregated');
    const errors = estimate.map((value, leaf) => value - halves.histogram[leaf]! / 120);
    leaves.add(sumOfSquares(errors));
    sums.add(meanSquareOverRanges(errors));
  }
  for (const [{ mean, variance, count }, expected] of [
    [leaves, precise.expectedError(halves)!],
    [sums, precise.expectedRangeError(halves)!],
  ] as const) {
    const spread = Math.sqrt(variance / count);
    expect(zTest(mean, expected, spread)).toBeGreaterThan(SIGNIFICANCE);
    expect(spread).toBeLessThan(0.02 * expected);
  }
});

test('levels answered by disjoint users are correlated as stated', () => {
  const root = RandomStream.fromSeed('levels');
  const range = { from: 1, to: 4 };
  const trials = 4000;
  let sum = 0;
  let squares = 0;
  for (let trial = 0; trial < trials; trial++) {
    const nodes = precise.estimateNodes(halves, root.fork(trial), 'aggregated');
    const square = (answerRange(nodes, range) - 1) ** 2;
    sum += square;
    squares += square * square;
  }
  const average = sum / trials;
  const spread = Math.sqrt((squares / trials - average * average) / trials);
  const variance = precise.rangeVariance(halves, range);
  expect(zTest(average, variance, spread)).toBeGreaterThan(SIGNIFICANCE);
  expect(spread).toBeLessThan(0.03 * variance);
});

test('the whole domain is known without error', () => {
  const nodes = protocol.estimateNodes(data, RandomStream.fromSeed('whole'), 'messages');
  expect(answerRange(nodes, { from: 0, to: 11 })).toBeCloseTo(1, 12);
  expect(protocol.rangeVariance(data, { from: 0, to: 11 })).toBeCloseTo(0, 15);
});

test('messages have their law, level and node alike', () => {
  const tree = hierarchy(11, 3);
  const randomizer = hierarchicalResponse(tree, 1.2);
  const users = 60_000;
  for (const leaf of [0, 4, 10]) {
    const messages = randomizer.allocate(users);
    randomizer.randomizeInto(
      new Uint32Array(users).fill(leaf),
      messages,
      RandomStream.fromSeed(`leaf ${leaf}`),
    );
    const { level, node } = messages.columns;
    const observed = tree.levels.map(({ nodes }) => new Float64Array(nodes));
    for (let i = 0; i < users; i++) observed[level[i]!]![node[i]!]!++;
    const expected = tree.levels.map(({ nodes, width }, h) =>
      Float64Array.from({ length: nodes }, (_, v) => {
        const log = randomizer.oracles[h]!.logProbability!([v], Math.floor(leaf / width));
        return (users * Math.exp(log)) / tree.levels.length;
      }),
    );
    const flat = (table: readonly Float64Array[]) => table.flatMap((row) => Array.from(row));
    expect(chiSquareTest(flat(observed), flat(expected)).pValue).toBeGreaterThan(SIGNIFICANCE);
  }
});

test('both paths have one distribution', () => {
  const few = randomCategories('few', 120, 4);
  const small = hierarchicalRangeQueries({ kind, epsilon0: 1 }, { users: 120, domain: 4, delta: 0.01 });
  const statistic = (path: 'leaf' | 'range') => (leaves: Float64Array) =>
    String(Math.round(5 * (path === 'leaf' ? leaves[0]! : leaves[1]! - leaves[3]!)));
  expect(pathsAgree(small, few, 3000, statistic('leaf'))).toBeGreaterThan(SIGNIFICANCE);
  expect(pathsAgree(small, few, 3000, statistic('range'))).toBeGreaterThan(SIGNIFICANCE);
});

test('one level is the plain frequency protocol', () => {
  const flat = hierarchicalRangeQueries({ kind, epsilon0: 1, branching: 11 }, setting);
  const oracle = generalizedRandomizedResponse({ domain: 11, epsilon0: 1 });
  expect(flat.rangeVariance(data, { from: 3, to: 4 })).toBeCloseTo(
    oracle.variance(600, data.histogram[3]! / 600),
    12,
  );
  expect(flat.cost()).toEqual({ messagesPerUser: 1, bitsPerUser: Math.log2(11) });
});

describe('privacy', () => {
  const large = { users: 10_000, domain: 64, delta: 1e-6 };

  test('is that of parallel composition: n = 10,000, 64 leaves, delta = 1e-6, epsilon0 = 1', () => {
    const stated = (accounting: 'blanket' | 'sharpest') => {
      const [statement] = hierarchicalRangeQueries({ kind, epsilon0: 1, accounting }, large).privacy();
      expect(statement).toMatchObject({ status: 'certified', sound: true });
      expect(statement!.epsilon.lower).toBeCloseTo(0.024515, 6);
      return statement!.epsilon;
    };
    expect(stated('blanket').upper).toBeCloseTo(0.026411, 6);
    // At the level of two nodes every leaf is with one of the victim's, which the blanket leaves unused.
    const { lower, upper } = stated('sharpest');
    expect(upper / lower).toBeLessThan(1.004);
  });

  test('meets a central target', () => {
    const calibrated = hierarchicalRangeQueries({ kind }, { ...large, epsilon: 0.3 });
    const [statement] = calibrated.privacy();
    expect(statement!.epsilon.upper).toBeLessThanOrEqual(0.3);
    expect(statement!.epsilon.upper).toBeGreaterThan(0.2999);
    expect(calibrated.parameters.epsilon0).toBeGreaterThan(3);
  });

  test('as published is Theorem 6.1, which is not sound', () => {
    const published = hierarchicalRangeQueries({ kind, epsilon0: 1, accounting: 'variation-ratio' }, large);
    expect(published.privacy()[0]).toMatchObject({
      theorem: 'Wang et al. 2024, Theorem 6.1',
      status: 'as published',
      sound: false,
    });
    expect(published.certifiedPrivacy()[0]!.status).toBe('certified');
  });
});

test('too few users for the levels, no budget and no values are refused', () => {
  expect(() => hierarchicalRangeQueries({ kind, epsilon0: 1 }, { ...setting, users: 159 })).toThrow(
    'users = 159: must be an integer of at least 160',
  );
  expect(() => hierarchicalRangeQueries({ kind }, setting)).toThrow('epsilon = "nothing": must be given');
  const { values: _, ...counted } = data;
  expect(() => protocol.run(counted, RandomStream.fromSeed('x'), 'messages')).toThrow(
    'path = "messages": must be \'aggregated\'',
  );
});

test('users who stay away are refused where a level may stay empty, whoever happens to stay', () => {
  const { threatenedPrivacy } = hierarchicalRangeQueries({ kind, epsilon0: 1 }, { ...setting, users: 190 });
  // 171 stay on average, but at times fewer than 160.
  expect(() => threatenedPrivacy!({ colluding: 0, dropout: 0.1 })).toThrow(/^dropout = 0\.1: .* need 160$/u);
  expect(threatenedPrivacy!({ colluding: 0.5, dropout: 0.01 })[0]!.epsilon.upper).toBeGreaterThan(0);
});

test.each([
  [120, 1 / 3],
  // The least users per level that are accepted.
  [480, 1 / 12],
  [2560, 1 / 64],
  [600, 1 / 4],
  [5000, 1 / 11],
])('E[1/N] of Bin(%d, %d) against its sum', (users, probability) => {
  let sum = 0;
  for (let k = 1; k <= users; k++) sum += binomialPmf(k, users, probability) / k;
  expect(meanInverseCount(users, probability) / sum).toBeCloseTo(1, 12);
  expect(sum * users * probability).toBeGreaterThan(1.0005);
});
