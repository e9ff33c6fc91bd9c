/** Randomizers of one category a user. */
import {
  domainUpTo,
  EACH_USER,
  epsilon0,
  integer,
  optional,
  type MechanismEntry,
} from './mechanism-entry.ts';

/** C_v is the number of messages that support category v. */
const SUPPORT = "f_v = (C_v / n - ps') / (ps - ps')";

export const CATEGORY_MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'grr',
    title: 'Generalized randomized response',
    description:
      'The true category with probability e^epsilon0 / (e^epsilon0 + domain - 1), any other one otherwise.',
    source: 'Kairouz, Bonawitz and Ramage, ICML 2016',
    citation: 'kairouz2016',
    parameters: [epsilon0, domainUpTo(2 ** 21)],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: '(p - 1) / (p + d - 1)', q: 'p' },
    estimator: `${SUPPORT} with ps = p / (p + d - 1), ps' = 1 / (p + d - 1)`,
    example: { epsilon0: 1, domain: 16 },
  },
  {
    name: 'binary-rr',
    title: 'Symmetric unary encoding (RAPPOR)',
    description: 'One bit per category; every bit is flipped with probability 1 / (e^(epsilon0/2) + 1).',
    source: 'Erlingsson, Pihur and Korolova, CCS 2014; Duchi, Jordan and Wainwright, FOCS 2013',
    citation: 'erlingsson2014',
    parameters: [epsilon0, domainUpTo(2 ** 16)],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: '(e^(epsilon0/2) - 1) / (e^(epsilon0/2) + 1)', q: 'p' },
    estimator: `${SUPPORT} with ps = sqrt(p) / (sqrt(p) + 1), ps' = 1 - ps`,
    example: { epsilon0: 1, domain: 16 },
  },
  {
    name: 'oue',
    title: 'Optimized unary encoding',
    description:
      'One bit per category; the own bit is sent as a fair coin, the others with probability 1 / (e^epsilon0 + 1).',
    source: 'Wang, Blocki, Li and Jha, USENIX Security 2017',
    citation: 'wang2017',
    parameters: [epsilon0, domainUpTo(2 ** 16)],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: '(p - 1) / (2 (p + 1))', q: 'p' },
    estimator: `${SUPPORT} with ps = 1/2, ps' = 1 / (p + 1)`,
    example: { epsilon0: 1, domain: 16 },
  },
  {
    name: 'subset',
    title: 'Subset selection',
    description: 'A random subset of the categories that favours subsets with the own one.',
    source: 'Ye and Barg, IEEE Transactions on Information Theory 2018',
    citation: 'ye2018',
    parameters: [
      epsilon0,
      domainUpTo(2 ** 16),
      optional(
        integer(
          'subsetSize',
          'an integer from 1 to domain - 1',
          'categories in a message; default the best for one user',
        ),
      ),
    ],
    usersMean: EACH_USER,
    ratios: {
      p: 'e^epsilon0',
      beta: '(p - 1) C(d-2, k-1) / (p C(d-1, k-1) + C(d-1, k))',
      q: 'p',
    },
    estimator: `${SUPPORT} with ps = p k / (p k + d - k), ps' = ps (k-1)/(d-1) + (1-ps) k/(d-1)`,
    example: { epsilon0: 1, domain: 16, subsetSize: 4 },
  },
  {
    name: 'local-hash',
    title: 'Local hashing',
    description: 'The category is hashed by a random function, and the hash sent by randomized response.',
    source: 'Wang, Blocki, Li and Jha, USENIX Security 2017',
    citation: 'wang2017',
    parameters: [
      epsilon0,
      optional(
        integer(
          'hashRange',
          'a prime up to 65521',
          'number of buckets; default the prime nearest to e^epsilon0 + 1',
        ),
      ),
      optional(domainUpTo(2 ** 20, 'number of categories; default hash-range')),
    ],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: '(1 - 1/l) (p - 1) / (p + l - 1)', q: 'p' },
    estimator: `${SUPPORT} with ps = p / (p + l - 1), ps' = 1/l; a message supports the categories in its bucket`,
    example: { epsilon0: 1, hashRange: 3, domain: 16 },
  },
  {
    name: 'hadamard',
    title: 'Hadamard response',
    description:
      'A random column of a Hadamard matrix that favours those where the row of the category is +1.',
    source: 'Acharya, Sun and Zhang, AISTATS 2019',
    citation: 'acharya2019',
    parameters: [
      epsilon0,
      integer('order', 'a power of two from 4 to 1048576', 'order of the matrix'),
      optional(integer('support', 'order / (2 blocks)', 'indices that a category favours')),
      optional(integer('blocks', 'a power of two up to order / 2', 'blocks of the matrix; default 1')),
    ],
    usersMean: EACH_USER,
    ratios: {
      p: 'e^epsilon0',
      beta: 'with s = order / (2 blocks): s (p - 1) / (s p + order - s), of which one block has half',
      q: 'p',
    },
    estimator: `${SUPPORT} with ps = p / (p + 1), ps' = 1/2; all counts by one Walsh-Hadamard transform`,
    example: { epsilon0: 1, order: 16 },
  },
];
