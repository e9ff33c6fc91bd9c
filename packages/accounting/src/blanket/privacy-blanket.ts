/**
 * The divergence after shuffling against a blanket (docs/soundness.md, formula F1). With slots that each show
 * an atom y with mass W(y), and nothing otherwise, and the victim's message hidden among them,
 *
 *   D = (1/n) E[(G_1 + … + G_n)_+] + sum over W(y) = 0 of (P(y) - e^eps Q(y))_+,
 *   G = (P(y) - e^eps Q(y)) / W(y) with probability W(y), 0 otherwise.
 *
 * With W the pointwise infimum over all inputs this is an upper bound for every data set (B. Balle, J. Bell,
 * A. Gascon, K. Nissim, "The Privacy Blanket of the Shuffle Model", CRYPTO 2019; F2). With W the law of one
 * input it is the exact divergence of the data set whose other users all hold that input, hence a lower bound
 * (F3).
 */
import {
  interval,
  ParameterError,
  provedInterval,
  Real,
  requireInteger,
  requireNonNegative,
  type Interval,
  type LikelihoodAtoms,
  ROUNDOFF,
} from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { expectedPositiveSum, isListed } from './expected-positive-sum.ts';
import { fewerGains } from './fewer-gains.ts';
import { decidingGains, withDecided } from './heavy-tails/deciding-gains.ts';
import { withoutRareGains } from './heavy-tails/rare-gains.ts';
import { edgeLosses, pointLosses, sumsLeaveDoubles, uncoveredExcess, type LossLaw } from './loss-law.ts';
import { keptEnd, type Thinning } from './thinning.ts';
import { ofTwoCopies } from './two-copies.ts';

export interface BlanketOptions {
  /**
   * About the relative width of the result in delta; default 1e-5. Less costs more: about its inverse square
   * root.
   */
  readonly relativeGap?: number;
  /** Which ends are wanted; the other may be 0 or 1. Default both. */
  readonly ends?: 'both' | 'upper' | 'lower';
  /** What it costs is added to this. */
  readonly work?: Work;
  /**
   * Laws of more gains are thinned to so many, and the result is as much wider; one end alone is told then.
   */
  readonly mostGains?: number;
}

/** No lower end is evaluated beyond, and the upper end there is that of this epsilon. */
export const LARGEST_EPSILON = 300;

/**
 * Bracket of the value of F1 for these atoms and `users` users in all, the larger of both directions. For
 * cells of continuous outputs the upper end holds for the uncut outputs, the lower end for what the cells
 * tell.
 * @throws ParameterError for users < 1, epsilon < 0 or a relative gap outside (0, 0.1].
 * @example blanketDivergence(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification().blanket[0], 1000, 0.2) // { lower: 1.17628e-12, upper: 1.17629e-12 }
 */
export function blanketDivergence(
  atoms: LikelihoodAtoms,
  users: number,
  epsilon: number,
  options: BlanketOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  const { relativeGap = 1e-5, ends = 'both' } = options;
  if (!(relativeGap > 0 && relativeGap <= 0.1)) {
    throw new ParameterError('relativeGap', relativeGap, 'in (0, 0.1]');
  }
  const how = { ...options, relativeGap, ends };
  const forward = oneDirection(atoms, users, epsilon, how);
  if (atoms.symmetric) return forward;
  const backward = oneDirection(exchanged(atoms), users, epsilon, how);
  return interval(Math.max(forward.lower, backward.lower), Math.max(forward.upper, backward.upper));
}

/** Options with their defaults. */
type Evaluation = BlanketOptions & Required<Pick<BlanketOptions, 'relativeGap' | 'ends'>>;

function oneDirection(atoms: LikelihoodAtoms, users: number, epsilon: number, how: Evaluation): Interval {
  const { ends } = how;
  // Beyond, e^epsilon over a small mass leaves the doubles; the divergence falls, so the upper end still
  // holds. Where that is just the largest loss all gains are rounding, and a little before none are.
  if (epsilon > LARGEST_EPSILON) {
    const upperAt = (at: number): number => oneDirection(atoms, users, at, { ...how, ends: 'upper' }).upper;
    return interval(0, Math.min(upperAt(LARGEST_EPSILON), upperAt(LARGEST_EPSILON * (1 - 1e-6))));
  }
  const expEpsilon = Real.exp(epsilon);
  const uncovered = uncoveredExcess(atoms, expEpsilon);
  let [least, upper] = [0, 1];
  if (ends !== 'lower') {
    const outer = divergence(edgeLosses(atoms, expEpsilon), users, how, 'dilation');
    if (ends === 'upper') return plus(interval(0, outer.value.upper), uncovered);
    upper = outer.value.upper;
    if (!atoms.cellEnds) {
      // Of points both ends are those of one law, unless it was changed.
      if (!outer.isChanged) return plus(outer.value, uncovered);
      least = outer.value.lower;
    }
  }
  const { value: inner } = divergence(pointLosses(atoms, expEpsilon), users, how, 'contraction');
  const sum = provedInterval(
    'delta',
    { name: 'the cells as they are', value: Math.max(least, inner.lower) },
    { name: 'the cells split onto their ends', value: upper },
  );
  return plus(sum, uncovered);
}

function divergence(
  law: LossLaw,
  users: number,
  { relativeGap, work, mostGains = Infinity }: Evaluation,
  thinning: Thinning,
): Divergence {
  const single = expectedPositiveSum(law, 1, relativeGap, thinning).bracket;
  if (users === 1 || single.upper === 0) return { value: single, isChanged: false };
  const split = isListed(law, users) ? null : decidingGains(law, users, 0.01 * relativeGap);
  const left = split?.law ?? law;
  const { law: usual, added } = isListed(left, users)
    ? { law: left, added: 0 }
    : withoutRareGains(left, users, 0.1 * relativeGap, thinning);
  const isThinned = usual.values.length > mostGains;
  const fewer = isThinned ? fewerGains(usual, users, mostGains, thinning) : usual;
  const { logScale, bracket: sums } = expectedPositiveSum(fewer, users, relativeGap, thinning, work);
  const bracket = isThinned ? keptEnd(sums, thinning) : sums;
  const logUsers = Real.log(users);
  // The scale alone may be below the doubles where its product with a large sum is not.
  const root = Real.exp((logScale - logUsers) / 2);
  const rounding = (8 + 2 * (Math.abs(logScale) + logUsers)) * ROUNDOFF;
  const lower = Math.max(0, bracket.lower * root * root * (1 - rounding) - Number.MIN_VALUE);
  const upper = scaledUp(bracket.upper, root, 1 + rounding) + added;
  const whole = withDecided(split, interval(lower, upper));
  const sum = provedInterval(
    'delta',
    { name: 'all users', value: whole.lower },
    { name: 'fewer users', value: ofFewerUsers(law, users, single) },
  );
  return {
    value: interval(sum.lower, Math.min(whole.upper, sum.upper)),
    // Of one that is thinned to a wider law the lower end is 0.
    isChanged: added > 0 || bracket.lower === 0,
  };
}

/** The last users for whom integrals over a few outputs may say less than is known of two users. */
const FEW_USERS = 64;

/** The divergence falls as users are added, so that of one bounds it, and that of two, which costs little. */
function ofFewerUsers(law: LossLaw, users: number, single: Interval): number {
  if (users === 2 || users > FEW_USERS || sumsLeaveDoubles(law, 2)) return single.upper;
  return Math.min(single.upper, (ofTwoCopies(law, single).upper / 2) * (1 + 2 * ROUNDOFF));
}

/** E (S)_+ / n of a law of losses. */
interface Divergence {
  readonly value: Interval;
  /** Whether a law that is narrower may have a larger lower end. */
  readonly isChanged: boolean;
}

/** What is too small for a double, or for all its digits, is not less; one without an end stays so. */
export function scaledUp(end: number, root: number, rounding: number): number {
  if (end === 0 || end === Infinity) return end;
  return end * root * root * rounding + Number.MIN_VALUE;
}

function plus({ lower, upper }: Interval, uncovered: Interval): Interval {
  return interval(Math.min(1, lower + uncovered.lower), Math.min(1, upper + uncovered.upper));
}

/** The same atoms for the victim's inputs in the other order. */
export function exchanged(atoms: LikelihoodAtoms): LikelihoodAtoms {
  const { victim0, victim1, cellEnds } = atoms;
  return {
    ...atoms,
    victim0: victim1,
    victim1: victim0,
    ...(cellEnds && {
      cellEnds: {
        ratio0Start: cellEnds.ratio1Start,
        ratio0End: cellEnds.ratio1End,
        ratio1Start: cellEnds.ratio0Start,
        ratio1End: cellEnds.ratio0End,
      },
    }),
  };
}

/** The atoms in each order of the victim's inputs that has a divergence of its own. */
export function bothOrders(atoms: LikelihoodAtoms): readonly LikelihoodAtoms[] {
  return atoms.symmetric ? [atoms] : [atoms, exchanged(atoms)];
}
