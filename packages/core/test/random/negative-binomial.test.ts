import { describe, expect, test } from 'vitest';
import { logGamma, RandomStream, sampleLogarithmic, sampleNegativeBinomial } from '@shuffle-dp/core';
import { chiSquareTest, tabulate, zTest } from '@shuffle-dp/core/testkit';

/** With fixed seeds correct samplers fail one of the tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;
const DRAWS = 40_000;

const stream = (name: string): RandomStream => RandomStream.fromSeed('negative binomial tests').fork(name);

describe.each([
  [0.03, 0.5],
  [0.7, 0.2],
  [1, 0.5],
  [6.5, 0.9],
  [40, 0.3],
])('negative binomial, shape %d, success probability %d', (shape, q) => {
  test('every probability', () => {
    const random = stream(`table ${shape} ${q}`);
    const cells = Math.ceil((shape * (1 - q)) / q + 60 / q);
    const observed = tabulate(DRAWS, cells, () => sampleNegativeBinomial(shape, q, random));
    const expected = Float64Array.from(
      { length: cells },
      (_, k) =>
        DRAWS *
        Math.exp(
          logGamma(shape + k) - logGamma(shape) - logGamma(k + 1) + shape * Math.log(q) + k * Math.log1p(-q),
        ),
    );
    expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
  });

  test('mean, as a large sum', () => {
    const random = stream(`sum ${shape} ${q}`);
    const many = 1e6 * shape;
    const mean = (many * (1 - q)) / q;
    const sd = Math.sqrt(mean / q);
    expect(zTest(sampleNegativeBinomial(many, q, random), mean, sd)).toBeGreaterThan(SIGNIFICANCE);
  });
});

test.each([0.01, 0.3, 0.5, 0.95, 1 - 1e-9])('logarithmic, success probability %d: every probability', (q) => {
  const random = stream(`logarithmic ${q}`);
  const cells = Math.ceil(60 / q);
  const observed = tabulate(DRAWS, cells, () => sampleLogarithmic(q, random) - 1);
  const expected = Float64Array.from(
    { length: cells },
    (_, i) => (-DRAWS * Math.exp((i + 1) * Math.log1p(-q))) / ((i + 1) * Math.log(q)),
  );
  expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
});

test('refusals', () => {
  const random = stream('refusals');
  expect(() => sampleNegativeBinomial(0, 0.5, random)).toThrow('shape = 0: must be a positive number');
  expect(() => sampleNegativeBinomial(1, 0, random)).toThrow('successProbability = 0: must be in (0, 1]');
  expect(sampleNegativeBinomial(3, 1, random)).toBe(0);
  expect(() => sampleLogarithmic(0, random)).toThrow('successProbability = 0: must be in (0, 1)');
});

test('small success probabilities give whole numbers from 1 on', () => {
  const random = RandomStream.fromSeed('small success probabilities');
  for (const success of [5e-17, 1e-50, 1e-300])
    for (let draw = 0; draw < 1000; draw++) {
      const k = sampleLogarithmic(success, random);
      expect(k).toBeGreaterThanOrEqual(1);
      expect(k).toBeLessThan(Infinity);
    }
});
