/**
 * "Echo of neighbors" (EoN): Liu, Zhao, Xiong, Liu and Chen (AAAI 2023), for Clip-Laplace noise. User i sends
 * an echo of user j's message with probability p_ij = (e_i/e_j) (1 - e^-e_j)/(1 - e^-e_i) e^-max(e_i, e_j)
 * (Lemma 4), and the number of echoes of user 1, who has the largest budget, has mean S = sum over i >= 2 of
 * the average of p_ij over j.
 *
 * Closed form (Theorem 4): epsilon = log(1 + tanh(max/2) (8 sqrt(log(4/delta_s)/S) + 8/S)), delta =
 * tanh(max/2) delta_s, where S >= 16 log(4/delta_s). The paper's figures and tables are not this formula but
 * the clones' divergence at Bin(n - 1, S/(n - 1)) clones (0.0571 against 0.20 for budgets uniform on [0.05,
 * 1] and 10,000 users).
 *
 * Neither is an upper bound: averaging p_ij over j treats the victim's budget as random, but neighbouring
 * data sets fix the victim (docs/personalized.md). Inside the budget ranges of the paper no violation is
 * known.
 */
import {
  Real,
  requireInteger,
  requireNonNegative,
  requirePositive,
  requireProbability,
} from '@shuffle-dp/core';
import type { Counterexample, GeneralVerdict } from '../published/general-verdict.ts';
import {
  atClosedForm,
  comparison,
  condition,
  shown,
  underConditions,
  type ClosedForm,
  type Condition,
} from '../published/published-bound.ts';
import { atPair, strongerClonePair } from '../published/clones.ts';
import { countEqual, type CountedValues } from './counted-values.ts';
import {
  haveOneBudget,
  largestBudget,
  type CountedSetting,
  type PersonalizedBound,
} from './personalized-bound.ts';

/**
 * S: the expected number of echoes of the user with the largest budget, who is left out of the outer sum.
 * Budgets in nats, positive. Time n log n.
 */
export function expectedEchoes(budgets: Float64Array): number {
  return echoesAmong(countEqual(budgets), budgets.length);
}

function echoesAmong({ values, counts }: CountedValues, users: number): number {
  // Sums over users j of a budget above that of i, where the maximum in the exponent is theirs.
  let above = 0;
  for (let g = 0; g < values.length; g++) above += counts[g]! * (Real.exp(-values[g]!) / spread(values[g]!));
  let below = 0;
  let sum = 0;
  for (let g = 0; g < values.length; g++) {
    const own = spread(values[g]!);
    const decay = Real.exp(-values[g]!);
    // Of users with one budget it is all one who counts as above the others.
    const among = own * (decay * below + above);
    sum += (g === values.length - 1 ? counts[g]! - 1 : counts[g]!) * among;
    above -= counts[g]! * (decay / own);
    below += counts[g]! / own;
  }
  return sum / users;
}

function spread(budget: number): number {
  return budget / -Real.expm1(-budget);
}

/** A few users of a large budget among users of a small one, whose messages do not echo theirs. */
const AMONG_SMALL_BUDGETS = {
  numerical: {
    command:
      'personalized --budgets "mixture(0.001*constant(5),0.999*constant(0.05))" --users 1000 --mechanism clip-laplace --delta 1e-6',
    stated: 0.2475,
    atLeast: 0.2675,
  },
  closed: {
    command:
      'personalized --budgets "mixture(0.01*constant(20),0.99*constant(0.05))" --users 400 --mechanism clip-laplace --delta 1e-6',
    stated: 0.9679,
    atLeast: 1.004,
  },
} as const satisfies Readonly<Record<string, Counterexample>>;

function verdict(setting: CountedSetting, counterexample: Counterexample): GeneralVerdict {
  const { mechanism } = setting;
  if (mechanism === 'gaussian') {
    return { sound: 'unproven', reason: 'stated for pure local privacy; the local delta is not counted' };
  }
  // The clones' bound, then.
  if (haveOneBudget(setting)) return { sound: true };
  if (mechanism !== 'clip-laplace') {
    return {
      sound: false,
      reason: 'its echo probabilities are those of Clip-Laplace noise, for which it does not hold either',
      counterexample,
    };
  }
  return {
    sound: false,
    reason:
      'it averages over the budget of the victim, which is fixed: exceeded by one user of budget 5 among 999 of 0.05',
    counterexample,
  };
}

function numericalConditions(setting: CountedSetting): readonly Condition[] {
  const largest = largestBudget(setting);
  return [
    condition('two users', `n = ${setting.users}`, setting.users >= 2),
    condition('budgets of at most 300', `max = ${shown(largest)}`, largest <= 300),
  ];
}

export const echoOfNeighborsBounds: readonly PersonalizedBound[] = [
  {
    name: 'eon-closed',
    source: 'Liu et al. 2023, Theorem 4',
    citation: 'liu2023',
    verdict: (setting) => verdict(setting, AMONG_SMALL_BUDGETS.closed),
    at: (setting, target) => {
      const { budgets, users } = setting;
      const largest = largestBudget(setting);
      const echoes = echoesAmong(budgets, users);
      const share = Real.tanh(largest / 2);
      const logTerm = (delta: number): number => Real.log((4 * share) / delta);
      const form: ClosedForm = {
        conditions: (_, delta) => {
          const least = 16 * logTerm(delta);
          return [comparison('S >= 16 log(4/delta_s)', echoes, least, echoes >= least)];
        },
        epsilon: (_, delta) => Real.log1p(share * (8 * Math.sqrt(logTerm(delta) / echoes) + 8 / echoes)),
      };
      const amplification = { variationRatio: null, blanket: [], homogeneous: [] };
      return atClosedForm(form, { users, epsilon0: largest, amplification }, target, share);
    },
  },
  {
    name: 'eon',
    source: 'Liu et al. 2023, the numerical form of its figures and tables',
    citation: 'liu2023',
    verdict: (setting) => verdict(setting, AMONG_SMALL_BUDGETS.numerical),
    at: (setting, target) =>
      underConditions(numericalConditions(setting), () => {
        const { budgets, users } = setting;
        const pair = strongerClonePair(largestBudget(setting));
        const { p } = pair;
        // The q at which the pair's clones have probability S/(n-1) in all.
        const q = (2 * p * (users - 1)) / ((p + 1) * echoesAmong(budgets, users));
        return atPair({ ...pair, q }, users, target);
      }),
  },
];

/**
 * Proposition 1: the epsilon of a user whose gradient shares `coordinates` coordinates of a round, each
 * (epsilon, delta)-DP after shuffling: advanced composition, epsilon sqrt(2 k log(1/d)) + k epsilon
 * (e^epsilon - 1) with d = userDelta - k delta. Valid for k = all coordinates that may differ. The paper
 * takes k = 2b where only the b largest are sent; which those are depends on the whole gradient, so that k is
 * not proved and k = all is the safe one. Infinite where k delta leaves nothing of userDelta.
 * @throws ParameterError for coordinates < 1, epsilon < 0 or a delta outside [0, 1]
 */
export function userLevelEpsilon(
  { epsilon, delta }: { readonly epsilon: number; readonly delta: number },
  coordinates: number,
  userDelta: number,
): number {
  requireNonNegative('epsilon', epsilon);
  requireProbability('delta', delta);
  requireInteger('coordinates', coordinates, 1);
  requireProbability('userDelta', requirePositive('userDelta', userDelta));
  const slack = userDelta - coordinates * delta;
  if (!(slack > 0)) return Infinity;
  const drift = coordinates * epsilon * Real.expm1(epsilon);
  return epsilon * Math.sqrt(-2 * coordinates * Real.log(slack)) + drift;
}
