/** What holds of every randomizer with a local budget: the worst one. */
import { EPSILON0, Real, type Given, type MechanismCard, type MechanismModel } from '@shuffle-dp/core';
import { generalizedRandomizedResponse } from './categories/generalized-randomized-response.ts';
import { localRatios } from './laws/local-ratios.ts';

/** Domains of randomized response whose lower bounds stand for the worst randomizer of a budget. */
const WITNESS_DOMAINS = [2, 3, 4, 8, 32, 1024];

export const ANY_RANDOMIZER: MechanismCard = {
  name: 'general',
  title: 'Any randomizer',
  holds: 'anything',
  description: 'The worst randomizer with the given local budget.',
  source: 'Feldman, McMillan and Talwar, FOCS 2021',
  citation: 'fmt2021',
  parameters: [EPSILON0],
  ratios: { p: 'e^epsilon0', beta: '(p - 1) / (p + 1)', q: 'p' },
  estimator: 'that of the randomizer in use',
  example: { epsilon0: 1 },
  model: worstOfBudget,
};

/**
 * The worst randomizer is not known in full: from below it is at least as bad as randomized response over any
 * domain, from above the sound published bounds hold for all.
 */
function worstOfBudget({ epsilon0 }: Given<'epsilon0'>): MechanismModel {
  return {
    epsilon0,
    amplification: {
      variationRatio: localRatios(epsilon0, Real.tanh(epsilon0 / 2)),
      blanket: [],
      homogeneous: WITNESS_DOMAINS.flatMap(
        (domain) => generalizedRandomizedResponse({ epsilon0, domain }).amplification().homogeneous,
      ),
    },
    parameters: { epsilon0 },
  };
}
