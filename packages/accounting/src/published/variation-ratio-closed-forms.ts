/**
 * The closed forms of the variation-ratio pair: Wang et al. (PVLDB 17(8), 2024), Theorems 4.2 and 4.3.
 *
 * Theorem 4.2, as its authors programmed it, lies below even their exact pair; its repaired form takes the
 * maximum over the number of clones instead of the value at the lower tail. The repaired form bounds the
 * pair, so it is sound where the pair is (variation-ratio-bounds.ts); Theorem 4.3 does where the victim's
 * leftover is empty (docs/soundness.md).
 */
import { Real } from '@shuffle-dp/core';
import { pairCells } from '../variation-ratio/variation-ratio.ts';
import type { GeneralVerdict } from './general-verdict.ts';
import {
  atClosedForm,
  comparison,
  condition,
  shown,
  type ClosedForm,
  type PublishedBound,
  type ShuffleSetting,
} from './published-bound.ts';
import { asPrinted, brokenPair, known, pairDominates, pairOf } from './variation-ratio-bounds.ts';

const INHERITED: GeneralVerdict = {
  sound: 'unproven',
  reason:
    'derived from a pair that does not dominate where the leftover mass is positive; no violation is known',
};

const UNPROVED_WITH_LEFTOVER: GeneralVerdict = {
  sound: 'unproven',
  reason:
    'the pair dominates here, but this closed form of it is proved for an empty leftover only; no violation is known',
};

function hasNoLeftover({ amplification: { variationRatio } }: ShuffleSetting): boolean {
  return variationRatio !== null && pairOf(variationRatio)?.rest === 0;
}

/** What Theorem 4.2 computes from the parameters, at L = log(4/delta). */
interface CloneCounts {
  readonly beta: number;
  readonly alpha: number;
  readonly r: number;
  readonly logTerm: number;
  /** The number of clones is below it with probability at most delta/4. */
  readonly omega: number;
  /** m r / (1 - 2r). */
  readonly perOther: number;
  /** (p + 1) alpha. */
  readonly both: number;
}

function cloneCounts({ amplification, users }: ShuffleSetting, delta: number): CloneCounts {
  const pair = amplification.variationRatio!;
  const cells = pairCells(pair);
  const logTerm = Real.log(4 / delta);
  const r = cells.others0;
  return {
    beta: pair.beta,
    alpha: cells.low,
    r,
    logTerm,
    omega: 2 * r * (users - 1) - Math.sqrt(Math.min(6 * r, 0.5) * (users - 1) * logTerm),
    perOther: cells.othersRest > 0 ? (cells.rest * r) / cells.othersRest : 0,
    both: cells.high + cells.low,
  };
}

/** Conditions of a theorem about a pair, behind that there is one. */
function ofPair(conditions: ClosedForm['conditions']): ClosedForm['conditions'] {
  return (setting, delta) => {
    const missing = [known(setting), ...brokenPair(setting)];
    return missing.every(({ holds }) => holds) ? [...missing, ...conditions(setting, delta)] : missing;
  };
}

const analyticForm: ClosedForm = {
  conditions: ofPair((setting, delta) => {
    const { both, perOther, omega } = cloneCounts(setting, delta);
    const { p, beta, q } = setting.amplification.variationRatio!;
    const n = setting.users;
    const limit =
      p === Infinity
        ? (-2 * (1 - beta) * (n - 1)) / (1 + beta)
        : (2 * p * (beta + 1 + (beta - 1) * p) * (n - 1) + beta) /
          (q + p * (beta - 1 + (beta + 1) * p) - p * q);
    const slope = both / 2 - perOther;
    return [
      condition('(p+1) alpha / 2 - m r / (1-2r) >= 0', `it is ${shown(slope)}`, slope >= 0),
      comparison('Omega >= the limit as printed', omega, limit, omega >= limit),
      condition('Omega > 0', `Omega = ${shown(omega)}`, omega > 0),
    ];
  }),
  epsilon: (setting, delta) => {
    const { beta, alpha, omega, logTerm, perOther } = cloneCounts(setting, delta);
    const spread = Math.sqrt((omega * logTerm) / 2);
    const rest = perOther * (setting.users - 1 - omega);
    return Real.log(1 + (beta * (2 * spread + 1)) / (alpha * omega + beta * (omega / 2 - spread) + rest));
  },
};

const analytic: PublishedBound = {
  name: 'variation-ratio-analytic',
  direction: 'upper',
  source: "Wang et al. 2024, Theorem 4.2 as in the authors' program",
  citation: 'wang2024',
  verdict: () => ({
    sound: false,
    reason:
      'its second condition has a sign error and excludes almost nothing: at the counterexample the true delta is 38600 times ' +
      'the claimed one (docs/soundness.md)',
    counterexample: {
      command: 'account grr --epsilon0 5 --domain 128 --users 10000 --delta 1e-9',
      stated: 0.392,
      atLeast: 0.6803,
    },
  }),
  at: (setting, target) => atClosedForm(analyticForm, asPrinted(setting), target),
};

/** The value at c clones that the derivation of Theorem 4.2 bounds: N(c)/D(c) with both tails at delta/4. */
function repairedExponent(
  setting: ShuffleSetting,
  delta: number,
): { value: number; smallestDivisor: number } {
  const { beta, both, perOther, logTerm, omega } = cloneCounts(setting, delta);
  const n = setting.users;
  const slope = both / 2 - perOther;
  const constant = perOther * (n - 1);
  const divisor = (c: number): number => slope * c - beta * Math.sqrt((c * logTerm) / 2) + constant;
  const ratio = (c: number): number => (Math.sqrt(2 * logTerm * c) + 1) / divisor(c);
  const candidates = [omega, n - 1];
  // In x = sqrt(c) the ratio is stationary where x^2 + b x - (constant + beta/2)/slope = 0.
  const b = Math.sqrt(2 / logTerm);
  const root = slope === 0 ? NaN : (Math.sqrt(b * b + (4 * (constant + beta / 2)) / slope) - b) / 2;
  if (root * root > omega && root * root < n - 1) candidates.push(root * root);
  // The divisor, as a quadratic in sqrt(c), is smallest at an end or at its vertex.
  const vertex = slope > 0 ? ((beta * Math.sqrt(logTerm / 2)) / (2 * slope)) ** 2 : NaN;
  const divisors = [omega, n - 1, ...(vertex > omega && vertex < n - 1 ? [vertex] : [])].map(divisor);
  return { value: Math.max(...candidates.map(ratio)), smallestDivisor: Math.min(...divisors) };
}

const repairedForm: ClosedForm = {
  conditions: ofPair((setting, delta) => {
    const { omega } = cloneCounts(setting, delta);
    const positive = condition('Omega > 0', `Omega = ${shown(omega)}`, omega > 0);
    if (!positive.holds) return [positive];
    const { smallestDivisor: least } = repairedExponent(setting, delta);
    const divisor = 'a positive divisor from Omega to n - 1';
    return [positive, condition(divisor, `its least value is ${shown(least)}`, least > 0)];
  }),
  epsilon: (setting, delta) =>
    Real.log1p(setting.amplification.variationRatio!.beta * repairedExponent(setting, delta).value),
};

const repaired: PublishedBound = {
  name: 'variation-ratio-analytic-repaired',
  direction: 'upper',
  source: 'Wang et al. 2024, Theorem 4.2 with the maximum over the number of clones',
  citation: 'wang2024',
  verdict: (setting) => (pairDominates(setting) ? { sound: true } : INHERITED),
  at: (setting, target) => atClosedForm(repairedForm, setting, target),
};

const asymptoticForm: ClosedForm = {
  conditions: ofPair((setting, delta) => {
    const { users } = setting;
    const { r } = cloneCounts(setting, delta);
    const limit = (8 * Real.log(4 / delta)) / r;
    return [
      condition('n >= 8 log(4/delta) / r', `the two sides are ${users} and ${shown(limit)}`, users >= limit),
    ];
  }),
  epsilon: (setting, delta) => {
    const { r, beta, both, logTerm } = cloneCounts(setting, delta);
    const clones = r * (setting.users - 1);
    const v = r < 0.5 ? Math.max(0, ((4 / 9) * (1 - 3 * r)) / (1 - 2 * r)) : 0;
    return Real.log1p((beta / ((1 - v) * both + v)) * (Math.sqrt((32 * logTerm) / clones) + 4 / clones));
  },
};

const asymptotic: PublishedBound = {
  name: 'variation-ratio-asymptotic',
  direction: 'upper',
  source: "Wang et al. 2024, Theorem 4.3 with the constants of the authors' program",
  citation: 'wang2024',
  verdict: (setting) => {
    const printed = asPrinted(setting);
    if (hasNoLeftover(printed)) return { sound: true };
    return pairDominates(printed) ? UNPROVED_WITH_LEFTOVER : INHERITED;
  },
  at: (setting, target) => atClosedForm(asymptoticForm, asPrinted(setting), target),
};

export const variationRatioClosedForms: readonly PublishedBound[] = [analytic, repaired, asymptotic];
