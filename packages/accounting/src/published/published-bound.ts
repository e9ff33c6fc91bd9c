/**
 * What a published bound is: a statement with conditions, a source and a verdict. Bounds that do not hold are
 * kept, because papers are compared by them; they carry the verdict and its reason (docs/soundness.md).
 */
import {
  Real,
  requireInteger,
  requirePositive,
  requireTarget,
  type AmplificationProfile,
  type BoundDirection,
  type CitationKey,
  type Soundness,
  type Target,
} from '@shuffle-dp/core';
import type { Counterexample, GeneralVerdict } from './general-verdict.ts';

/** One shuffled round of one mechanism. */
export interface ShuffleSetting {
  /**
   * Number of users, the victim included; for multi-message protocols of messages that can hide the victim's.
   */
  readonly users: number;
  /** Local budget in nats; infinity where the randomizer alone is not pure-DP. */
  readonly epsilon0: number;
  readonly amplification: AmplificationProfile;
}

/** One condition of a theorem at given values: '8 log(2/delta) / r <= n'. */
export interface Condition {
  readonly statement: string;
  readonly given: string;
  readonly holds: boolean;
}

/**
 * A bound at one point: epsilon for a given delta, or delta for a given epsilon; null where it says nothing.
 */
export interface BoundValue {
  readonly value: number | null;
  readonly conditions: readonly Condition[];
  /** Why there is no value. */
  readonly reason?: string;
}

export interface PublishedBound {
  readonly name: string;
  readonly direction: BoundDirection;
  /** 'Feldman et al. 2021, Theorem 3.1'. */
  readonly source: string;
  readonly citation: CitationKey;
  /** In general, for mechanisms of this kind. */
  verdict(setting: ShuffleSetting): GeneralVerdict;
  at(setting: ShuffleSetting, target: Target): BoundValue;
}

type DescribedBound = Pick<PublishedBound, 'name' | 'direction' | 'source' | 'citation'>;

export interface EvaluatedBound extends DescribedBound {
  /** The verdict in general; whether this value holds is not said here. */
  readonly sound: Soundness;
  /** Why there is no value, or else why the bound is not called sound. */
  readonly reason?: string;
  /** Where a data set exceeds the bound, if it is refuted in general. */
  readonly counterexample?: Counterexample;
  readonly conditions: readonly Condition[];
  /** The value asked for, or the one given; null where a condition fails. */
  readonly epsilon: number | null;
  readonly delta: number | null;
}

/** A bound's value at a target, told with its source and its verdict. */
export function evaluated(
  { name, direction, source, citation }: DescribedBound,
  target: Target,
  { value, conditions, reason: missing }: BoundValue,
  { sound, reason: verdict, counterexample }: GeneralVerdict,
): EvaluatedBound {
  const reason = missing ?? verdict;
  return {
    name,
    direction,
    source,
    citation,
    sound,
    ...(reason === undefined ? {} : { reason }),
    ...(counterexample === undefined ? {} : { counterexample }),
    conditions,
    epsilon: 'delta' in target ? value : target.epsilon,
    delta: 'delta' in target ? target.delta : value,
  };
}

/**
 * A bound with its verdict and conditions. Upper bounds of epsilon above the local budget are replaced by it:
 * a shuffled epsilon0-DP message is epsilon0-DP.
 * @throws ParameterError for users < 1, epsilon0 <= 0, delta outside [0, 1] or epsilon < 0.
 */
export function evaluateBound(
  bound: PublishedBound,
  setting: ShuffleSetting,
  target: Target,
): EvaluatedBound {
  requireInteger('users', setting.users, 1);
  if (setting.epsilon0 !== Infinity) requirePositive('epsilon0', setting.epsilon0);
  requireTarget(target);
  const result = bound.at(setting, target);
  const capped = bound.direction === 'upper' ? withinBudget(result, setting.epsilon0, target) : result;
  return evaluated(bound, target, capped, bound.verdict(setting));
}

/** What an upper bound states where it says more than the local budget, or than a delta of 1. */
export function withinBudget(result: BoundValue, epsilon0: number, target: Target): BoundValue {
  const most = 'delta' in target ? epsilon0 : 1;
  return result.value === null ? result : { ...result, value: Math.min(result.value, most) };
}

/** A condition with what was given, in words. */
export function condition(statement: string, given: string, holds: boolean): Condition {
  return { statement, given, holds };
}

/** A condition between two numbers. */
export function comparison(statement: string, given: number, limit: number, holds: boolean): Condition {
  return condition(statement, `the two sides are ${shown(given)} and ${shown(limit)}`, holds);
}

/** A number as conditions and reasons print it: four digits; a limit may be none, or beyond the doubles. */
export function shown(value: number): string {
  if (value === -Infinity) return 'none';
  if (Number.isNaN(value)) return 'one beyond all numbers';
  return String(Number(value.toPrecision(4)));
}

/** A value under conditions: null, with the first condition that fails as the reason. */
export function underConditions(conditions: readonly Condition[], value: () => number): BoundValue {
  const failed = conditions.find(({ holds }) => !holds);
  if (failed) return { value: null, conditions, reason: `needs ${failed.statement}, but ${failed.given}` };
  const result = value();
  if (Number.isNaN(result)) return { value: null, conditions, reason: 'the formula has no value here' };
  return { value: result, conditions };
}

/** Beyond, e^(2 epsilon0) leaves the doubles. */
export function boundedBudget({ epsilon0 }: ShuffleSetting): Condition {
  return condition('a finite epsilon0 of at most 300', `epsilon0 = ${shown(epsilon0)}`, epsilon0 <= 300);
}

/** Of what has no finite epsilon at a delta of 0. */
export function positiveDelta(target: Target): readonly Condition[] {
  if (!('delta' in target)) return [];
  const { delta } = target;
  return [condition('delta > 0', `delta = ${delta}`, delta > 0)];
}

/** A theorem that gives epsilon at a delta: `epsilon` may rely on the conditions. */
export interface ClosedForm {
  conditions(setting: ShuffleSetting, delta: number): readonly Condition[];
  epsilon(setting: ShuffleSetting, delta: number): number;
}

/** What a bound is called and where it stands. */
export type Said = Pick<PublishedBound, 'name' | 'source' | 'citation'>;

/** An upper bound that is proved of all mechanisms. */
export function soundBound(said: Said, at: PublishedBound['at']): PublishedBound {
  return { ...said, direction: 'upper', verdict: () => ({ sound: true }), at };
}

/** The same by the theorem that it is. */
export function provedBound(said: Said, form: ClosedForm, largestDelta = 1): PublishedBound {
  return soundBound(said, (setting, target) => atClosedForm(form, setting, target, largestDelta));
}

/** Below this no delta is tried when a closed form is inverted. */
const SMALLEST_LOG_DELTA = -690;

/**
 * Evaluates a closed form in both directions. Its epsilon must fall as delta grows and its conditions must
 * only ask for a large delta below `largestDelta`; the inverse is then the smallest delta that gives the
 * epsilon asked for.
 */
export function atClosedForm(
  form: ClosedForm,
  setting: ShuffleSetting,
  target: Target,
  largestDelta = 1,
): BoundValue {
  if ('delta' in target) {
    const { delta } = target;
    const conditions = delta > 0 ? form.conditions(setting, delta) : positiveDelta(target);
    return underConditions(conditions, () => form.epsilon(setting, delta));
  }
  const reaches = (logDelta: number): boolean => {
    const delta = Real.exp(logDelta);
    return (
      form.conditions(setting, delta).every(({ holds }) => holds) &&
      form.epsilon(setting, delta) <= target.epsilon
    );
  };
  let high = Real.log(largestDelta);
  if (!reaches(high)) {
    const conditions = form.conditions(setting, largestDelta);
    const { reason = 'no delta gives an epsilon this small' } = underConditions(conditions, () => 0);
    return { value: null, conditions, reason };
  }
  let low = SMALLEST_LOG_DELTA;
  if (reaches(low)) high = low;
  for (let step = 0; step < 60 && high - low > 1e-13; step++) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  const delta = Real.exp(high);
  return { value: delta, conditions: form.conditions(setting, delta) };
}
