/** Protocols in which messages that depend on no input hide the one that does. */
import {
  domainUpTo,
  integer,
  integerWithin,
  optional,
  parameter,
  type MechanismEntry,
} from './mechanism-entry.ts';

const BLANKETS_AND_VICTIM = "the victim's message and all blanket messages";
const bins = integerWithin('bins', 2, 2 ** 32, 'number of bins d');

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
      domainUpTo(2 ** 32, 'number of items'),
      parameter('blankets', '(0, inf)', 'expected blanket messages of a user'),
    ],
    usersMean: 'all users, each with blankets of their own',
    ratios: { p: 'inf', beta: 'rate', q: 'd rate ceil(m) / m for m blankets' },
    estimator: 'n_v = (C_v - n m / d) / rate',
    example: { rate: 0.5, domain: 16, blankets: 1 },
  },
  {
    name: 'balcer-cheu',
    title: 'Binary sums among coins',
    description: 'A bit in the clear among coins that show 1 with a known probability.',
    source: 'Balcer and Cheu, ITC 2020',
    citation: 'balcer2020',
    parameters: [parameter('coin', '(0, 1)', 'probability c that a blanket message is 1')],
    usersMean: BLANKETS_AND_VICTIM,
    ratios: { p: 'inf', beta: '1', q: 'max(1/c, 1/(1-c))' },
    estimator: 'the number of ones less c times the number of blanket messages',
    example: { coin: 0.25 },
  },
  {
    name: 'cheu-zhilyaev',
    title: 'Histograms from flipped bits',
    description: 'One-hot data, and rows of zeros from fake users, with every bit flipped.',
    source: 'Cheu and Zhilyaev, S&P 2022',
    citation: 'cheu2022',
    parameters: [parameter('flip', '(0, 1/2)', 'probability f that a bit is flipped')],
    usersMean: BLANKETS_AND_VICTIM,
    ratios: { p: '((1 - f) / f)^2', beta: '1 - 2 f', q: '(1 - f) / f' },
    estimator: 'n_v = (C_v - N f) / (1 - 2 f) for N messages in all',
    example: { flip: 0.25 },
  },
  {
    name: 'balls-into-bins',
    title: 'Balls into bins',
    description:
      'Data in the clear, in one of the bins that are special to its value, among uniform messages.',
    source: 'Luo, Wang and Yi, CCS 2022',
    citation: 'luo2022',
    parameters: [
      bins,
      optional(integer('special', 'an integer from 1 to bins / 2', 'bins of a value s; default 1')),
    ],
    usersMean: BLANKETS_AND_VICTIM,
    ratios: { p: 'inf', beta: '1', q: 'd / s' },
    estimator: 'for one special bin n_v = C_v - N / d, for N blanket messages',
    example: { bins: 16 },
  },
  {
    name: 'pure-dump',
    title: 'pureDUMP',
    description: 'Data in the clear among uniform messages.',
    source: 'Li et al., IEEE Transactions on Dependable and Secure Computing 2023',
    citation: 'li2023',
    parameters: [bins],
    usersMean: BLANKETS_AND_VICTIM,
    ratios: { p: 'inf', beta: '1', q: 'd' },
    estimator: 'n_v = C_v - N / d for N blanket messages',
    example: { bins: 16 },
  },
  {
    name: 'mix-dump',
    title: 'mixDUMP',
    description: 'Data by randomized response among uniform messages.',
    source: 'Li et al., IEEE Transactions on Dependable and Secure Computing 2023',
    citation: 'li2023',
    parameters: [parameter('flip', '(0, (bins - 1) / bins)', 'probability f that another bin is sent'), bins],
    usersMean: BLANKETS_AND_VICTIM,
    ratios: { p: '(1 - f)(d - 1) / f', beta: '1 - f - f / (d - 1)', q: '(1 - f) d' },
    estimator: "n_v = (C_v - N / d - n f') / (1 - f - f') with f' = f / (d - 1), for N blanket messages",
    example: { flip: 0.1, bins: 16 },
  },
];
