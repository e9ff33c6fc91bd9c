/** The variation-ratio pair by its parameters, for any mechanism that it is known to dominate. */
import { beyond, from, real, type Given, type MechanismCard } from '@shuffle-dp/core';

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
      'their total variation',
    ),
    real('q', from(1), beyond(Infinity, 'inf'), "largest ratio of a victim's law to any other user's"),
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
