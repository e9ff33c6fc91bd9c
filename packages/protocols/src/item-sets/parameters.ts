/**
 * The parameters of the segmented protocol (Wang et al., "Segmented private data aggregation in the
 * multi-message shuffle model", 2025, section 5.2): m, the expected number of blanket messages of a user, and
 * lambda_k, the probability with which a user of level k sends each of their items.
 */
import {
  Real,
  minimizeUnimodal,
  requireInteger,
  requirePositive,
  searched,
  type VariationRatio,
} from '@shuffle-dp/core';
import {
  calibrate,
  logExcess,
  setDivergenceUpper,
  type SetPair,
  variationRatioDivergence,
} from '@shuffle-dp/accounting';
import { beyondMostBlankets, MOST_BLANKETS } from '../most-blankets.ts';
import { atLevel, type SetValuedSetting } from '../setting.ts';

export const SEGMENTED_ACCOUNTINGS = ['published', 'exact'] as const;
export type SegmentedAccounting = (typeof SEGMENTED_ACCOUNTINGS)[number];

export interface SegmentedParameters {
  /** Expected number of blanket messages of a user (m). */
  readonly blanketRate: number;
  /** Probability with which each item is sent, per level (lambda_k). */
  readonly rates: readonly number[];
}

/** What the parameters depend on; the levels' users enter only the choice of m. */
export interface ParameterSetting extends Omit<SetValuedSetting, 'shares'> {
  /** Of negative-binomial blankets, which the exact accounting alone knows; default 1, as of all others. */
  readonly successProbability?: number;
  /** Of coin-flip blankets: slots of a user where m needs fewer; default 0, which leaves ceil(m). */
  readonly slotsPerUser?: number;
  /** Users whose blankets the exact accounting counts on; default all. */
  readonly honest?: number;
}

/** Absolute tolerance of a sending rate. */
const RATE_TOLERANCE = 1e-7;
/**
 * Down from 1 every rate tried is this share of the one before: near 0 the logarithm of the divergence is far
 * from straight.
 */
const SHARE_DOWN = 0.75;
/** Relative tolerance of blankets, of which their logarithm is searched. */
const BLANKET_TOLERANCE = 1e-9;
/** The first guess of the blankets is mostly within this factor. */
const GUESS_FACTOR = 4;
/** Steps beyond it, in the logarithm. */
const BLANKET_STEP = 2;

/**
 * Coin flips per user and their probability: ceil(m) and m / ceil(m) as published, or the given number of
 * slots where it is larger.
 */
export function blanketCoins(
  blanketRate: number,
  slotsPerUser = 0,
): { readonly slots: number; readonly probability: number } {
  const slots = Math.max(Math.ceil(blanketRate), slotsPerUser);
  return { slots, probability: blanketRate / slots };
}

/**
 * The pair of Theorem 3 for one item: p infinite, beta = lambda, q = d lambda / gamma with gamma the
 * probability of a slot. The theorem allows q >= 1 only; where the blankets give an item more than the user
 * does, q = 1 is used, which gives a larger divergence.
 */
export function itemVariationRatio(rate: number, slotProbability: number, domain: number): VariationRatio {
  return { p: Infinity, beta: rate, q: Math.max(1, (domain * rate) / slotProbability) };
}

/**
 * Theorem 3 for one user: divergence at central `epsilon` as published, s exp(epsilon) times the pair's
 * divergence at epsilon / s with n' slots in all. No upper bound for every lambda, see `publishedPrivacy`.
 */
export function publishedDivergence(
  setting: ParameterSetting,
  blanketRate: number,
  rate: number,
  epsilon: number,
): number {
  if (rate === 0) return 0;
  const { users, domain, items } = setting;
  const { slots, probability } = blanketCoins(blanketRate, setting.slotsPerUser);
  const pair = itemVariationRatio(rate, probability, domain);
  // Where all other slots show the old item or the new one, whether the own one was sent is seen.
  const isSeen = 1 - (2 * rate) / pair.q < 16 * Number.EPSILON;
  const [share, told] = isSeen ? [rate, { ...pair, beta: 1, q: 2 }] : [1, pair];
  const perItem = share * variationRatioDivergence(told, users * slots, epsilon / items).upper;
  return items * Real.exp(epsilon) * perItem;
}

/**
 * The certified divergence at central `epsilon` with Poisson or negative-binomial blankets, a user's whole
 * set at once.
 *
 * @param sought the divergence that is looked for, as of `setDivergenceCurve`
 */
export function exactDivergence(
  setting: ParameterSetting,
  blanketRate: number,
  rate: number,
  epsilon: number,
  sought?: number,
): number {
  return setDivergenceUpper(setPair(setting, blanketRate, rate), epsilon, sought);
}

/** One user's whole set against another, among the blankets of all users. */
export function setPair(setting: ParameterSetting, blanketRate: number, rate: number): SetPair {
  return {
    rate,
    blanketsPerItem: ((setting.honest ?? setting.users) * blanketRate) / setting.domain,
    successProbability: setting.successProbability ?? 1,
    itemsChanged: itemsChanged(setting),
  };
}

/** Items in which two sets can differ, each way. */
export function itemsChanged({ domain, items }: ParameterSetting): number {
  return Math.min(items, domain - items);
}

/**
 * Items in which two sets can differ, each way, while the sets of all others avoid them, whatever their
 * rates: what the lower ends are about. A single user has no others.
 */
export function itemsUncovered(setting: ParameterSetting): number {
  const { users, domain, items } = setting;
  const most = itemsChanged(setting);
  return users === 1 ? most : Math.min(most, Math.floor((domain - items) / 2));
}

/**
 * The largest rate with which users at central `epsilon` may send each item: within 1e-7, from below. 1 where
 * the blankets suffice for every item to be sent.
 * @throws ParameterError
 */
export function sendingRate(
  setting: ParameterSetting,
  blanketRate: number,
  epsilon: number,
  accounting: SegmentedAccounting,
): number {
  requirePositive('blanketRate', blanketRate);
  requirePositive('epsilon', epsilon);
  // Where every item may be sent the first look says so, and by how much is not asked.
  const excess = excessOf(setting, epsilon, accounting, setting.delta);
  const search = {
    excess: (rate: number) => excess(blanketRate, rate),
    start: 1,
    step: 1 - SHARE_DOWN,
    growth: SHARE_DOWN,
    tolerance: RATE_TOLERANCE,
  };
  return searched(
    `sending rate ${blanketRate} ${epsilon}`,
    // Whoever sends nothing is private.
    () => calibrate({ valueAt: (rate) => rate, mostPrivate: 0, leastPrivate: 1 }, search)!.value,
  );
}

/** All levels' rates at a given m, as `optimizeParameter` does in the paper for a specified m. */
export function parametersAt(
  setting: ParameterSetting,
  blanketRate: number,
  accounting: SegmentedAccounting,
): SegmentedParameters {
  const rates = setting.levels.map((level, k) =>
    sendingRate(atLevel(setting, k), blanketRate, level, accounting),
  );
  return { blanketRate, rates };
}

/**
 * m and the rates that minimise the theoretical bound for the given numbers of users per level, by a scan
 * of (m_K, m_1] and a refinement around its best point; m to a relative 5e-3, where the bound is flat.
 */
export function optimalParameters(
  setting: ParameterSetting,
  levelCounts: ArrayLike<number>,
  accounting: SegmentedAccounting,
): SegmentedParameters {
  return searched('optimal blankets', () => findParameters(setting, levelCounts, accounting));
}

function findParameters(
  setting: ParameterSetting,
  levelCounts: ArrayLike<number>,
  accounting: SegmentedAccounting,
): SegmentedParameters {
  const { levels, deltas } = setting;
  // With one delta the first level is the strictest, and the last the least strict.
  const ends = deltas === undefined ? new Set([0, levels.length - 1]) : levels.keys();
  const full = [...ends].map((k) =>
    Real.log(fullSendingBlanketRate(atLevel(setting, k), levels[k]!, accounting)),
  );
  // Beyond the m that serves the strictest level in full, more blankets are only noise.
  const [least, most] = [Math.min(...full), Math.max(...full)];
  const bound = (logRate: number): number =>
    theoreticalBound(setting, parametersAt(setting, Real.exp(logRate), accounting), levelCounts);

  const SCAN = 10;
  const width = (most - least) / SCAN;
  if (!(width > 1e-6)) return parametersAt(setting, Real.exp(most), accounting);
  let best = most;
  let bestBound = Infinity;
  for (let i = 0; i <= SCAN; i++) {
    const logRate = i === SCAN ? most : least + i * width;
    const value = bound(logRate);
    if (value < bestBound) {
      best = logRate;
      bestBound = value;
    }
  }
  const low = Math.max(least, best - width);
  const high = Math.min(most, best + width);
  const refined = minimizeUnimodal(bound, low, high, 5e-3).x;
  const chosen = bound(refined) < bestBound ? refined : best;
  return parametersAt(setting, Real.exp(chosen), accounting);
}

/**
 * The least m for which users at central `epsilon` may send every item (m_k of the paper), within a relative
 * 1e-9 from above.
 * @throws ParameterError where a trillion blankets of all users would not do, or a whole set is accounted for
 * and holds every item
 */
export function fullSendingBlanketRate(
  setting: ParameterSetting,
  epsilon: number,
  accounting: SegmentedAccounting,
): number {
  return searched(`blankets for all ${epsilon}`, () => leastBlanketRate(setting, epsilon, accounting));
}

function leastBlanketRate(
  setting: ParameterSetting,
  epsilon: number,
  accounting: SegmentedAccounting,
): number {
  // Sets that hold every item do not differ: no blankets are the least.
  if (accounting === 'exact') requireInteger('items', setting.items, 1, setting.domain - 1);
  const excess = excessOf(setting, epsilon, accounting);
  // First guess: the Gaussian order of the paper's m_k, which is one of the blankets' variance.
  const { users, domain, items, delta, successProbability = 1 } = setting;
  const variance = (domain * items * items * Real.log(1 / delta)) / (users * epsilon * epsilon);
  const order = variance * successProbability;
  const most = Real.log(MOST_BLANKETS / users);
  // So many blankets take seconds to account for exactly, and the order is not as far off as this.
  if (Real.log(order / (GUESS_FACTOR * GUESS_FACTOR)) > most) throw beyondMostBlankets(epsilon);
  const start = -Math.min(Real.log(order * GUESS_FACTOR), most);
  const found = calibrate(
    { valueAt: (position) => Real.exp(-position), mostPrivate: -most, leastPrivate: Infinity },
    {
      excess: (blanketRate) => excess(blanketRate, 1),
      start,
      beyond: Math.max(-Real.log(order / GUESS_FACTOR), start + BLANKET_STEP),
      step: BLANKET_STEP,
      tolerance: BLANKET_TOLERANCE,
    },
  );
  if (found === null) throw beyondMostBlankets(epsilon);
  return found.value;
}

/**
 * The paper's bound on the sum of squared errors, sampling of the users included: (n m / q + s sum_k n_k
 * lambda_k) / (sum_k n_k lambda_k)^2, q the success probability of negative-binomial blankets, else 1.
 */
export function theoreticalBound(
  setting: ParameterSetting,
  { blanketRate, rates }: SegmentedParameters,
  levelCounts: ArrayLike<number>,
): number {
  let sent = 0;
  rates.forEach((rate, k) => (sent += levelCounts[k]! * rate));
  const blanketVariance = (setting.users * blanketRate) / (setting.successProbability ?? 1);
  return (blanketVariance + setting.items * sent) / (sent * sent);
}

/** log divergence - log delta by blanketRate and rate. */
function excessOf(
  setting: ParameterSetting,
  epsilon: number,
  accounting: SegmentedAccounting,
  sought?: number,
): (blanketRate: number, rate: number) => number {
  const divergence = accounting === 'exact' ? exactDivergence : publishedDivergence;
  return (blanketRate, rate) =>
    logExcess(divergence(setting, blanketRate, rate, epsilon, sought), setting.delta);
}
