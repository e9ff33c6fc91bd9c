/**
 * Bounds for one budget, used with the largest budget of all users: what papers on personal budgets compare
 * against.
 *
 * They hold where every user's law is at least e^-max times every other's: then the infimum over all users
 * and values is a blanket with the ratios that these bounds assume. That is so for randomized response, and
 * for Clip-Laplace: the largest ratio of a user of budget a to one of budget b is f(a)/f(b) e^b with f(x) =
 * x/(1 - e^-x), at most e^max(a, b) since f'/f < 1. Noise of unbounded support and different scales has no
 * such ratio: far from the data a user of a small budget stands alone.
 *
 * "UniS" is the baseline of Liu et al. (AAAI 2023): the clone bound at the largest budget. Their Eq. (2) is
 * its closed form; their tables hold the numerical one (0.0689 for budgets uniform on [0.05, 1], where Eq.
 * (2) gives 0.24).
 */
import type { AmplificationProfile } from '@shuffle-dp/core';
import { publishedBounds } from '../published/catalogue.ts';
import type { Counterexample, GeneralVerdict } from '../published/general-verdict.ts';
import { withinBudget, type PublishedBound, type ShuffleSetting } from '../published/published-bound.ts';
import {
  haveOneBudget,
  largestBudget,
  type CountedSetting,
  type PersonalizedBound,
} from './personalized-bound.ts';

/** Only bounds that ask for nothing but the budget are used. */
const UNKNOWN_MECHANISM: AmplificationProfile = { variationRatio: null, blanket: [], homogeneous: [] };

/** Proved from the ratios of all users' laws alone; the others lean on one randomizer. */
const FROM_RATIOS = new Set([
  'clone',
  'clone-closed',
  'stronger-clone',
  'stronger-clone-closed',
  'blanket-hoeffding-generic',
  'blanket-bennett-generic',
]);

export const largestBudgetBounds: readonly PersonalizedBound[] = [
  ...['erlingsson', 'blanket-hoeffding-generic', 'blanket-bennett-generic', 'renyi'].map(atLargestBudget),
  ...['clone-closed', 'clone', 'stronger-clone-closed', 'stronger-clone'].map(atLargestBudget),
  {
    ...atLargestBudget('clone-closed'),
    name: 'uni-shuffle-closed',
    source: 'Liu et al. 2023, Eq. (2)',
    citation: 'liu2023',
  },
  {
    ...atLargestBudget('clone'),
    name: 'uni-shuffle',
    source: 'Liu et al. 2023, UniS, as in its tables',
    citation: 'liu2023',
  },
];

function atLargestBudget(name: string): PersonalizedBound {
  const bound = publishedBounds.find((candidate) => candidate.name === name)!;
  return {
    name: `largest-budget-${name}`,
    source: `${bound.source}, at the largest budget`,
    citation: bound.citation,
    verdict: (setting) => verdictAtLargest(bound, setting),
    at: (setting, target) => {
      const all = ofAll(setting);
      const result = bound.at(all, target);
      // Gaussian noise has no local budget.
      return setting.mechanism === 'gaussian' ? result : withinBudget(result, all.epsilon0, target);
    },
  };
}

/**
 * A few users of budget 0.1 among 300,000 of 0.4: what each bound states of them, and what an exact test
 * attains.
 */
const STATED_OF_LONE_USERS: Readonly<Record<string, number>> = {
  erlingsson: 0.02974,
  'blanket-hoeffding-generic': 0.005281,
  'blanket-bennett-generic': 0.01058,
  renyi: 0.007028,
  'clone-closed': 0.01257,
  clone: 0.001664,
  'stronger-clone-closed': 0.0115,
  'stronger-clone': 0.001492,
};

function aloneInTheTail(bound: string): Counterexample {
  return {
    command:
      'personalized --budgets "mixture(0.00001*constant(0.1),0.99999*constant(0.4))" --users 300000 --mechanism laplace --delta 1e-5',
    stated: STATED_OF_LONE_USERS[bound]!,
    atLeast: 0.09371,
  };
}

function ofAll(setting: CountedSetting): ShuffleSetting {
  return { users: setting.users, epsilon0: largestBudget(setting), amplification: UNKNOWN_MECHANISM };
}

function verdictAtLargest(bound: PublishedBound, setting: CountedSetting): GeneralVerdict {
  const { mechanism } = setting;
  const unbounded = mechanism === 'laplace' || mechanism === 'gaussian';
  if (haveOneBudget(setting)) {
    if (mechanism === 'gaussian') {
      return { sound: 'unproven', reason: 'stated for pure local privacy; the local delta is not counted' };
    }
    return bound.verdict(ofAll(setting));
  }
  if (unbounded) {
    return {
      sound: false,
      reason:
        'a user of a small budget has wider noise than all others and stands alone in its tail: exact events exceed it',
      counterexample: aloneInTheTail(bound.name),
    };
  }
  if (FROM_RATIOS.has(bound.name)) return { sound: true };
  return { sound: 'unproven', reason: 'its proof is for one randomizer common to all users' };
}
