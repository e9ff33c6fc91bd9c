/** What is measured in consecutive trials of one cell, and how what comes after it is added. */
import { LIMITS } from '../documents/limits.ts';
import type { ItemAnswers } from '../results/run-result.ts';

/** One number a trial, in their order. */
const PER_TRIAL = [
  'squaredErrors',
  /** NaN where the error that protocols are compared by follows from the squared one. */
  'otherErrors',
  /**
   * Of trials that only choose among the settings of a sweep; NaN where nothing is to be chosen, or theory
   * can.
   */
  'choiceErrors',
  /** NaN where the data have no population. */
  'populationErrors',
  /** NaN where the protocol has no closed form. */
  'expectedErrors',
  /** What a user sends, NaN where that does not depend on the data; so is the next. */
  'messages',
  'bits',
  /** Of lists of the most frequent, NaN where none is looked for; so are the next two. */
  'precisions',
  'recalls',
  'cumulativeRanks',
] as const;

type PerTrial = Readonly<Record<(typeof PER_TRIAL)[number], Float64Array>>;

export interface TrialRange extends PerTrial {
  /** Per item, the sum of its errors over the range. */
  readonly itemErrors: Float64Array;
  /**
   * Of the estimates of each item and of what is true of it, over the range; empty where there are too many.
   */
  readonly answers: ItemAnswers;
  seconds: number;
}

export function trialsIn(range: TrialRange): number {
  return range.squaredErrors.length;
}

function noAnswers(domain: number): ItemAnswers {
  const items = domain <= LIMITS.estimates.most ? domain : 0;
  return {
    truths: new Float64Array(items),
    means: new Float64Array(items),
    spreads: new Float64Array(items),
  };
}

/** Adds the answer of a trial to those of the `before` trials (B. P. Welford, Technometrics 4(3), 1962). */
export function addAnswer(
  { truths, means, spreads }: ItemAnswers,
  before: number,
  estimates: Float64Array,
  empirical: Float64Array,
): void {
  const count = before + 1;
  for (let item = 0; item < means.length; item++) {
    const distance = estimates[item]! - means[item]!;
    means[item]! += distance / count;
    spreads[item]! += distance * (estimates[item]! - means[item]!);
    truths[item]! += (empirical[item]! - truths[item]!) / count;
  }
}

/**
 * Adds the answers of `more` trials to those of the `before` ones; to those of none they are copied as they
 * are.
 */
function addAnswers(whole: ItemAnswers, before: number, range: ItemAnswers, more: number): void {
  if (more === 0) return;
  const share = more / (before + more);
  for (let item = 0; item < whole.means.length; item++) {
    const distance = range.means[item]! - whole.means[item]!;
    whole.means[item]! += distance * share;
    whole.spreads[item]! += range.spreads[item]! + distance * distance * before * share;
    whole.truths[item]! += (range.truths[item]! - whole.truths[item]!) * share;
  }
}

/** A range with room for so many trials, which goes on from those of `begun`. */
export function roomFor(trials: number, domain: number, begun: TrialRange | null): TrialRange {
  const perTrial = PER_TRIAL.map((field) => [field, new Float64Array(trials)]);
  const room: TrialRange = {
    ...(Object.fromEntries(perTrial) as PerTrial),
    itemErrors: new Float64Array(domain),
    answers: noAnswers(domain),
    seconds: 0,
  };
  if (begun) addRange(room, 0, begun);
  return room;
}

/** The first trials of a range whose sums are over no others. */
export function firstTrials(range: TrialRange, trials: number): TrialRange {
  const part = { ...range };
  for (const field of PER_TRIAL) part[field] = range[field].slice(0, trials);
  return part;
}

/**
 * Puts the trials of `range` into `whole`, which has `at` trials before them; the order of the calls is that
 * of the sums.
 */
export function addRange(whole: TrialRange, at: number, range: TrialRange): void {
  for (const field of PER_TRIAL) whole[field].set(range[field], at);
  const { itemErrors } = whole;
  for (let i = 0; i < itemErrors.length; i++) itemErrors[i]! += range.itemErrors[i]!;
  addAnswers(whole.answers, at, range.answers, trialsIn(range));
  whole.seconds += range.seconds;
}
