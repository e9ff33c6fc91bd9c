/**
 * One term of the excess, computed afresh: where the recurrence of expected-excess.ts begins, and begins
 * again.
 */
import { integrateSmooth, log1pMinus, logBinomialPmf, Real, ROUNDOFF } from '@shuffle-dp/core';
import type { ExcessProblem } from './dominating-window.ts';

export function displacementAt({ users, dTelling, dOther, dConstant }: ExcessProblem, m: number): number {
  return dTelling * m + dOther * (users - m) + dConstant;
}

export function gapAt({ users, gapTelling, dOther, dConstant }: ExcessProblem, m: number): number {
  return gapTelling * m - dOther * (users - m) - dConstant;
}

/**
 * Whether the threshold is the next integer above low_m = rho m + d_m, or m less the one below gap_m: of the
 * two the smaller is known the better, and where one cell is rare low_m is some units, gap_m some millions.
 */
export function countsFromLow(problem: ExcessProblem, m: number): boolean {
  return lowAt(problem, m) < gapAt(problem, m);
}

function lowAt(problem: ExcessProblem, m: number): number {
  const { cell0, cell1 } = problem;
  return (cell0 / (cell0 + cell1)) * m + displacementAt(problem, m);
}

function thresholdAt(problem: ExcessProblem, m: number): number {
  if (countsFromLow(problem, m)) return Math.min(m, Math.floor(lowAt(problem, m)) + 1);
  return m + 1 - Math.max(1, Math.ceil(gapAt(problem, m)));
}

/** The state of the recurrence at one m, computed afresh. */
export interface Anchor {
  /** floor(low_m) + 1, at most m. */
  readonly threshold: number;
  /** log of Pr[Bin(n, s) = m] g. */
  readonly logWeight: number;
  /** T / g. */
  readonly ratio: number;
  /**
   * Bound of the absolute error of logWeight for these very probabilities. Of a logarithm up to 50 units of
   * roundoff were seen to be lost, some standard deviations from the mean.
   */
  readonly logError: number;
}

export function anchorAt(problem: ExcessProblem, m: number): Anchor {
  const { cell0, cell1, other } = problem;
  const telling = cell0 + cell1;
  const rho = cell0 / telling;
  const threshold = thresholdAt(problem, m);
  // By the rarer of two cells, whose probability keeps its digits where the other one's rounds to 1: here,
  // and below.
  const logMass = other === 0 ? 0 : logMassOf(problem, m);
  const logPoint =
    rho > 0.5
      ? logBinomialPmf(m - threshold, m - 1, cell1 / telling)
      : logBinomialPmf(threshold - 1, m - 1, rho);
  return {
    threshold,
    logWeight: logMass + logPoint,
    ratio: tailRatio(m - 1, threshold, cell0 / cell1),
    logError: 6e-13 + 80 * ROUNDOFF * (Math.abs(logMass) + Math.abs(logPoint)),
  };
}

function logMassOf({ users, cell0, cell1, other }: ExcessProblem, m: number): number {
  return other < 0.5 ? logBinomialPmf(users - m, users, other) : logBinomialPmf(m, users, cell0 + cell1);
}

/**
 * Pr[Bin(N, rho) >= k] / Pr[Bin(N, rho) = k - 1], of rho by its odds rho/(1-rho), for k above the mean.
 * Relative error below 3e-14 and 4 roundoffs of the ratio itself, which is as much as odds that are off by
 * one roundoff make.
 */
export function tailRatio(trials: number, k: number, odds: number): number {
  if (k > trials) return 0;
  return tailFraction(trials, k, odds) ?? tailIntegral(trials, k, odds);
}

/** Terms of the fraction, which two standard deviations above the mean takes a hundred at most. */
const MOST_TERMS = 96;
/** Nearer to the mean, in variances, it has so many that the integral is sooner known. */
const NEAR_MEAN = 2;
/** What a term may change, relative, at the end: what is missing has the other sign and is less. */
const LAST_TERM = 1e-15;

/**
 * The continued fraction of the incomplete beta function whose terms are all positive (A. R. Didonato and A.
 * H. Morris, "Algorithm 708", ACM TOMS 18, 1992, BFRAC); null where it has many terms.
 */
function tailFraction(trials: number, k: number, odds: number): number | null {
  const beyond = trials - k + 1;
  const rest = 1 / (1 + odds);
  const rho = odds * rest;
  const above = (k - beyond * odds) * rest;
  if (!(above > Math.sqrt(NEAR_MEAN * (trials + 1) * rho * rest))) return null;
  let fraction = (k / (k + 1)) * (above + 1);
  let [numerators, denominators] = [fraction, 0];
  for (let n = 1; n <= MOST_TERMS; n++) {
    const place = k + 2 * n - 1;
    const part = n * (beyond - n) * rho;
    if (part <= 0) return (beyond * rho) / fraction;
    const alpha = ((k + n - 1) / place) * ((trials + n) / place) * part * rho;
    const beta = n + part / place + ((k + n) / (place + 2)) * (above + 1 + n * (1 + rest));
    numerators = beta + alpha / numerators;
    denominators = 1 / (beta + alpha * denominators);
    const factor = numerators * denominators;
    fraction *= factor;
    if (Math.abs(factor - 1) <= LAST_TERM) return (beyond * rho) / fraction;
  }
  return null;
}

/**
 * The incomplete beta integral divided by its leading term, (N-k+1) rho/(1-rho) times the integral of
 * (1-x)^(k-1) (1 + x rho/(1-rho))^(N-k) over [0, 1].
 */
function tailIntegral(trials: number, k: number, odds: number): number {
  const successes = k - 1;
  const failures = trials - k;
  const slope = successes - failures * odds;
  const exponent = (x: number): number =>
    successes * log1pMinus(-x) + failures * log1pMinus(odds * x) - slope * x;
  // Where the integrand has fallen by e^-40: slope x + successes x^2 / 2 = 40.
  const quadratic = Math.min(1, 80 / (slope + Math.sqrt(slope * slope + 80 * successes)));
  let reach = Number.isFinite(quadratic) && quadratic > 0 ? quadratic : 1;
  // Of large odds the other factor falls much sooner.
  if (odds > 1) while (exponent(reach / 2) < -40) reach /= 2;
  const integral = integrateSmooth((x) => Real.exp(exponent(x)), 0, reach, RATIO_ORDER);
  return (failures + 1) * odds * integral;
}

const RATIO_ORDER = 64;
