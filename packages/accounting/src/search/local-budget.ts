/** The largest local budget whose shuffled messages still meet a central target, for any single-message randomizer. */
import { bracketRoot, type AmplificationProfile, type PrivacyStatement } from '@shuffle-dp/core';
import { certifiedEpsilon } from '../one-round.ts';
import { messageDivergence, publishedClaim, type MessageAccounting } from './message-accounting.ts';

/** What calibration needs of a randomizer. */
export interface Amplified {
  readonly epsilon0: number;
  amplification(): AmplificationProfile;
}

/** Local budgets beyond this are no protection; the search ends here. */
const LARGEST_BUDGET = 30;
/** Relative tolerance of the local budget; the result is on the private side. */
const TOLERANCE = 1e-5;
/** First search, in the logarithm of the budget. */
const STEP_UP = 0.35;
const STEP_FROM_GUESS = 0.02;
/** At epsilon0 = epsilon the divergence is zero and its logarithm of no use: the search begins this much further. */
const NEAREST = 1e-3;

/**
 * The largest local budget, in nats and within a relative 1e-5 from below, with which `make` gives central
 * (epsilon, delta) after shuffling the messages of `users` users. At least epsilon: shuffling never hurts.
 * @throws ParameterError where the accounting is 'variation-ratio' and the randomizer has no published parameters
 */
export function largestLocalBudget(
  make: (epsilon0: number) => Amplified,
  users: number,
  epsilon: number,
  delta: number,
  accounting: MessageAccounting,
): number {
  const excess = (logBudget: number): number => {
    const randomizer = make(Math.exp(logBudget));
    const message = { epsilon0: randomizer.epsilon0, amplification: randomizer.amplification() };
    const divergence = messageDivergence(message, users, epsilon, accounting);
    return Math.max(-800, Math.log(divergence)) - Math.log(delta);
  };
  const lowest = Math.log(epsilon) + NEAREST;
  const highest = Math.log(Math.max(LARGEST_BUDGET, 2 * epsilon));
  if (excess(lowest) > 0) return epsilon;
  let inside = lowest;
  let outside = lowest;
  let step = STEP_UP;
  if (accounting === 'blanket' && make(1).amplification().variationRatio !== null) {
    // The pair of the mechanism's own parameters is a thousand times quicker to evaluate, and its answer is mostly within a percent.
    const guess = Math.log(
      largestLocalBudget(
        (budget) => withOwnParameters(make(budget)),
        users,
        epsilon,
        delta,
        'variation-ratio',
      ),
    );
    step = STEP_FROM_GUESS;
    outside = Math.max(lowest, guess - step / 2);
    if (excess(outside) > 0) {
      for (inside = outside; excess(inside) > 0; step *= 2) {
        outside = inside;
        inside = Math.max(lowest, inside - step);
      }
      return search(excess, inside, outside);
    }
    inside = outside;
  }
  // In steps upwards: the delta that one budget leaves at epsilon spans hundreds of orders.
  do {
    if (outside === highest) return Math.exp(highest);
    inside = outside;
    outside = Math.min(highest, outside + step);
  } while (excess(outside) <= 0);
  return search(excess, inside, outside);
}

/** Without those that the literature prints instead. */
function withOwnParameters(randomizer: Amplified): Amplified {
  const { printedVariationRatio: _, ...amplification } = randomizer.amplification();
  return { epsilon0: randomizer.epsilon0, amplification: () => amplification };
}

function search(excess: (logBudget: number) => number, inside: number, outside: number): number {
  return Math.exp(bracketRoot(excess, inside, outside, { absoluteTolerance: TOLERANCE }).lower);
}

/**
 * The central guarantee of one shuffled message per user, at `delta`. By 'variation-ratio' the upper end is the published pair's
 * value with its verdict: sound where the victim's leftover is empty, as in binary randomized response.
 * @throws ParameterError as `largestLocalBudget`
 */
export function singleMessagePrivacy(
  randomizer: Amplified,
  users: number,
  delta: number,
  accounting: MessageAccounting,
  group?: string,
): PrivacyStatement {
  const { epsilon0 } = randomizer;
  const amplification = randomizer.amplification();
  const common = {
    delta,
    adjacency: 'replace-one',
    unit: 'one user, their one message',
    view: 'the shuffled messages of all users',
    ...(group === undefined ? {} : { group }),
  } as const;
  if (accounting === 'blanket') {
    return Object.freeze({
      ...common,
      epsilon: certifiedEpsilon(amplification, users, delta, { epsilon0 }),
      accountant: 'blanket',
      theorem: 'privacy blanket (Balle et al. 2019) evaluated numerically, docs/soundness.md F1 and F2',
      status: 'certified',
      sound: true,
    });
  }
  return Object.freeze({
    ...common,
    ...publishedClaim({ epsilon0, amplification }, users, delta),
    theorem: 'Wang et al. 2024, Theorem 4.8',
  });
}
