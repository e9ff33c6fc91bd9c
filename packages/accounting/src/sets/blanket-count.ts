/**
 * The number of blankets that one item of the domain has over all users, where these numbers are independent
 * from item to item: Poisson, or negative binomial. Both are one family in the mean and the success
 * probability q: the variance is mean / q, and q = 1 is Poisson, the limit of the others.
 */
import { integrateSmooth, keptByKey, logBinomialPmf, logSumExp, Real } from '@shuffle-dp/core';

export interface BlanketCount {
  /** Expected blankets of the item, positive. */
  readonly mean: number;
  /** In (0, 1]. */
  readonly successProbability: number;
  /**
   * Other users who hold the item, and send it with probability `rate` each: the count has Binomial(users,
   * rate) besides.
   */
  readonly holders?: { readonly users: number; readonly rate: number };
}

/**
 * Masses of single counts, or of runs of neighbouring ones, and how likely one message more would make them.
 */
export interface CountLaw {
  /** The least count of each atom, increasing. */
  readonly count: Float64Array;
  readonly logMass: Float64Array;
  /**
   * The likelihood ratio f(k - 1) / f(k) less 1: at the mean of a run of counts, its least and its largest
   * value there. For Poisson counts it is affine in k, so that this is its mean; else the mean differs by
   * (1 - q) / mean / 5e4 at most, which `error` covers.
   */
  readonly excess: Float64Array;
  readonly leastExcess: Float64Array;
  readonly mostExcess: Float64Array;
  /** What is missing at most, under the law and under the law moved up by one. Never 0. */
  readonly cut: number;
  /** Bound on the relative error of the masses. */
  readonly error: number;
}

/**
 * Beyond this deviation counts are taken in runs, so that the cost does not grow with the number of users.
 */
const WIDEST_OF_SINGLE_COUNTS = 512;
const RUNS_PER_DEVIATION = 64;
/** Means beyond are not told apart from the next integer. */
export const MOST_BLANKETS_OF_AN_ITEM = 1e15;

/** A search for a rate asks for one law again and again. */
const known = keptByKey<CountLaw>(8);

/**
 * @param logCut natural logarithm of the mass below which the far tails are cut, each; at least -760
 * Other holders are added count by count: the cost then grows with the law's width.
 */
export function blanketCountLaw(count: BlanketCount, logCut: number): CountLaw {
  const { mean, successProbability, holders } = count;
  const key = [mean, successProbability, holders?.users, holders?.rate, logCut].join();
  return known(key, () => lawOf(count, logCut));
}

function lawOf(count: BlanketCount, logCut: number): CountLaw {
  const { mean, successProbability, holders } = count;
  const deviation = Math.sqrt(mean / successProbability);
  // So far from 0 the law is smooth over all that is kept.
  const wide = !holders && deviation > WIDEST_OF_SINGLE_COUNTS && mean > 64 * deviation;
  const law = wide ? runsOfCounts(count, deviation, logCut) : singleCounts(count, logCut);
  return holders ? withHolders(law, holders, logCut) : law;
}

/**
 * The likelihood ratio f(k - 1) / f(k), less 1, of one blanket more against none: without cancellation near
 * 0, where the losses are that matter.
 */
function ratioLessOne(k: number, mean: number, successProbability: number): number {
  if (k === 0) return -1;
  return (
    (successProbability * (k - mean) + 1 - successProbability) /
    (mean * successProbability + (k - 1) * (1 - successProbability))
  );
}

/** Room for the tails beyond the breaks, the move by one and rounding. */
function cutOf(logCut: number): number {
  return Math.max(Number.MIN_VALUE, 8 * Real.exp(logCut));
}

function singleCounts({ mean, successProbability }: BlanketCount, logCut: number): CountLaw {
  const slope = 1 - successProbability;
  const base = mean * successProbability;
  /** f(k) / f(k - 1). */
  const growth = (k: number): number => (base + (k - 1) * slope) / k;
  const mode = Math.max(0, Math.floor(mean - slope / successProbability));
  const below: number[] = [];
  const above: number[] = [0];
  // Ratios from the mode outwards; the normalisation comes last, so no gamma function is needed. Beyond the
  // mode the ratios fall, or rise to 1 - q: what is left is below a geometric series with the last mass kept.
  for (let k = mode + 1, log = 0; ; k++) {
    log += Real.log(growth(k));
    above.push(log);
    if (log < logCut && log < logCut + Real.log1p(-Math.max(growth(k + 1), slope))) break;
  }
  for (let k = mode, log = 0; k >= 1; k--) {
    log -= Real.log(growth(k));
    below.push(log);
    if (k > 1 && log < logCut && log < logCut + Real.log1p(-1 / growth(k - 1))) break;
  }
  const first = mode - below.length;
  const logMass = normalised(Float64Array.from([...below.reverse(), ...above]));
  const excess = logMass.map((_, i) => ratioLessOne(first + i, mean, successProbability));
  return ofSingleCounts(first, logMass, excess, cutOf(logCut));
}

function ofSingleCounts(first: number, logMass: Float64Array, excess: Float64Array, cut: number): CountLaw {
  const count = logMass.map((_, i) => first + i);
  return { count, logMass, excess, leastExcess: excess, mostExcess: excess, cut, error: 1e-12 + cut };
}

interface Run {
  readonly first: number;
  readonly logMass: number;
  /** Where the run's mass has its mean, from the first count on. */
  readonly offset: number;
}

/**
 * Runs of equal length. A sum over a run is the integral of the law's smooth continuation with the first
 * correction of Euler and Maclaurin; the next one is below 1e-8 of the mass up to 40 deviations from the
 * mean.
 */
function runsOfCounts(
  { mean, successProbability }: BlanketCount,
  deviation: number,
  logCut: number,
): CountLaw {
  const width = Math.floor(deviation / RUNS_PER_DEVIATION);
  const slope = 1 - successProbability;
  const base = mean * successProbability;
  /** d/dx log f at x, which is log f(x + 1/2) - log f(x - 1/2) but for terms of order 1 / mean^2. */
  const steepness = (x: number): number =>
    Real.log1p((base - slope / 2 - 0.5 - x * successProbability) / (x + 0.5));
  const runFrom = (first: number, logAtStart: number): Run => {
    const half = width / 2;
    const middle = first - 0.5 + half;
    const gradient = steepness(middle);
    const curvature = (steepness(middle + 1) - steepness(middle - 1)) / 2;
    const density = (x: number): number => Real.exp(gradient * x + 0.5 * curvature * x * x);
    const derivative = (x: number): number => density(x) * (gradient + curvature * x);
    const mass = integrateSmooth(density, -half, half, 8) - (derivative(half) - derivative(-half)) / 24;
    const moment =
      integrateSmooth((x) => x * density(x), -half, half, 8) -
      (derivative(half) * half + density(half) + derivative(-half) * half - density(-half)) / 24;
    const logAtMiddle = logAtStart + integrateSmooth(steepness, first - 0.5, middle, 8);
    return { first, logMass: logAtMiddle + Real.log(mass), offset: half - 0.5 + moment / mass };
  };
  const mode = Math.floor(mean - slope / successProbability);
  const above: Run[] = [];
  for (let first = mode, log = 0; ; first += width) {
    above.push(runFrom(first, log));
    log += integrateSmooth(steepness, first - 0.5, first - 0.5 + width, 8);
    if (log < logCut + Real.log1p(-Math.max(Real.exp(steepness(first + width)), slope))) break;
  }
  const below: Run[] = [];
  for (let first = mode - width, log = 0; ; first -= width) {
    log -= integrateSmooth(steepness, first - 0.5, first - 0.5 + width, 8);
    below.push(runFrom(first, log));
    if (log < logCut + Real.log1p(-Real.exp(-steepness(first)))) break;
  }
  const runs = [...below.reverse(), ...above];
  const at = (k: number): number => ratioLessOne(k, mean, successProbability);
  return {
    count: Float64Array.from(runs, ({ first }) => first),
    logMass: normalised(Float64Array.from(runs, ({ logMass }) => logMass)),
    excess: Float64Array.from(runs, ({ first, offset }) => at(first + offset)),
    leastExcess: Float64Array.from(runs, ({ first }) => at(first)),
    mostExcess: Float64Array.from(runs, ({ first }) => at(first + width - 1)),
    cut: cutOf(logCut),
    error: 1e-7 + cutOf(logCut),
  };
}

/** The law of the count with the messages of other holders: sums of positive terms, count by count. */
function withHolders(
  law: CountLaw,
  { users, rate }: { readonly users: number; readonly rate: number },
  logCut: number,
): CountLaw {
  if (users === 0 || rate === 0) return law;
  const { least, logMass } = sentMessages(users, rate, logCut - 7);
  const convolved = logCut > LEAST_LOG_OF_PLAIN_SUMS ? plainSums(law, logMass) : logSums(law, logMass);
  // Binomial tails: at most `users` masses below the cut each, and no tail beyond them is larger.
  const cut = law.cut + (users + 1) * cutOf(logCut);
  return ofSingleCounts(law.count[0]! + least, convolved.logMass, convolved.excess, cut);
}

/** Products of masses above the cut are normal doubles, with room to spare. */
const LEAST_LOG_OF_PLAIN_SUMS = -300;

/** The logarithms of Binomial(users, rate) where they are at least `cut`, from the count `least` on. */
function sentMessages(
  users: number,
  rate: number,
  cut: number,
): { readonly least: number; readonly logMass: Float64Array } {
  const at = (k: number): number => logBinomialPmf(k, users, rate);
  const mode = Math.min(users, Math.floor((users + 1) * rate));
  let [least, most] = [mode, mode];
  while (least > 0 && at(least - 1) >= cut) least--;
  while (most < users && at(most + 1) >= cut) most++;
  return { least, logMass: Float64Array.from({ length: most - least + 1 }, (_, i) => at(least + i)) };
}

interface Convolved {
  readonly logMass: Float64Array;
  /** (f * b)(k - 1) / (f * b)(k) - 1: the mean of f's own excess, given the sum. */
  readonly excess: Float64Array;
}

/** Masses as they are, where none underflows. */
function plainSums(law: CountLaw, sent: Float64Array): Convolved {
  const masses = law.logMass.map((log) => Real.exp(log));
  const length = masses.length + sent.length - 1;
  const total = new Float64Array(length);
  const excess = new Float64Array(length);
  for (let k = 0; k < sent.length; k++) {
    const share = Real.exp(sent[k]!);
    for (let i = 0; i < masses.length; i++) {
      const mass = share * masses[i]!;
      total[i + k]! += mass;
      excess[i + k]! += mass * law.excess[i]!;
    }
  }
  return {
    logMass: total.map((mass) => Real.log(mass)),
    excess: excess.map((sum, i) => Math.max(-1, sum / total[i]!)),
  };
}

/** Terms smaller by this factor, in logarithms, are left out: all of them are below 1e-13 of the sum. */
const NEGLIGIBLE_TERM = 40;

/**
 * By logarithms, however small the masses are. Both laws are log-concave, so that the terms of a sum rise and
 * then fall.
 */
function logSums(law: CountLaw, sent: Float64Array): Convolved {
  const length = law.logMass.length + sent.length - 1;
  const logMass = new Float64Array(length);
  const excess = new Float64Array(length);
  let peak = 0;
  for (let i = 0; i < length; i++) {
    const first = Math.max(0, i - law.logMass.length + 1);
    const last = Math.min(i, sent.length - 1);
    const at = (k: number): number => sent[k]! + law.logMass[i - k]!;
    peak = Math.max(peak, first);
    while (peak < last && at(peak + 1) >= at(peak)) peak++;
    const top = at(peak);
    let total = 0;
    let weighted = 0;
    const isCounted = (k: number): boolean => {
      const log = at(k) - top;
      const mass = Real.exp(log);
      total += mass;
      weighted += mass * law.excess[i - k]!;
      return log > -NEGLIGIBLE_TERM;
    };
    for (let k = peak; k <= last && isCounted(k);) k++;
    for (let k = peak - 1; k >= first && isCounted(k);) k--;
    logMass[i] = top + Real.log(total);
    excess[i] = Math.max(-1, weighted / total);
  }
  return { logMass, excess };
}

function normalised(logMass: Float64Array): Float64Array {
  const total = logSumExp(logMass);
  return logMass.map((log) => log - total);
}
