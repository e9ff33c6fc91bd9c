/**
 * What Wang et al. (PVLDB 17(8), 2024), section 6 and Figure 5, compare for users who each answer one of
 * several queries: the epsilon of separate cohorts, of basic and of advanced parallel composition. All are
 * upper bounds as claimed; each carries its verdict. What is proved is `certifiedEpsilon` of
 * `parallelProfile`.
 *
 * The paper prints one formula of beta for the best and for the worst cohort; the worst here is the cohort
 * whose query gives the largest value. The authors' program overwrites beta where Theorem 6.1 adds, and so
 * keeps, of a hierarchy, the share of its leaves alone: savings over basic composition of 75 % and more come
 * from there.
 */
import type { Target } from '@shuffle-dp/core';
import { parallelProfile, requireProbabilities, type ParallelQuery } from './parallel-composition.ts';
import { strongerCloneBound } from '../published/clones.ts';
import {
  evaluateBound,
  type EvaluatedBound,
  type PublishedBound,
  type ShuffleSetting,
} from '../published/published-bound.ts';
import { variationRatioBound } from '../published/variation-ratio-bounds.ts';

/** Users who each draw one query and answer it in one shuffled message. */
export interface ParallelSetting {
  /** Number of users, the victim included. */
  readonly users: number;
  /** Local budget of every query's randomizer, in nats. */
  readonly epsilon0: number;
  readonly queries: readonly ParallelQuery[];
}

/**
 * The four curves of the paper's Figure 5, at one point:
 * - `parallel-separate-best`, `parallel-separate-worst`: cohorts of n w_k users, one per query, known to the
 *   adversary; the smallest and the largest of their values. Only the largest is a guarantee to all users.
 * - `parallel-basic`: all n users, of the randomizer only its local budget (the stronger clones' pair).
 * - `parallel-advanced`: Theorem 6.1, all n users with the mean of the queries' total variations.
 *
 * A cohort's bound and Theorem 6.1 are null where a query has no published parameters.
 * @throws ParameterError as `evaluateBound` and `parallelProfile`.
 */
export function evaluateParallelBounds(
  { users, epsilon0, queries }: ParallelSetting,
  target: Target,
): readonly EvaluatedBound[] {
  requireProbabilities(queries);
  const whole: ShuffleSetting = { users, epsilon0, amplification: parallelProfile(queries) };
  const cohorts = queries
    // A cohort of less than one user protects as little as one user alone; products such as 0.29 * 100 fall
    // short.
    .map(({ probability, amplification }) => ({
      users: Math.max(1, Math.floor(users * probability * (1 + 1e-12))),
      epsilon0,
      amplification,
    }))
    .map((cohort) => evaluateBound(separate, cohort, target))
    .sort((a, b) => answer(a, target) - answer(b, target));
  return [
    { ...cohorts[0]!, name: 'parallel-separate-best' },
    { ...cohorts.at(-1)!, name: 'parallel-separate-worst' },
    evaluateBound(basic, whole, target),
    evaluateBound(advanced, whole, target),
  ];
}

const separate: PublishedBound = {
  ...variationRatioBound,
  source: 'Wang et al. 2024, Theorem 4.8 for each cohort (Figure 5)',
};

const basic: PublishedBound = {
  ...strongerCloneBound,
  name: 'parallel-basic',
  source: 'Wang et al. 2024, section 6, basic parallel composition',
  citation: 'wang2024',
};

const advanced: PublishedBound = {
  ...variationRatioBound,
  name: 'parallel-advanced',
  source: 'Wang et al. 2024, Theorem 6.1',
};

/** The value asked for; without one, infinity: a missing value is the worst. */
function answer({ epsilon, delta }: EvaluatedBound, target: Target): number {
  return ('delta' in target ? epsilon : delta) ?? Infinity;
}
