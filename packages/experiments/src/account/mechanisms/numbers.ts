/** Randomizers of one number or one vector a user. */
import { EACH_USER, epsilon0, integer, parameter, type MechanismEntry } from './mechanism-entry.ts';

export const NUMBER_MECHANISMS: readonly MechanismEntry[] = [
  {
    name: 'laplace',
    title: 'Laplace mechanism',
    description: 'A number of a bounded range with Laplace noise.',
    source: 'Dwork, McSherry, Nissim and Smith, TCC 2006',
    citation: 'dwork2006',
    parameters: [epsilon0],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: '1 - e^(-epsilon0/2)', q: 'p' },
    estimator: 'the mean of the messages',
    example: { epsilon0: 1 },
  },
  {
    name: 'clip-laplace',
    title: 'Clip-Laplace mechanism',
    description: 'Laplace noise conditioned on the range of the values.',
    source: 'Liu et al., AAAI 2023 (APES)',
    citation: 'liu2023',
    parameters: [epsilon0],
    usersMean: EACH_USER,
    ratios: { p: 'e^epsilon0', beta: 'tanh(epsilon0/4)', q: 'p' },
    estimator: "the messages' mean, corrected by the mean function of the mechanism",
    example: { epsilon0: 1 },
  },
  {
    name: 'gaussian',
    title: 'Gaussian mechanism',
    description: 'A number in [0, 1] with normal noise.',
    source: 'Dwork et al., EUROCRYPT 2006',
    citation: 'dwork2006noise',
    parameters: [
      parameter('sigma', '[0.05, inf)', 'standard deviation of the noise; the values have range 1'),
    ],
    usersMean: EACH_USER,
    ratios: null,
    estimator: 'the mean of the messages',
    example: { sigma: 2 },
  },
  {
    name: 'vector-rr',
    title: 'Vector randomized response',
    description: 'A vector of bits, each kept or flipped on its own; with sampling, the bits that are sent.',
    source: 'Warner, JASA 1965, on every bit',
    citation: 'warner1965',
    parameters: [
      integer('bits', 'an integer from 1 to 32', 'bits in a message'),
      parameter('keepProbability', '(1/2, 1)', 'probability r that a bit is sent as it is'),
    ],
    usersMean: EACH_USER,
    ratios: { p: '(r / (1 - r))^s', beta: 'Pr[Bin(s, r) > s/2] - Pr[Bin(s, r) < s/2]', q: 'p' },
    estimator: 'per bit (C / n - (1 - r)) / (2 r - 1)',
    example: { bits: 8, keepProbability: 0.6 },
  },
];
