import { expect, test } from 'vitest';
import {
  ratiosToLeast,
  RandomStream,
  relativeVarianceOfMean,
  RunningMoments,
  sampleGaussian,
  type MeasuredMean,
} from '@shuffle-dp/core';

/** A cell of T trials whose errors are sums of squared normal variables with this expectation. */
function cell(expectation: number, domain: number, trials: number, stream: RandomStream): MeasuredMean {
  const moments = new RunningMoments();
  for (let trial = 0; trial < trials; trial++) {
    let sum = 0;
    for (let i = 1; i < domain; i++) sum += sampleGaussian(stream) ** 2;
    moments.add((expectation * sum) / (domain - 1));
  }
  return {
    mean: moments.mean,
    relativeVariance: relativeVarianceOfMean(moments, 2 / domain),
    count: trials,
  };
}

/**
 * Share of the repetitions in which some cell that ties for the least is told apart, or some interval misses.
 */
function wrongShares(expectations: readonly number[], domain: number, trials: number, repetitions: number) {
  const stream = RandomStream.fromSeed(`comparison ${expectations.join()} ${domain} ${trials}`);
  const least = Math.min(...expectations);
  let separated = 0;
  let missed = 0;
  for (let i = 0; i < repetitions; i++) {
    const ratios = ratiosToLeast(
      expectations.map((expectation) => cell(expectation, domain, trials, stream)),
    );
    if (ratios.some(({ lower }, k) => expectations[k] === least && lower > 1)) separated++;
    if (
      ratios.some(
        ({ lower, upper }, k) => !(lower <= expectations[k]! / least && expectations[k]! / least <= upper),
      )
    )
      missed++;
  }
  return { separated: separated / repetitions, missed: missed / repetitions };
}

const EQUAL = Array<number>(13).fill(1);

test.each([
  [2, 20],
  [12, 20],
  [12, 5],
])(
  '13 equal cells over %d categories, %d trials: some told apart in at most 7 of 100 repetitions',
  (domain, trials) => {
    const { separated, missed } = wrongShares(EQUAL, domain, trials, 2000);
    expect(separated).toBeLessThanOrEqual(0.07);
    expect(missed).toBeLessThanOrEqual(0.07);
  },
);

// Level 5 %; at 7 % of 2000 a true 5 % would have been exceeded with probability 5e-5.
test.each([
  [[1, 1.05], 2, 20],
  [[1, 1, 1.5, 3], 12, 20],
  [[1, 1.3, 1.6, 1.9, 4], 2, 5],
  [[1, 3, 3, 3, 3, 3, 3, 3], 12, 20],
])('all ratios of %j lie in their intervals: %d categories, %d trials', (expectations, domain, trials) => {
  const { separated, missed } = wrongShares(expectations, domain, trials, 2000);
  expect(separated).toBeLessThanOrEqual(0.07);
  expect(missed).toBeLessThanOrEqual(0.07);
});

test('two equal cells are told apart nearly as often as the level allows', () => {
  const { missed } = wrongShares([1, 1], 12, 100, 2000);
  expect(missed).toBeGreaterThan(0.025);
});

test('what differs is told apart, with an interval that says by how much', () => {
  const stream = RandomStream.fromSeed('power');
  const [best, close, far] = ratiosToLeast([1, 1.02, 2].map((mean) => cell(mean, 17, 100, stream)));
  expect(best!.lower).toBe(1);
  expect(best!.upper).toBeLessThan(1.2);
  expect(close!.lower).toBe(1);
  expect(far!.lower).toBeGreaterThan(1.6);
  expect(far!.upper).toBeLessThan(2.5);
});

test('one cell, one trial and equal numbers', () => {
  expect(ratiosToLeast([{ mean: 3, relativeVariance: 0.1, count: 5 }])).toEqual([{ lower: 1, upper: 1 }]);
  const single = { mean: 1, relativeVariance: Infinity, count: 1 };
  expect(ratiosToLeast([single, { ...single, mean: 100 }])).toEqual([
    { lower: 1, upper: Infinity },
    { lower: 1, upper: Infinity },
  ]);
});

test('a large ratio has two ends, and one of which little is known none', () => {
  const of = (relativeVariance: number) =>
    ratiosToLeast([1, 5000].map((mean) => ({ mean, relativeVariance, count: 100 })))[1]!;
  expect(of(0.001).upper).toBeLessThan(6000);
  expect(of(0.001).lower).toBeGreaterThan(4000);
  expect(of(20).upper).toBe(Infinity);
});

test('a mean of zero leaves all ratios open', () => {
  const cells = [0, 1].map((mean) => ({ mean, relativeVariance: mean === 0 ? Infinity : 0.01, count: 50 }));
  expect(ratiosToLeast(cells)).toEqual([
    { lower: 1, upper: Infinity },
    { lower: 1, upper: Infinity },
  ]);
});

test('the order of the cells does not matter', () => {
  const stream = RandomStream.fromSeed('order');
  const cells = [1.4, 1, 2.2, 1.1].map((mean) => cell(mean, 5, 8, stream));
  expect(ratiosToLeast(cells.toReversed())).toEqual(ratiosToLeast(cells).toReversed());
});

// Quantiles of Student's law from its tables, at 0.975: with two cells one comparison has all of the 5 %.
test.each([
  { counts: [3, 3], variances: [0.01, 0.01], degrees: 4, quantile: 2.7764451051977944 },
  // Welch's degrees, 0.05^2 / (0.01^2 / 2 + 0.04^2 / 10) = 11.9, count down.
  { counts: [3, 11], variances: [0.01, 0.04], degrees: 11, quantile: 2.2009851600916399 },
])('two cells with $degrees degrees of freedom', ({ counts, variances, quantile }) => {
  const means = [1, 4].map((mean, i) => ({ mean, relativeVariance: variances[i]!, count: counts[i]! }));
  const [best, other] = ratiosToLeast(means);
  expect(best).toEqual({ lower: 1, upper: 1 });
  const reach = quantile * Math.sqrt(variances[0]! + variances[1]!);
  expect(other!.lower).toBeCloseTo(4 * Math.exp(-reach), 11);
  expect(other!.upper).toBeCloseTo(4 * Math.exp(reach), 11);
});
