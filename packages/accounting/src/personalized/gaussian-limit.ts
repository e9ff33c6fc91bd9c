/**
 * The central-limit bound of Chen, Cao and Ge (AAAI 2024), "CCC": the shuffled messages are about
 * mu-Gaussian-DP with mu^2 = 2 / (sum of c_i - max c_i), c_i = (1 - delta_i) / (1 + e^epsilon_i). Taken from
 * the abstract; "about" is the paper's, so that it is nowhere a bound. The program of Liu et al. (CIKM 2024)
 * compares against twice these c_i.
 */
import { exactly, gaussianDivergence, Real, type Interval, type Target } from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';
import { condition, positiveDelta, underConditions, type BoundValue } from '../published/published-bound.ts';
import type { CountedSetting, PersonalizedBound } from './personalized-bound.ts';

function hidingMass({ budgets, localDelta }: CountedSetting, factor: number): number {
  const { values, counts } = budgets;
  let sum = 0;
  let most = 0;
  for (let g = 0; g < values.length; g++) {
    const share = (factor * (1 - localDelta)) / (1 + Real.exp(values[g]!));
    sum += counts[g]! * share;
    most = Math.max(most, share);
  }
  return sum - most;
}

function atMass(mass: number, target: Target): BoundValue {
  const hidden = condition('two users', `the others hide ${mass.toPrecision(3)}`, mass > 0);
  const conditions = [hidden, ...positiveDelta(target)];
  return underConditions(conditions, () => {
    const mu = Math.sqrt(2 / mass);
    if ('epsilon' in target) return gaussianDivergence(mu, target.epsilon);
    const profile = (epsilon: number): Interval => exactly(gaussianDivergence(mu, epsilon));
    return epsilonAtDelta(profile, target.delta, { relativeTolerance: 1e-10 }).upper;
  });
}

export const gaussianLimitBounds: readonly PersonalizedBound[] = [
  {
    name: 'ccc',
    source: 'Chen, Cao and Ge 2024, abstract',
    citation: 'chen2024',
    verdict: () => ({
      sound: false,
      reason:
        'a limit, not a bound; exceeded by one user of budget 0.5 among users of budget 2 with Laplace noise',
      counterexample: {
        command:
          'personalized --budgets "mixture(0.00003*constant(0.5),0.99997*constant(2))" --users 100000 --mechanism laplace --delta 1e-5',
        stated: 0.03628,
        atLeast: 0.2835,
      },
    }),
    at: (setting, target) => atMass(hidingMass(setting, 1), target),
  },
  {
    name: 'ccc-hps',
    source: 'Chen, Cao and Ge 2024, as in the program of Liu et al. 2024',
    citation: 'chen2024',
    verdict: () => ({
      sound: false,
      reason:
        'counts every hiding message twice; exceeded by randomized response on 3 values at equal budgets of 3',
      counterexample: {
        command: 'personalized --budgets "constant(3)" --users 1000 --mechanism grr --domain 3 --delta 1e-6',
        stated: 0.5919,
        atLeast: 0.7962,
      },
    }),
    at: (setting, target) => atMass(hidingMass(setting, 2), target),
  },
];
