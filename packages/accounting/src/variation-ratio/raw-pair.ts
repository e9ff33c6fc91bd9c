/** The variation-ratio pair by its parameters, for any mechanism that it is known to dominate. */
import {
  beyond,
  from,
  real,
  type Given,
  type MechanismCard,
  type ParameterValues,
  setByTarget,
} from '@shuffle-dp/core';

/**
 * No others' law has less room for the victim's two: each of them has mass beta / (1 - 1/p) at its largest.
 */
function leastRatio({ p, beta }: ParameterValues): number | undefined {
  return p && beta && Math.max(1, (2 * beta) / (1 - 1 / p)) * (1 + 1e-9);
}

export const RAW_PAIR: MechanismCard = {
  name: 'variation-ratio',
  title: 'A pair by its parameters',
  holds: 'anything',
  description: 'The variation-ratio pair itself, for any mechanism that it is known to dominate.',
  source: 'Wang et al., PVLDB 17(8), 2024, Definitions 4.1 and 4.2',
  citation: 'wang2024',
  parameters: [
    real(
      'p',
      beyond(1),
      from(Infinity, 'inf'),
      "largest ratio of the victim's two laws; inf for multi-message protocols",
    ),
    real(
      'beta',
      from(0),
      from(({ p }) => p && (p === Infinity ? 1 : (p - 1) / (p + 1)), '(p - 1) / (p + 1)'),
      "total variation of the victim's two laws",
    ),
    setByTarget(
      real('q', from(1), beyond(Infinity, 'inf'), "largest ratio of a victim's law to any other user's"),
      leastRatio,
      1e9,
    ),
  ],
  usersMean: "the victim's message and all that can hide it",
  ratios: { p: 'p', beta: 'beta', q: 'q' },
  estimator: 'none: a pair of laws, not a mechanism',
  example: { p: Infinity, beta: 1, q: 16 },
  model: (given: Given<'p' | 'beta' | 'q'>) => ({
    epsilon0: Infinity,
    amplification: { variationRatio: given, blanket: [], homogeneous: [] },
    parameters: given,
    pairOnly: true,
  }),
};
