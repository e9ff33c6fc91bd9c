import { expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import {
  intervalColumns,
  meanAccuracy,
  meanDistance,
  meanShare,
} from '../../src/results/trial-statistics.ts';

it.each([
  [[1, 0, 0]],
  [[1, 1, 0]],
  [[1, 1, 1]],
  [[0, 0]],
  [[0.9, 0.95, 0.99]],
  [[0.5, 0.6]],
  [[1 / 3, 1 / 3]],
])('shares %j have an interval in [0, 1] around their mean', (shares) => {
  for (const of of [meanShare, meanAccuracy]) {
    const { mean, interval } = of(shares);
    expect(interval.lower).toBeGreaterThanOrEqual(0);
    expect(interval.lower).toBeLessThanOrEqual(mean);
    expect(interval.upper).toBeGreaterThanOrEqual(mean);
    expect(interval.upper).toBeLessThanOrEqual(1);
  }
});

it('shares that are all 0 or all 1 say how near the mean is to that', () => {
  expect(meanShare(Array<number>(20).fill(0)).interval.upper).toBeCloseTo(1 - 0.025 ** (1 / 20), 12);
  expect(meanShare(Array<number>(20).fill(1)).interval.lower).toBeCloseTo(0.025 ** (1 / 20), 12);
});

it('distances have an interval from 0 on, and of two trials that differ no upper end', () => {
  expect(meanDistance([0.0206, 0.044]).interval).toEqual({
    lower: expect.closeTo(0.00162, 4),
    upper: Infinity,
  });
  expect(meanDistance([2, 2, 2]).interval).toEqual({ lower: 2, upper: 2 });
  expect(intervalColumns('quality', meanDistance([0.0206, 0.044]).interval)).toEqual({
    quality_ci_low: expect.closeTo(0.00162, 4),
    quality_ci_high: null,
  });
  expect(intervalColumns('accuracy', meanShare([0.3]).interval)).toEqual({
    accuracy_ci_low: null,
    accuracy_ci_high: null,
  });
});

it.each([
  ['one test user', 1, 0.9],
  ['a hundred', 100, 0.95],
  ['a hundred, seldom right', 100, 0.05],
])('accuracies on %s cover with at least about 95 %% at five trials', (_, users, truth) => {
  const stream = RandomStream.fromSeed(`shares ${users} ${truth}`);
  const trial = () => {
    let right = 0;
    for (let user = 0; user < users; user++) if (stream.next() < truth) right++;
    return right / users;
  };
  let covered = 0;
  for (let run = 0; run < 400; run++) {
    const { lower, upper } = meanShare(Array.from({ length: 5 }, trial)).interval;
    if (lower <= truth && truth <= upper) covered++;
  }
  expect(covered / 400).toBeGreaterThan(0.925);
});
