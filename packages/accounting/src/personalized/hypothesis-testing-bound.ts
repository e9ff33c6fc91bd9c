/**
 * "HPS": Liu, Liu, Xiong, Gu and Chen (CIKM 2024), Theorems 1 and 2: the divergence of clone-divergence.ts at
 * the clone probabilities p_i of clone-probability.ts, w = p_1, with coins of 2 p_i. It is Theorem 2 with its
 * infimum t_epsilon = 1/r solved. The victim is the user of the largest budget.
 *
 * Where we differ: the sum over clone counts starts at 0; from 1, as printed, it drops the event of no clone.
 * The published program takes the classical Gaussian variance 2 log(1.25/delta) (range/budget)^2 for the
 * deviation, so that its numbers depend on the unit of the range; the paper's Table 2 needs that (range 0.1).
 * Both are here.
 *
 * Not an upper bound: see the verdict.
 */
import { Real, requireOneOf, type Target } from '@shuffle-dp/core';
import type { GeneralVerdict } from '../published/general-verdict.ts';
import {
  condition,
  positiveDelta,
  underConditions,
  type BoundValue,
  type Condition,
} from '../published/published-bound.ts';
import {
  gaussianCloneProbabilities,
  laplaceCloneProbabilities,
  type CloneProbabilities,
} from './clone-probability.ts';
import { cloneDivergence, cloneEpsilon, type CloneCoins } from './clone-divergence.ts';
import {
  countedSetting,
  largestBudget,
  type CountedSetting,
  type PersonalizedBound,
  type PersonalizedSetting,
} from './personalized-bound.ts';

export type NoiseScale = 'classical' | 'program';

/** Everything of the theorem that does not depend on epsilon. */
export function cloneCoins(setting: CountedSetting, scale: NoiseScale): CloneCoins {
  const { victim, other } = cloneProbabilities(setting, largestBudget(setting), scale);
  const { values, counts } = setting.budgets;
  const users = counts.slice();
  // The victim is none of the others.
  users[users.length - 1]!--;
  const probabilities = values.map((budget) => Math.min(1, 2 * other(budget)));
  return { confusion: victim, failure: setting.localDelta, users, probabilities };
}

function cloneProbabilities(
  { mechanism, localDelta, clip }: Omit<PersonalizedSetting, 'budgets'>,
  largest: number,
  scale: NoiseScale,
): CloneProbabilities {
  if (mechanism === 'laplace') return laplaceCloneProbabilities(largest);
  const factor = 2 * Real.log(1.25 / localDelta);
  const deviation = (budget: number): number => {
    const ratio = clip / budget;
    return scale === 'program' ? factor * ratio * ratio : Math.sqrt(factor) * ratio;
  };
  return gaussianCloneProbabilities(largest, deviation, clip, localDelta);
}

function conditionsOf({ mechanism, users }: CountedSetting, scale: NoiseScale): readonly Condition[] {
  const noise = scale === 'program' ? ['gaussian'] : ['laplace', 'gaussian'];
  return [
    condition(`${noise.join(' or ')} noise`, `the mechanism is ${mechanism}`, noise.includes(mechanism)),
    condition('two users', `n = ${users}`, users >= 2),
  ];
}

function valueAt(setting: CountedSetting, scale: NoiseScale, target: Target): BoundValue {
  return underConditions([...conditionsOf(setting, scale), ...positiveDelta(target)], () => {
    const clones = cloneCoins(setting, scale);
    return 'epsilon' in target ? cloneDivergence(clones, target.epsilon) : cloneEpsilon(clones, target.delta);
  });
}

function verdict({ mechanism }: CountedSetting): GeneralVerdict {
  if (mechanism === 'gaussian') {
    return {
      sound: false,
      reason: 'a test error is not a clone probability: exceeded by the sum of all messages at equal budgets',
      counterexample: { command: EQUAL_GAUSSIAN, stated: 0.004981, atLeast: 0.005908 },
    };
  }
  return {
    sound: false,
    reason:
      'a test error is not a clone probability: exceeded at equal budgets of 3 and more, and by a small budget among larger ones',
    counterexample: {
      command: 'personalized --budgets "constant(4)" --users 1000 --mechanism laplace --delta 1e-4',
      stated: 0.458,
      atLeast: 0.6736,
    },
  };
}

const EQUAL_GAUSSIAN =
  'personalized --budgets "constant(1)" --users 10000 --mechanism gaussian --local-delta 1e-10 --delta 1e-8';

export const hypothesisTestingBounds: readonly PersonalizedBound[] = [
  {
    name: 'hps',
    source: 'Liu et al. 2024, Theorem 2',
    citation: 'liu2024',
    verdict,
    at: (setting, target) => valueAt(setting, 'classical', target),
  },
  {
    name: 'hps-program',
    source: 'Liu et al. 2024, Theorem 2 with the noise of the published program',
    citation: 'liu2024',
    verdict: () => ({
      sound: false,
      reason:
        "the program's noise depends on the unit of the range: it is not (budget, local delta)-private at 0.1, where a nominal budget of 2 is a real one of 5.5, and at 1 its numbers are exceeded by the noise that the budgets ask for",
      counterexample: { command: EQUAL_GAUSSIAN, stated: 6.269e-4, atLeast: 0.005908 },
    }),
    at: (setting, target) => valueAt(setting, 'program', target),
  },
];

/**
 * The clone probabilities p_i of the published theorem at the given budgets, against a victim of the largest
 * of them (Figure 3b shows them over the budgets).
 * @throws ParameterError for a setting out of range, and for a mechanism other than Laplace or Gaussian noise
 */
export function confoundingProbabilities(setting: PersonalizedSetting): Float64Array {
  const largest = largestBudget(countedSetting(setting));
  requireOneOf('mechanism', setting.mechanism, ['laplace', 'gaussian']);
  const { other } = cloneProbabilities(setting, largest, 'classical');
  return setting.budgets.map((budget) => other(budget));
}
