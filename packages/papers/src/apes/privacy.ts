/**
 * The privacy columns of Tables 3 and 4 of Y. Liu et al., "Echo of Neighbors", AAAI 2023, as the paper
 * counts: 10,000 users in one round, numerical clone divergences of one dimension, and Proposition 1 over the
 * dimensions.
 */
import {
  evaluatePersonalizedBounds,
  userLevelEpsilon,
  type PersonalizedSetting,
} from '@shuffle-dp/accounting';
import { boundNamed, parseBudgets } from '@shuffle-dp/experiments/personalized';
import { drawnBudgets } from '../figures/budget-distributions.ts';
import type { ShuffledKind } from './printed.ts';

const USERS = 10_000;
/** Weights of softmax regression on 28 x 28 pixels and ten classes. */
const DIMENSIONS = 7850;
/** Twice b, at b/d = 0.2. */
const KEPT_TWICE = 0.4 * DIMENSIONS;
const DELTA_S = 1e-8;
const USER_DELTA = 3.6e-5;

/** Clip-Laplace noise of budgets that are drawn from a distribution. */
export function settingOf(budgets: string, users: number): PersonalizedSetting {
  return { budgets: drawnBudgets(budgets, users), mechanism: 'clip-laplace', localDelta: 0, clip: 0.2 };
}

export interface CountedPrivacy {
  readonly dimension: number;
  readonly user: number;
}

/**
 * Of the three shuffled frameworks for budgets of this distribution. The paper's user delta of 3.6e-5 is d
 * tanh(1/2) 1e-8 rounded, which leaves nothing for the composition; one dimension's share more is used.
 */
export function shuffledPrivacy(budgets: string): Readonly<Record<ShuffledKind, CountedPrivacy>> {
  const distribution = parseBudgets(budgets);
  const bounds = evaluatePersonalizedBounds(settingOf(budgets, USERS), { delta: DELTA_S });
  const delta = Math.tanh(distribution.high / 2) * DELTA_S;
  const userDelta = (DIMENSIONS + 1) * Math.tanh(0.5) * DELTA_S;
  const of = (name: string, coordinates: number): CountedPrivacy => {
    const dimension = boundNamed(bounds, name).epsilon!;
    return { dimension, user: userLevelEpsilon({ epsilon: dimension, delta }, coordinates, userDelta) };
  };
  return {
    'uni-shuffle': of('uni-shuffle', DIMENSIONS),
    apes: of('eon', DIMENSIONS),
    's-apes': of('eon', KEPT_TWICE),
  };
}

/** Without a shuffler, everyone at this budget: advanced composition. */
export function smallestBudgetPrivacy(budget: number): CountedPrivacy {
  return { dimension: budget, user: userLevelEpsilon({ epsilon: budget, delta: 0 }, DIMENSIONS, USER_DELTA) };
}

/** Without a shuffler, budgets of up to this much: they add up. */
export function personalPrivacy(largest: number): CountedPrivacy {
  return { dimension: largest, user: DIMENSIONS * largest };
}
