/** Configs of sets with a fault. */
import { faultyConfigs, numbers, type BadInput, type Fault } from './bad-input.ts';

export const SETS = `name: small
seed: s
adjacency: replace-one
trials: 2
data: { kind: sets-zipf, domain: 9, items: 3 }
users: [40, 50]
privacy: { levels: [1, 2], shares: [0.5, 0.5], delta: 0.01/n }
protocols: [{ kind: segmented, blanketRate: 2 }]
`;

const SET_FAULTS: Fault[] = [
  ['items: 3', 'items: 0', 'data.items = 0'],
  ['items: 3', 'items: 10', 'data.items = 10: must be at most the domain, 9'],
  ['items: 3', 'items: 2.5', 'data.items = 2.5'],
  [', items: 3', '', 'data.items is missing'],
  ['domain: 9', 'domain: 65536', 'data.domain = 65536: must be an integer from 2 to 65535'],
  ['items: 3', 'items: 3, exponent: 1e5', 'data.items'],
  ['kind: sets-zipf, domain: 9', 'kind: msnbc-like, padding: never', 'data.padding = "never"'],
  ['kind: sets-zipf, domain: 9, items: 3', 'kind: msnbc-like, items: 18', 'data.items = 18'],
  ['levels: [1, 2]', 'levels: [2, 1]', 'privacy.levels[1] = 1: must be greater'],
  ['levels: [1, 2]', 'levels: [1, 1]', 'privacy.levels[1] = 1'],
  ['levels: [1, 2]', 'levels: []', 'privacy.levels = []'],
  ['levels: [1, 2]', 'levels: 1', 'privacy.levels = 1'],
  ['levels: [1, 2]', 'levels: [1, -2]', 'privacy.levels[1] = -2'],
  ['levels: [1, 2], ', '', 'privacy.levels is missing'],
  [', shares: [0.5, 0.5]', '', 'privacy.shares is missing'],
  ['shares: [0.5, 0.5]', 'shares: [0.5, 0.6]', 'privacy.shares = [0.5,0.6]: must be numbers that sum to 1'],
  ['shares: [0.5, 0.5]', 'shares: [1]', 'privacy.shares = [1]: must be a list of 2'],
  ['shares: [0.5, 0.5]', 'shares: [1.5, -0.5]', 'privacy.shares[1] = -0.5'],
  ['shares: [0.5, 0.5]', 'shares: half', 'privacy.shares = "half"'],
  ['levels: [1, 2]', 'levels: [1, 2], epsilon: 1', 'privacy.epsilon = 1: must be left out'],
  ['delta: 0.01/n', 'delta: 3/s', 'privacy.delta'],
  ['trials: 2', 'trials: 2\nmeasure: ranges', 'measure = "ranges"'],
  ['users: [40, 50]', 'users: [40, 1e13]', 'users[1] = 10000000000000'],
  [
    'kind: segmented, blanketRate: 2',
    'kind: frequency, randomizer: grr',
    'protocols[0].kind = "frequency": must be a protocol for set-valued data',
  ],
  ['blanketRate: 2', 'blanketRate: best', 'protocols[0].blanketRate = "best"'],
  [
    'blanketRate: 2',
    `blanketRate: [${numbers(200)}], slots: [${numbers(400).slice(numbers(200).length + 1)}]`,
    'cells: at most 20000 are run at a time',
  ],
  ['blanketRate: 2', 'blanketRate: [1, 1]', 'protocols[0].blanketRate[1] = 1: must be listed once'],
  ['blanketRate: 2', 'blankets: uniform', 'protocols[0].blankets = "uniform"'],
  ['blanketRate: 2', 'blankets: paper, accounting: exact', 'protocols[0].blankets = "paper"'],
  ['blanketRate: 2', 'blankets: negative-binomial, accounting: published', 'protocols[0].accounting'],
  ['blanketRate: 2', 'successProbability: 0.5', 'protocols[0].successProbability = 0.5: must be left out'],
  [
    'blanketRate: 2',
    'blankets: negative-binomial, successProbability: 1',
    'protocols[0].successProbability = 1',
  ],
  ['blanketRate: 2', 'levelEpsilon: -1', 'protocols[0].levelEpsilon = -1'],
  ['kind: segmented, blanketRate: 2', 'kind: subexp-local, subsetSize: 1.5', 'protocols[0].subsetSize = 1.5'],
  ['kind: segmented, blanketRate: 2', 'kind: subexp-shuffled, epsilon: 0', 'protocols[0].epsilon = 0'],
  [
    'kind: segmented, blanketRate: 2',
    'kind: weighted-sep-mm, weights: cubic',
    'protocols[0].weights = "cubic"',
  ],
];

export const SET_CONFIGS: readonly BadInput[] = faultyConfigs(['compare'], SETS, SET_FAULTS);
