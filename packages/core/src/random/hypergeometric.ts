/**
 * Exact hypergeometric draws: how many of `draws` items taken without replacement are among the `successes`.
 * Inversion outward from the mode, by ratios of successive probabilities: about one standard deviation of
 * steps a draw. For wide laws rejection, whose cost does not grow with them (L. Devroye, "A simple generator
 * for discrete log-concave distributions", Computing 39, 1987).
 */
import * as Real from '../numeric/elementary/index.ts';
import { requireInteger } from '../arguments.ts';
import { ParameterError } from '../errors.ts';
import { logBinomialPmf } from '../numeric/binomial-distribution.ts';
import type { RandomStream } from './random-stream.ts';

/** Mass of the mode below which rejection is quicker: from a standard deviation of some 60 on. */
const WIDE_BELOW = 1 / 150;

/**
 * How many of `draws` items, taken without replacement, are among the successes.
 *
 * @throws ParameterError unless all are integers of at least 0 with draws <= successes + failures
 * @example sampleHypergeometric(30, 70, 10, RandomStream.fromSeed('example')) // 1
 */
export function sampleHypergeometric(
  successes: number,
  failures: number,
  draws: number,
  stream: RandomStream,
): number {
  requireInteger('successes', successes, 0);
  requireInteger('failures', failures, 0);
  requireInteger('draws', draws, 0);
  const population = successes + failures;
  if (draws > population)
    throw new ParameterError('draws', draws, `at most successes + failures = ${population}`);
  const lowest = Math.max(0, draws - failures);
  const highest = Math.min(draws, successes);
  if (lowest === highest) return lowest;
  const mode = Math.min(
    highest,
    Math.max(lowest, Math.floor(((draws + 1) * (successes + 1)) / (population + 2))),
  );
  const urn = { successes, failures, draws, lowest, highest };
  if (successes <= FEW) return outwards(urn, mode, massOfFew(urn, mode), stream);
  // As a ratio of binomial probabilities, which keep their digits where coefficients have lost theirs.
  const share = draws / population;
  const logMass = (k: number): number =>
    logBinomialPmf(k, successes, share) + logBinomialPmf(draws - k, failures, share);
  const logAtMode = logMass(mode);
  const atMode = Real.exp(logAtMode - logBinomialPmf(draws, population, share));
  if (atMode < WIDE_BELOW) {
    const logRatio = (k: number): number => (k < lowest || k > highest ? -Infinity : logMass(k) - logAtMode);
    return mode + byRejection(atMode, (step) => logRatio(mode + step), stream);
  }
  return outwards(urn, mode, atMode, stream);
}

/** Successes that are counted one by one: logarithms of as many probabilities take longer. */
const FEW = 32;

/** The probability of k of few successes, success by success and failure by failure. */
function massOfFew({ successes, failures, draws }: Urn, k: number): number {
  const population = successes + failures;
  let mass = 1;
  for (let i = 0; i < k; i++) mass *= ((draws - i) / (population - i)) * ((successes - i) / (i + 1));
  for (let i = 0; i < successes - k; i++) mass *= (population - draws - i) / (population - k - i);
  return mass;
}

function outwards(urn: Urn, mode: number, atMode: number, stream: RandomStream): number {
  for (;;) {
    const found = outwardFromMode(urn, mode, atMode, stream.next());
    if (found !== null) return found;
  }
}

/**
 * The distance from the mode under a log-concave law with this mass there: the mass at distance x is at most
 * min(1, exp(w - atMode |x|)) times that at the mode, w = 1 + atMode/2.
 */
function byRejection(atMode: number, logRatio: (step: number) => number, stream: RandomStream): number {
  const w = 1 + atMode / 2;
  for (;;) {
    const inside = stream.next() * (1 + w) < w;
    const beyond = inside ? 0 : -Real.log(stream.nextOpen());
    const distance = (inside ? stream.next() * w : w + beyond) / atMode;
    const step = (stream.next() < 0.5 ? -1 : 1) * Math.round(distance);
    if (Real.log(stream.nextOpen()) - beyond <= logRatio(step)) return step;
  }
}

interface Urn {
  readonly successes: number;
  readonly failures: number;
  readonly draws: number;
  /** The least and the largest number of successes that can be drawn. */
  readonly lowest: number;
  readonly highest: number;
}

/** Null when rounding left the uniform beyond the summed mass: about once in 1e13 draws. */
function outwardFromMode(urn: Urn, mode: number, atMode: number, uniform: number): number | null {
  const { successes, failures, draws, lowest, highest } = urn;
  let remaining = uniform - atMode;
  if (remaining < 0) return mode;
  let up = mode;
  let down = mode;
  let upMass = atMode;
  let downMass = atMode;
  while (up < highest || down > lowest) {
    if (up < highest) {
      upMass *= ((successes - up) * (draws - up)) / ((up + 1) * (failures - draws + up + 1));
      up++;
      remaining -= upMass;
      if (remaining < 0) return up;
    }
    if (down > lowest) {
      downMass *= (down * (failures - draws + down)) / ((successes - down + 1) * (draws - down + 1));
      down--;
      remaining -= downMass;
      if (remaining < 0) return down;
    }
    if (upMass < 1e-18 && downMass < 1e-18) return null;
  }
  return null;
}
