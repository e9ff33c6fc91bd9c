/** Randomizers of a set of items a user. */
import { domain, EACH_USER, epsilon0, integer, optional, type MechanismEntry } from './mechanism-entry.ts';

export const SET_MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'subset-exponential',
    title: 'Subset exponential mechanism',
    description: 'A random subset of the items that favours subsets with an own one; users hold sets.',
    source: 'Wang et al., INFOCOM 2018 (PrivSet)',
    citation: 'wang2018',
    parameters: [
      epsilon0,
      { ...domain, description: 'number of items' },
      integer('items', 'an integer of at least 1, below the domain', 'items a user'),
      optional(
        integer(
          'subsetSize',
          'an integer from 1 to domain - items',
          'items in a message; default the best for one user',
        ),
      ),
    ],
    usersMean: EACH_USER,
    ratios: {
      p: 'e^epsilon0',
      beta: '(p - 1) (C(d-s, k) - C(d-2s, k)) / (p (C(d, k) - C(d-s, k)) + C(d-s, k))',
      q: 'p',
    },
    estimator:
      "f_v = (C_v / n - ps') / (ps - ps') with the probabilities ps, ps' that an own and another item is sent",
    example: { epsilon0: 1, domain: 32, items: 4, subsetSize: 3 },
  },
];
