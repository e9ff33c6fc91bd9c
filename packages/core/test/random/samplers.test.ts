import { describe, expect, test } from 'vitest';
import {
  RandomStream,
  aliasTable,
  binomialPmf,
  logBinomialCoefficient,
  normalTail,
  sampleBinomial,
  sampleGamma,
  sampleGaussian,
  sampleGeometricSkip,
  sampleHypergeometric,
  sampleLaplace,
  sampleMultinomial,
  samplePoisson,
  sampleSubset,
  sampleUniformMultinomial,
  logFactorial,
} from '@shuffle-dp/core';
import { aim, chiSquareTest, kolmogorovSmirnov, tabulate, zTest } from '@shuffle-dp/core/testkit';

const normalCdf = (z: number): number => normalTail(-z);

/** With fixed seeds a correct sampler fails one of the some 60 tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;
const DRAWS = 40_000;

const stream = (name: string): RandomStream => RandomStream.fromSeed('sampler tests').fork(name);

describe('binomial', () => {
  test.each([
    [1, 0.3],
    [50, 0.4],
    [50, 0.6],
    [1000, 0.02],
    [1000, 0.5],
    [25, 0.39999],
    [25, 0.4],
    [33, 0.31],
    [1e6, 1e-5],
    [1e6, 9.9e-6],
    [1e12, 1e-12],
    [1e12, 8e-12],
    [1e9, 2e-8],
    [400, 0.999],
  ])('n = %d, p = %d: every probability', (n, p) => {
    const random = stream(`binomial ${n} ${p}`);
    const sd = Math.sqrt(n * p * (1 - p));
    const start = Math.max(0, Math.floor(n * p - 12 * sd - 5));
    const cells = Math.ceil(24 * sd + 12);
    const observed = tabulate(DRAWS, cells, () => sampleBinomial(n, p, random) - start);
    const expected = Float64Array.from({ length: cells }, (_, i) => DRAWS * binomialPmf(start + i, n, p));
    expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
  });

  // A hat that is some percent too low shows in the middle of the law alone, and to forty thousand draws
  // hardly.
  test.each([
    [1000, 0.5],
    [25, 0.4],
    [1e6, 1e-4],
  ])('n = %d, p = %d: two million draws', (n, p) => {
    const draws = 2_000_000;
    const random = stream(`many of binomial ${n} ${p}`);
    const reach = Math.ceil(9 * Math.sqrt(n * p * (1 - p)));
    const start = Math.max(0, Math.floor(n * p) - reach);
    const observed = tabulate(draws, 2 * reach, () => sampleBinomial(n, p, random) - start);
    const expected = Float64Array.from({ length: 2 * reach }, (_, i) => draws * binomialPmf(start + i, n, p));
    expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
  });

  test.each([
    [1e12, 0.3],
    [1e12, 0.5],
    [1e12, 1 - 1e-9],
    [1e9, 0.25],
    [3e10, 0.7],
    [1e8, 0.001],
  ])('n = %d, p = %d: mean, variance and shape', (n, p) => {
    const random = stream(`large binomial ${n} ${p}`);
    const sd = Math.sqrt(n * p * (1 - p));
    const scores = Float64Array.from(
      { length: DRAWS },
      () => (sampleBinomial(n, p, random) - n * p + random.next() - 0.5) / sd,
    );
    const mean = scores.reduce((sum, z) => sum + z, 0) / DRAWS;
    const square = scores.reduce((sum, z) => sum + z * z, 0) / DRAWS;
    expect(zTest(mean, 0, 1 / Math.sqrt(DRAWS))).toBeGreaterThan(SIGNIFICANCE);
    expect(zTest(square, 1, Math.sqrt(2 / DRAWS))).toBeGreaterThan(SIGNIFICANCE);
    expect(kolmogorovSmirnov(scores, normalCdf)).toBeGreaterThan(SIGNIFICANCE);
  });

  test('few expected successes are drawn as by skips alone, near the bound of none too', () => {
    const bySkips = (n: number, p: number, random: RandomStream): number => {
      let successes = 0;
      for (let at = 0; ; successes++) {
        at += Math.floor(Math.log(random.nextOpen()) / Math.log1p(-p)) + 1;
        if (at > n) return successes;
      }
    };
    for (const n of [1, 2, 3, 7, 40, 900]) {
      for (const p of [1e-9, 0.003, 0.05, 0.2, 0.4, 0.5].filter((each) => n * each < 10)) {
        const name = `skips ${n} ${p}`;
        const [drawn, expected] = [stream(name), stream(name)];
        for (let i = 0; i < 200; i++) expect(sampleBinomial(n, p, drawn)).toBe(bySkips(n, p, expected));
        // Words about (1 - p)^n, where none turns into one.
        for (let step = -8; step <= 8; step++) {
          const word = Math.min(2 ** 32 - 1, Math.floor((1 - p) ** n * 2 ** 32) + step);
          aim(drawn, word);
          aim(expected, word);
          expect(sampleBinomial(n, p, drawn)).toBe(bySkips(n, p, expected));
        }
      }
    }
  });

  test('edges and refusals', () => {
    const random = stream('edges');
    expect(sampleBinomial(0, 0.5, random)).toBe(0);
    expect(sampleBinomial(7, 0, random)).toBe(0);
    expect(sampleBinomial(7, 1, random)).toBe(7);
    expect(() => sampleBinomial(-1, 0.5, random)).toThrow('n = -1: must be an integer of at least 0');
    expect(() => sampleBinomial(2.5, 0.5, random)).toThrow('n = 2.5');
    expect(() => sampleBinomial(2, Number.NaN, random)).toThrow('p = NaN: must be in [0, 1]');
  });
});

test.each([0.001, 0.5, 3, 9.99, 10, 11.5, 100, 5000])('Poisson with mean %d', (mean) => {
  const random = stream(`poisson ${mean}`);
  const sd = Math.sqrt(mean);
  const start = Math.max(0, Math.floor(mean - 12 * sd));
  const cells = Math.ceil(24 * sd + 20);
  const observed = tabulate(DRAWS, cells, () => samplePoisson(mean, random) - start);
  const expected = Float64Array.from({ length: cells }, (_, i) => {
    const k = start + i;
    return DRAWS * Math.exp(k * Math.log(mean) - mean - logFactorial(k));
  });
  expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
});

test.each([
  [5, 5, 5],
  [100, 30, 17],
  [3, 1000, 400],
  [2000, 3000, 1000],
  [1, 1, 2],
  [40_000, 60_000, 30_000],
])('hypergeometric (%d, %d), %d draws', (successes, failures, draws) => {
  const random = stream(`hypergeometric ${successes} ${failures} ${draws}`);
  const cells = Math.min(draws, successes) + 1;
  const observed = tabulate(DRAWS, cells, () => sampleHypergeometric(successes, failures, draws, random));
  const expected = Float64Array.from({ length: cells }, (_, k) =>
    draws - k > failures
      ? 0
      : DRAWS *
        Math.exp(
          logBinomialCoefficient(successes, k) +
            logBinomialCoefficient(failures, draws - k) -
            logBinomialCoefficient(successes + failures, draws),
        ),
  );
  expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
});

test('hypergeometric at a population of 1e12 has its mean and variance', () => {
  const random = stream('large hypergeometric');
  const [successes, failures, draws] = [3e11, 7e11, 1e6];
  const share = successes / (successes + failures);
  const sd = Math.sqrt(draws * share * (1 - share));
  const scores = Float64Array.from(
    { length: 4000 },
    () =>
      (sampleHypergeometric(successes, failures, draws, random) - draws * share + random.next() - 0.5) / sd,
  );
  expect(kolmogorovSmirnov(scores, normalCdf)).toBeGreaterThan(SIGNIFICANCE);
});

test('geometric skips count Bernoulli coins', () => {
  const random = stream('skips');
  const p = 0.15;
  const observed = tabulate(DRAWS, 120, () => sampleGeometricSkip(p, random));
  const expected = Float64Array.from(
    { length: 120 },
    (_, k) => DRAWS * (k === 119 ? (1 - p) ** 119 : p * (1 - p) ** k),
  );
  expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
  const rare = Float64Array.from({ length: 4000 }, () => sampleGeometricSkip(1e-12, random));
  expect(kolmogorovSmirnov(rare, (x) => -Math.expm1(-x * 1e-12))).toBeGreaterThan(SIGNIFICANCE);
});

test('multinomial: each margin and each pair sum is binomial', () => {
  const probabilities = [0.5, 0.2, 0.2, 0.05, 0.05, 0];
  const random = stream('multinomial');
  const n = 40;
  const margins = probabilities.map(() => new Float64Array(n + 1));
  const pair = new Float64Array(n + 1);
  for (let i = 0; i < DRAWS; i++) {
    const counts = new Float64Array(6);
    sampleMultinomial(n, probabilities, counts, random);
    counts.forEach((count, j) => (margins[j]![count] = margins[j]![count]! + 1));
    const both = counts[0]! + counts[3]!;
    pair[both] = pair[both]! + 1;
  }
  const expected = (p: number): Float64Array =>
    Float64Array.from({ length: n + 1 }, (_, k) => DRAWS * binomialPmf(k, n, p));
  probabilities.forEach((p, j) =>
    expect(chiSquareTest(margins[j]!, expected(p)).pValue).toBeGreaterThan(SIGNIFICANCE),
  );
  expect(chiSquareTest(pair, expected(0.55)).pValue).toBeGreaterThan(SIGNIFICANCE);
});

test('uniform multinomial adds to its target', () => {
  const random = stream('uniform multinomial');
  const counts = new Float64Array(10).fill(5);
  sampleUniformMultinomial(1_000_000, counts, random);
  const expected = new Float64Array(10).fill(100_000);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_000_050);
  expect(
    chiSquareTest(
      counts.map((count) => count - 5),
      expected,
    ).pValue,
  ).toBeGreaterThan(SIGNIFICANCE);
});

describe('subsets', () => {
  test.each([
    [2, 5],
    [3, 6],
    [0, 3],
    [4, 4],
    [2, 40],
  ])('%d of %d: all equally likely and increasing', (k, universe) => {
    const random = stream(`subset ${k} ${universe}`);
    const counts = new Map<string, number>();
    const target = new Uint16Array(k);
    let disordered = 0;
    for (let i = 0; i < DRAWS; i++) {
      sampleSubset(k, universe, target, 0, random);
      if (!target.every((element, j) => j === 0 || element > target[j - 1]!)) disordered++;
      const key = target.join(' ');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(disordered).toBe(0);
    const subsets = Math.round(Math.exp(logBinomialCoefficient(universe, k)));
    expect(counts.size).toBe(subsets);
    const observed = Float64Array.from(counts.values());
    expect(
      chiSquareTest(
        observed,
        observed.map(() => DRAWS / subsets),
      ).pValue,
    ).toBeGreaterThan(SIGNIFICANCE);
  });
});

test('Laplace, Gaussian and gamma laws', () => {
  const random = stream('continuous');
  const laplace = Float64Array.from({ length: DRAWS }, () => sampleLaplace(2, random));
  expect(
    kolmogorovSmirnov(laplace, (x) => (x < 0 ? Math.exp(x / 2) / 2 : 1 - Math.exp(-x / 2) / 2)),
  ).toBeGreaterThan(SIGNIFICANCE);
  const gaussian = Float64Array.from({ length: DRAWS }, () => sampleGaussian(random));
  expect(kolmogorovSmirnov(gaussian, normalCdf)).toBeGreaterThan(SIGNIFICANCE);
  const erlang = Float64Array.from({ length: DRAWS }, () => sampleGamma(3, random));
  expect(kolmogorovSmirnov(erlang, (x) => 1 - Math.exp(-x) * (1 + x + (x * x) / 2))).toBeGreaterThan(
    SIGNIFICANCE,
  );
  const half = Float64Array.from({ length: DRAWS }, () => sampleGamma(0.5, random));
  expect(kolmogorovSmirnov(half, (x) => 2 * normalCdf(Math.sqrt(2 * x)) - 1)).toBeGreaterThan(SIGNIFICANCE);
});

test('alias table', () => {
  const weights = [3, 0, 1, 0.5, 10, 1e-9];
  const random = stream('alias');
  const table = aliasTable(weights);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const observed = tabulate(DRAWS, weights.length, () => table.sample(random));
  expect(observed[1]).toBe(0);
  expect(
    chiSquareTest(
      observed,
      weights.map((weight) => (DRAWS * weight) / total),
    ).pValue,
  ).toBeGreaterThan(SIGNIFICANCE);
  expect(() => aliasTable([0, 0])).toThrow('the sum of weights = 0');
});
