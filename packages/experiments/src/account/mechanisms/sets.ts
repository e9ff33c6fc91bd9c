/** Randomizers of a set of items a user. */
import {
  domainUpTo,
  EACH_USER,
  epsilon0,
  integer,
  optional,
  parameter,
  type MechanismEntry,
} from './mechanism-entry.ts';

const items = integer('items', 'an integer of at least 1, below the domain', 'items a user');
const itemDomain = domainUpTo(2 ** 16, 'number of items');
const anyDomain = optional(domainUpTo(2 ** 16, 'number of items; default 65536'));
const SUPPORT = "f_v = (C_v / n - ps') / (ps - ps')";

export const SET_MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'subset-exponential',
    title: 'Subset exponential mechanism',
    description: 'A random subset of the items that favours subsets with an own one; users hold sets.',
    source: 'Wang et al., INFOCOM 2018 (PrivSet)',
    citation: 'wang2018',
    parameters: [
      epsilon0,
      itemDomain,
      items,
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
    estimator: `${SUPPORT} with the probabilities ps, ps' that an own and another item is sent`,
    example: { epsilon0: 1, domain: 32, items: 4, subsetSize: 3 },
  },
  {
    name: 'wheel',
    title: 'Wheel',
    description:
      'Every item gets a random arc of a circle; the user sends a point that lies rather in the arcs of the own items.',
    source: 'Wang et al., PVLDB 13(8), 2020',
    citation: 'wang2020',
    parameters: [
      epsilon0,
      items,
      optional(
        parameter('length', '[2^-20, 1/items)', 'length of an arc in turns; default the best for one user'),
      ),
      anyDomain,
    ],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: 's a (p - 1) / (s a p + 1 - s a) for arcs a with 2 s a <= 1', q: 'p' },
    estimator: `${SUPPORT} with ps = a p / (s a p + 1 - s a), ps' = a; a message supports the items whose arcs it hits`,
    example: { epsilon0: 1, items: 4, length: 0.0625 },
  },
  {
    name: 'collision',
    title: 'Collision',
    description:
      'A random function sorts items into buckets; the user sends rather a bucket with an own item.',
    source: 'Wang et al., IJCAI 2021',
    citation: 'wang2021',
    parameters: [
      epsilon0,
      items,
      optional(
        integer(
          'buckets',
          'an integer above items, up to 2097152',
          'number of buckets; default the best for one user',
        ),
      ),
      anyDomain,
    ],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: 's (p - 1) / (s p + l - s) for l >= 2 s buckets', q: 'p' },
    estimator: `${SUPPORT} with ps = p / (s p + l - s), ps' = 1/l; a message supports the items in its bucket`,
    example: { epsilon0: 1, items: 4, buckets: 20 },
  },
  {
    name: 'sampled-rappor',
    title: 'Sampled RAPPOR',
    description: 'One item, drawn from the padded set, by symmetric unary encoding.',
    source: 'Qin et al., CCS 2016',
    citation: 'qin2016',
    parameters: [
      epsilon0,
      itemDomain,
      integer('items', 'an integer from 1 to 256, below the domain', 'items a user'),
    ],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: '(s/d) (e^(epsilon0/2) - 1) / (e^(epsilon0/2) + 1)', q: 'p' },
    estimator: `${SUPPORT} with the probabilities ps, ps' that the bit of an own and of another item is sent`,
    example: { epsilon0: 1, domain: 32, items: 4 },
  },
  {
    name: 'pckv-grr',
    title: 'PCKV by randomized response',
    description: 'One key-value pair, drawn from those of the user, by correlated randomized response.',
    source: 'Gu et al., USENIX Security 2020',
    citation: 'gu2020',
    parameters: [epsilon0, domainUpTo(2 ** 20, 'number of keys'), { ...items, description: 'pairs a user' }],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: 's (p - 1) / (s p + 2 d - s)', q: 'p' },
    estimator: `${SUPPORT} for keys with ps = (p + 1) / (s p + 2 d - s), ps' = 2 / (s p + 2 d - s)`,
    example: { epsilon0: 1, domain: 32, items: 4 },
  },
];
