/** Protocols in which messages that depend on no input hide the one that does. */
import { domain, parameter, type MechanismEntry } from './mechanism-entry.ts';

export const MULTI_MESSAGE_MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'poisson-blanket',
    title: 'Poisson blankets',
    description:
      'An item sent with probability `rate`, among uniform blanket messages, a Poisson number per user.',
    source: 'Wang et al. 2025 (segmented protocol), with Poisson blankets',
    citation: 'wang2025segmented',
    parameters: [
      parameter('rate', '(0, 1]', 'probability that the item is sent'),
      { ...domain, description: 'number of items' },
      parameter('blankets', '(0, inf)', 'expected blanket messages of a user'),
    ],
    usersMean: 'all users, each with blankets of their own',
    ratios: { p: 'inf', beta: 'rate', q: 'd rate ceil(m) / m for m blankets' },
    estimator: 'n_v = (C_v - n m / d) / rate',
    example: { rate: 0.5, domain: 16, blankets: 1 },
  },
];
