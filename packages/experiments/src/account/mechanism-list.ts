/** The mechanisms that `account` knows, as data: names, parameters with ranges, and sources. Imports nothing heavy. */

export interface MechanismParameter {
  /** As in JSON: 'subsetSize'; the flag is --subset-size. */
  readonly name: string;
  readonly range: string;
  readonly integer: boolean;
  readonly required: boolean;
  readonly description: string;
}

export interface MechanismEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly source: string;
  readonly parameters: readonly MechanismParameter[];
  /** What --users counts. */
  readonly usersMean: string;
}

const epsilon0 = parameter('epsilon0', '(0, inf)', 'local budget in nats');
const domain = integer('domain', 'an integer of at least 2', 'number of categories');
const EACH_USER = 'all users, one message each';

function parameter(name: string, range: string, description: string): MechanismParameter {
  return { name, range, integer: false, required: true, description };
}

function integer(name: string, range: string, description: string): MechanismParameter {
  return { ...parameter(name, range, description), integer: true };
}

function optional(known: MechanismParameter): MechanismParameter {
  return { ...known, required: false };
}

export const MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'general',
    title: 'Any randomizer',
    description: 'Whatever randomizer with the given local budget is the worst.',
    source: 'Feldman, McMillan and Talwar, FOCS 2021',
    parameters: [epsilon0],
    usersMean: EACH_USER,
  },
  {
    name: 'grr',
    title: 'Generalized randomized response',
    description:
      'The true category with probability e^epsilon0 / (e^epsilon0 + domain - 1), any other one otherwise.',
    source: 'Kairouz, Bonawitz and Ramage, ICML 2016',
    parameters: [epsilon0, domain],
    usersMean: EACH_USER,
  },
  {
    name: 'binary-rr',
    title: 'Symmetric unary encoding (RAPPOR)',
    description: 'One bit per category; every bit is flipped with probability 1 / (e^(epsilon0/2) + 1).',
    source: 'Erlingsson, Pihur and Korolova, CCS 2014',
    parameters: [epsilon0, domain],
    usersMean: EACH_USER,
  },
  {
    name: 'oue',
    title: 'Optimized unary encoding',
    description:
      'One bit per category; the own bit is sent as a fair coin, the others with probability 1 / (e^epsilon0 + 1).',
    source: 'Wang, Blocki, Li and Jha, USENIX Security 2017',
    parameters: [epsilon0, domain],
    usersMean: EACH_USER,
  },
  {
    name: 'subset',
    title: 'Subset selection',
    description: 'A random subset of the categories that favours subsets with the own one.',
    source: 'Ye and Barg, IEEE Transactions on Information Theory 2018',
    parameters: [
      epsilon0,
      domain,
      optional(
        integer(
          'subsetSize',
          'an integer from 1 to domain - 1',
          'categories in a message; default the best for one user',
        ),
      ),
    ],
    usersMean: EACH_USER,
  },
  {
    name: 'local-hash',
    title: 'Local hashing',
    description: 'The category is hashed by a random function, and the hash sent by randomized response.',
    source: 'Wang, Blocki, Li and Jha, USENIX Security 2017',
    parameters: [
      epsilon0,
      optional(
        integer('hashRange', 'a prime', 'number of buckets; default the prime nearest to e^epsilon0 + 1'),
      ),
      optional({ ...domain, description: 'number of categories; default hash-range' }),
    ],
    usersMean: EACH_USER,
  },
  {
    name: 'hadamard',
    title: 'Hadamard response',
    description:
      'A random column of a Hadamard matrix that favours those where the row of the category is +1.',
    source: 'Acharya, Sun and Zhang, AISTATS 2019',
    parameters: [
      epsilon0,
      integer('order', 'a power of two of at least 4', 'order of the matrix'),
      optional(integer('support', 'order / 2', 'columns that a category favours')),
      optional(integer('blocks', '1', 'blocks of the matrix')),
    ],
    usersMean: EACH_USER,
  },
  {
    name: 'laplace',
    title: 'Laplace mechanism',
    description: 'A number of a bounded range with Laplace noise.',
    source: 'Dwork, McSherry, Nissim and Smith, TCC 2006',
    parameters: [epsilon0],
    usersMean: EACH_USER,
  },
  {
    name: 'clip-laplace',
    title: 'Clip-Laplace mechanism',
    description: 'Laplace noise conditioned on the range of the values.',
    source: 'Liu et al., AAAI 2023 (APES)',
    parameters: [epsilon0],
    usersMean: EACH_USER,
  },
  {
    name: 'gaussian',
    title: 'Gaussian mechanism',
    description: 'A number in [0, 1] with normal noise.',
    source: 'Dwork et al., EUROCRYPT 2006',
    parameters: [
      parameter('sigma', '[0.05, inf)', 'standard deviation of the noise; the values have range 1'),
    ],
    usersMean: EACH_USER,
  },
  {
    name: 'subset-exponential',
    title: 'Subset exponential mechanism',
    description: 'A random subset of the items that favours subsets with an own one; users hold sets.',
    source: 'Wang et al., INFOCOM 2018 (PrivSet)',
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
  },
  {
    name: 'vector-rr',
    title: 'Vector randomized response',
    description: 'A vector of bits, each kept or flipped on its own; with sampling, the bits that are sent.',
    source: 'Warner, JASA 1965, on every bit',
    parameters: [
      integer('bits', 'an integer from 1 to 32', 'bits in a message'),
      parameter('keepProbability', '(1/2, 1)', 'probability that a bit is sent as it is'),
    ],
    usersMean: EACH_USER,
  },
  {
    name: 'poisson-blanket',
    title: 'Poisson blankets',
    description:
      'An item sent with probability `rate`, among uniform blanket messages, a Poisson number per user.',
    source: 'Wang et al. 2025 (segmented protocol), with Poisson blankets',
    parameters: [
      parameter('rate', '(0, 1]', 'probability that the item is sent'),
      { ...domain, description: 'number of items' },
      parameter('blankets', '(0, inf)', 'expected blanket messages of a user'),
    ],
    usersMean: 'all users, each with blankets of their own',
  },
  {
    name: 'variation-ratio',
    title: 'A pair by its parameters',
    description: 'The variation-ratio pair itself, for any mechanism that it is known to dominate.',
    source: 'Wang et al., PVLDB 17(8), 2024, Definitions 4.1 and 4.2',
    parameters: [
      parameter('p', '(1, inf]', "largest ratio of the victim's two laws; inf for multi-message protocols"),
      parameter('beta', '[0, (p - 1) / (p + 1)]', 'their total variation'),
      parameter('q', '[1, inf)', "largest ratio of a victim's law to any other user's"),
    ],
    usersMean: "the victim's message and all that can hide it",
  },
];

/** 'subsetSize' as on the command line: 'subset-size'. */
export function flagName(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}
