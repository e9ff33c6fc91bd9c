/** Configs of `learn` and `forest` with a fault. */
import { faultyConfigs, type BadInput, type Fault } from './bad-input.ts';

const LEARNING = `name: small
seed: s
trials: 1
data: { kind: mnist }
users: 100
rounds: 2
usersPerRound: 10
learningRate: 0.5
clipBound: 0.1
budgets: uniform(0.05,1)
privacy: { delta: 1e-8, userDelta: 1e-5 }
frameworks: [{ kind: apes }]
`;

const LEARNING_FAULTS: Fault[] = [
  ['name: small', 'name: .', 'name = "."'],
  ['seed: s\n', '', 'seed is missing'],
  ['trials: 1', 'trials: 10001', 'trials = 10001'],
  ['trials: 1', 'trials: none', 'trials = "none"'],
  ['data: { kind: mnist }', 'data: mnist', 'data = "mnist"'],
  ['data: { kind: mnist }', 'data: { kind: cifar }', 'data.kind = "cifar": must be one of mnist, idx'],
  ['data: { kind: mnist }', 'data: { kind: idx }', 'data.folder is missing'],
  [
    'data: { kind: mnist }',
    'data: { kind: idx, folder: nowhere }',
    'train-images-idx3-ubyte: cannot be read',
  ],
  ['data: { kind: mnist }', 'data: { kind: mnist, folder: x }', 'data.folder = "x": is not a known field'],
  ['data: { kind: mnist }', 'data: { kind: mnist }\npixels: sharp', 'pixels = "sharp"'],
  ['users: 100', 'users: 0', 'users = 0'],
  ['users: 100', 'users: [100]', 'users = [100]'],
  ['users: 100', 'users: 5', 'usersPerRound = 10: must be at most users, 5'],
  ['users: 100', 'users: 900000', 'users = 900000: must be at most the training images, 60000'],
  ['rounds: 2', 'rounds: 0', 'rounds = 0'],
  ['rounds: 2', 'rounds: 100001', 'rounds = 100001'],
  ['usersPerRound: 10', 'usersPerRound: 0', 'usersPerRound = 0'],
  ['usersPerRound: 10\n', '', 'usersPerRound is missing'],
  ['learningRate: 0.5', 'learningRate: 0', 'learningRate = 0'],
  ['learningRate: 0.5', 'learningRate: .inf', 'learningRate = Infinity'],
  ['clipBound: 0.1', 'clipBound: -1', 'clipBound = -1'],
  ['budgets: uniform(0.05,1)', 'budgets: 1', 'budgets = 1'],
  ['budgets: uniform(0.05,1)', 'budgets: uniform(1)', 'budgets = "uniform(1)"'],
  ['budgets: uniform(0.05,1)', 'budgets: uniform(1,0.5)', 'budgets = "uniform(1,0.5)"'],
  ['budgets: uniform(0.05,1)', 'budgets: normal(0,1)', 'budgets = "normal(0,1)"'],
  ['budgets: uniform(0.05,1)', 'budgets: constant(0)', 'budgets = "constant(0)"'],
  ['budgets: uniform(0.05,1)', 'budgets: mixture(0.5*constant(1))', 'weights sum to 0.5'],
  ['budgets: uniform(0.05,1)', 'budgets: uniform(0.05,1)\nbudgetLevels: 0', 'budgetLevels = 0'],
  [
    'privacy: { delta: 1e-8, userDelta: 1e-5 }',
    'privacy: 1',
    'privacy = 1: must be a group of fields: delta, userDelta',
  ],
  ['delta: 1e-8', 'delta: 0', 'privacy.delta = 0'],
  ['userDelta: 1e-5', 'userDelta: 1', 'privacy.userDelta = 1'],
  [', userDelta: 1e-5', '', 'privacy.userDelta is missing'],
  ['frameworks: [{ kind: apes }]\n', '', 'frameworks is missing'],
  ['[{ kind: apes }]', '[]', 'frameworks = []'],
  ['[{ kind: apes }]', '[apes]', 'frameworks[0] = "apes": must be a group of fields'],
  ['kind: apes', 'kind: fedavg', 'frameworks[0].kind = "fedavg"'],
  ['kind: apes', 'kind: s-apes', 'frameworks[0].keptShare is missing'],
  ['kind: apes', 'kind: s-apes, keptShare: 0', 'frameworks[0].keptShare = 0'],
  ['kind: apes', 'kind: apes, keptShare: 0.5', 'frameworks[0].keptShare = 0.5: must be left out'],
  ['kind: apes', 'kind: apes, label: "\\e]0;x"', 'frameworks[0].label'],
  ['kind: apes', 'kind: apes, clipBound: 0', 'frameworks[0].clipBound = 0'],
];

const FOREST = `name: small
seed: s
trials: 1
data: { kind: mixture, users: 100, attributes: 3 }
height: 2
messagesPerUser: 4
privacy: { delta: 0.01/n }
`;

const FOREST_FAULTS: Fault[] = [
  ['name: small', 'name: a b', 'name = "a b"'],
  ['trials: 1', 'trials: 0', 'trials = 0'],
  ['trials: 1', 'trials: 1\nsimulation: fast', 'simulation = "fast"'],
  ['kind: mixture', 'kind: mixtures', 'data.kind = "mixtures"'],
  [
    'data: { kind: mixture, users: 100, attributes: 3 }',
    'data: 5',
    'data = 5: must be mixture, or csv with a path',
  ],
  ['users: 100', 'users: 1', 'data.users = 1'],
  ['users: 100', 'users: 10000000, arity: 257', 'data.arity = 257'],
  [
    'users: 100, attributes: 3',
    'users: 10000000, attributes: 1000',
    'data.users = 10000000: must be at most 268435 with 1000 attributes',
  ],
  ['attributes: 3', 'attributes: 0', 'data.attributes = 0'],
  ['attributes: 3', 'attributes: 3, classes: 1', 'data.classes = 1'],
  ['attributes: 3', 'attributes: 3, patterns: 0', 'data.patterns = 0'],
  ['attributes: 3', 'attributes: 3, clarity: 1.5', 'data.clarity = 1.5'],
  ['kind: mixture, users: 100, attributes: 3', 'kind: csv', 'data.path is missing'],
  ['kind: mixture, users: 100, attributes: 3', 'kind: csv, path: t.csv', 'data.classColumn is missing'],
  [
    'kind: mixture, users: 100, attributes: 3',
    'kind: csv, path: t.csv, classColumn: -1',
    'data.classColumn = -1',
  ],
  [
    'kind: mixture, users: 100, attributes: 3',
    'kind: csv, path: t.csv, classColumn: 0',
    't.csv: cannot be read: no such file',
  ],
  [
    'kind: mixture, users: 100, attributes: 3',
    'kind: csv, path: /dev/zero, classColumn: 0',
    '/dev/zero: is no plain file',
  ],
  ['height: 2', 'height: 0', 'height = 0'],
  ['height: 2', 'height: 4', 'height = 4: must be at most the attributes, 3'],
  ['height: 2', 'height: 33', 'height = 33'],
  ['height: 2\n', '', 'height is missing'],
  ['height: 2', 'height: 2\ntrees: 0', 'trees = 0'],
  ['height: 2', 'height: 2\nattributesPerTree: 9', 'attributesPerTree'],
  ['height: 2', 'height: 2\nattributeChoice: all', 'attributeChoice = "all"'],
  ['height: 2', 'height: 2\nminimumUsers: 0', 'minimumUsers = 0'],
  ['height: 2', 'height: 2\ncaution: -1', 'caution = -1'],
  ['height: 2', 'height: 2\ntestShare: 1', 'testShare = 1'],
  ['messagesPerUser: 4', 'messagesPerUser: 1', 'messagesPerUser = 1'],
  ['messagesPerUser: 4', 'messagesPerUser: [4, 4]', 'messagesPerUser[1] = 4: must be listed once'],
  ['messagesPerUser: 4', 'messagesPerUser: 4\nepsilon: 1', 'exactly one of messagesPerUser and epsilon'],
  ['messagesPerUser: 4\n', '', 'exactly one of messagesPerUser and epsilon'],
  ['messagesPerUser: 4', 'epsilon: 0', 'epsilon = 0'],
  ['messagesPerUser: 4', 'epsilon: [1, 1]', 'epsilon[1] = 1: must be listed once'],
  ['delta: 0.01/n', 'delta: n', 'privacy.delta = "n"'],
  ['delta: 0.01/n', 'delta: 0.01/d', 'privacy.delta = "0.01/d"'],
  ['privacy: { delta: 0.01/n }', 'privacy: {}', 'privacy.delta is missing'],
  ['privacy: { delta: 0.01/n }', 'privacy: x', 'privacy = "x": must be a group of fields: delta'],
];

export const TRAINING_CONFIGS: readonly BadInput[] = [
  ...faultyConfigs(['learn'], LEARNING, LEARNING_FAULTS),
  ...faultyConfigs(['forest'], FOREST, FOREST_FAULTS),
];
