/** Draws as one would first write them, on `Math.random`. */
import { binomialPmf } from '@shuffle-dp/core';

/** Sums coins one by one. */
export function coinByCoin(n: number, p: number): number {
  let successes = 0;
  for (let i = 0; i < n; i++) if (Math.random() < p) successes++;
  return successes;
}

/** Walks outwards from the mode, on both sides in turn, until the masses passed exceed a uniform number. */
export function binomialFromMode(n: number, p: number): number {
  const mode = Math.floor((n + 1) * p);
  const odds = p / (1 - p);
  const place = Math.random();
  let [low, high] = [mode, mode];
  let lowMass = binomialPmf(mode, n, p);
  let highMass = lowMass;
  for (let passed = lowMass; passed < place && (low > 0 || high < n);) {
    if (high < n) {
      highMass *= ((n - high) / (high + 1)) * odds;
      high++;
      passed += highMass;
      if (passed >= place) return high;
    }
    if (low > 0) {
      lowMass *= low / (n - low + 1) / odds;
      low--;
      passed += lowMass;
    }
  }
  return low;
}

/** Walks up from zero. */
export function binomialFromZero(n: number, p: number): number {
  let mass = Math.exp(n * Math.log1p(-p));
  let left = Math.random() - mass;
  let k = 0;
  while (left > 0 && k < n) {
    mass *= ((n - k) / (k + 1)) * (p / (1 - p));
    k++;
    left -= mass;
  }
  return k;
}

/** D. Knuth's product of uniforms. */
export function poissonByProduct(mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = Math.random(); product > limit; product *= Math.random()) count++;
  return count;
}

/** Counts exponential waiting times: the product above would underflow. */
export function poissonByArrivals(mean: number): number {
  let count = -1;
  for (let time = 0; time < mean; time -= Math.log(1 - Math.random())) count++;
  return Math.max(0, count);
}

export function hypergeometricOneByOne(successes: number, failures: number, draws: number): number {
  let drawn = 0;
  for (let i = 0; i < draws; i++) {
    if (Math.random() * (successes + failures - i) < successes - drawn) drawn++;
  }
  return drawn;
}

/** Failures before `shape` successes, coin by coin. */
export function negativeBinomialByCoins(shape: number, p: number): number {
  let failures = 0;
  for (let successes = 0; successes < shape;) {
    if (Math.random() < p) successes++;
    else failures++;
  }
  return failures;
}

export function linearScan(weights: Float64Array, total: number): number {
  let place = Math.random() * total;
  let index = 0;
  while (index < weights.length - 1 && place >= weights[index]!) place -= weights[index++]!;
  return index;
}

/** G. Box and M. Muller's method, one of its two numbers. */
export function boxMuller(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
}

export function inverseLaplace(): number {
  const place = Math.random() - 0.5;
  return -Math.sign(place) * Math.log(1 - 2 * Math.abs(place));
}

/** Shuffles the whole universe and takes the first `size`. */
export function shuffledSubset(size: number, universe: number): number[] {
  const all = Array.from({ length: universe }, (_, i) => i);
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j]!, all[i]!];
  }
  return all.slice(0, size);
}
