/**
 * Laws of the noise that is added to a count: masses of neighbouring integers, in logarithms. What has not a
 * chance in e^700 is cut off.
 */
import {
  CompensatedSum,
  logBinomialPmf,
  logSumExp,
  ParameterError,
  Real,
  requireInteger,
  requirePositive,
  requirePositiveProbability,
} from '@shuffle-dp/core';

export interface NoiseLaw {
  /** The least number with a mass here; the others follow one by one. */
  readonly first: number;
  /** Natural logarithms of the masses. */
  readonly logMass: Float64Array;
  /** Bound on the relative error of each mass. */
  readonly error: number;
}

/** Of a mass by a closed form, relative; the special functions leave a tenth of it. */
export const CLOSED_FORM_ERROR = 1e-12;
/** What each factor adds where masses are products of many. */
export const FACTOR_ERROR = 1e-15;
/** Bound on what is cut off on either side of a law. */
export const CUT = 1e-290;

export const LOG_CUT = -700;
export const MOST_MASSES = 2e7;

/**
 * The law Bin(trials, 1/2) of noise added to a count.
 *
 * @throws ParameterError
 * @example momentsOf(binomialNoise(100)) // { mean: 50, variance: 25 }
 */
export function binomialNoise(trials: number): NoiseLaw {
  requireInteger('trials', trials, 0, Number.MAX_SAFE_INTEGER);
  if (trials === 0) return { first: 0, logMass: Float64Array.of(0), error: 0 };
  return outwards(Math.floor((trials + 1) / 2), trials, (k) => logBinomialPmf(k, trials, 1 / 2));
}

/**
 * Negative binomial of any positive mean, its variance the mean over `success` in (0, 1); Poisson where that
 * is 1.
 *
 * @throws ParameterError
 * @example momentsOf(negativeBinomialNoise(5, 0.5)).mean // 5
 */
export function negativeBinomialNoise(mean: number, success: number): NoiseLaw {
  requirePositive('mean', mean);
  requirePositiveProbability('success', success);
  const failure = 1 - success;
  const base = mean * success;
  /** log f(k) - log f(k - 1). */
  const logGrowth = (k: number): number => Real.log((base + (k - 1) * failure) / k);
  const mode = Math.max(0, Math.floor(mean - failure / success));
  return byGrowth(mode, logGrowth);
}

/**
 * Proportional to left^(mode - k) below the mode and to right^(k - mode) from there on, k >= 0; both in [0,
 * 1), `right` positive.
 *
 * @example momentsOf(geometricNoise(5, 0.5, 0.5)).mean // 5.07368
 */
export function geometricNoise(mode: number, left: number, right: number): NoiseLaw {
  requireInteger('mode', mode, 0, MOST_MASSES);
  const [logLeft, logRight] = [Real.log(left), Real.log(right)];
  return outwards(
    mode,
    Infinity,
    (k) => (k < mode ? (mode - k) * logLeft : (k - mode) * logRight) - logTotal(),
  );

  function logTotal(): number {
    const below = left === 0 ? 0 : (-left * Real.expm1(mode * logLeft)) / (1 - left);
    return Real.log(below + 1 / (1 - right));
  }
}

/**
 * Mean and variance of a law, its masses as they are.
 *
 * @example momentsOf(binomialNoise(100)) // { mean: 50, variance: 25 }
 */
export function momentsOf({ first, logMass }: NoiseLaw): {
  readonly mean: number;
  readonly variance: number;
} {
  let mean = 0;
  logMass.forEach((log, i) => (mean += Real.exp(log) * i));
  let variance = 0;
  logMass.forEach((log, i) => (variance += Real.exp(log) * (i - mean) ** 2));
  return { mean: first + mean, variance };
}

/** From the mode outwards, down to 0 and as long as masses count; they must fall on either side. */
function outwards(mode: number, most: number, logMassAt: (k: number) => number): NoiseLaw {
  const side = (step: 1 | -1): Float64Array => {
    let found: Float64Array = new Float64Array(FIRST_ROOM);
    let count = 0;
    for (let k = step > 0 ? mode : mode - 1; k >= 0 && k <= most; k += step) {
      const log = logMassAt(k);
      if (log < LOG_CUT) break;
      if (count === MOST_MASSES) throw tooWide();
      if (count === found.length) found = withRoom(found);
      found[count++] = log;
    }
    return found.subarray(0, count);
  };
  const above = side(1);
  const below = side(-1);
  const logMass = new Float64Array(below.length + above.length);
  logMass.set(below.reverse());
  logMass.set(above, below.length);
  return { first: mode - below.length, logMass, error: CLOSED_FORM_ERROR };
}

/** For masses of one side, before there is more. */
const FIRST_ROOM = 1024;

function withRoom(found: Float64Array): Float64Array {
  const grown = new Float64Array(2 * found.length);
  grown.set(found);
  return grown;
}

export function tooWide(): ParameterError {
  return new ParameterError(
    'likely values of the noise',
    MOST_MASSES + 1,
    `at most ${MOST_MASSES}; noise for a larger epsilon has fewer`,
  );
}

/** Masses from the ratios of neighbours, each the product of all between it and the mode. */
function byGrowth(mode: number, logGrowth: (k: number) => number): NoiseLaw {
  const upwards = new CompensatedSum();
  const downwards = new CompensatedSum();
  const law = outwards(mode, Infinity, (k) => {
    if (k === mode) return 0;
    const side = k < mode ? downwards : upwards;
    side.add(k < mode ? -logGrowth(k + 1) : logGrowth(k));
    return side.value;
  });
  const logTotal = logSumExp(law.logMass);
  return {
    first: law.first,
    logMass: law.logMass.map((log) => log - logTotal),
    error: CLOSED_FORM_ERROR + FACTOR_ERROR * law.logMass.length,
  };
}
