/** Configs of `run` and `compare` with a fault. */
import { edited, faultyConfigs, numbers, type BadInput, type Fault } from './bad-input.ts';

export const CATEGORIES = `name: small
seed: s
adjacency: replace-one
trials: 2
data: { kind: categories-zipf, domain: 4, exponent: 1 }
users: 40
privacy: { epsilon: 1, delta: 0.01 }
protocols: [{ kind: frequency, randomizer: grr }]
`;

const ESCAPE = '\\x1b[31m';

const NAMES: Fault[] = [
  ['grr }', 'grr, label: A }, { kind: pure-dump, label: A }', 'protocols[1].label = "A": must be a label'],
  ['seed: s', 'seed: s\nthreats: []', 'threats = []: must be a list of at least one setting'],
  ['name: small', 'name: __proto__', 'name = "__proto__": must be a letter or digit'],
  ['name: small', 'name: -rf', 'name = "-rf"'],
  ['name: small', 'name: ../up', 'name = "../up"'],
  ['name: small', 'name: ""', 'name = ""'],
  ['name: small', 'name: 7', 'name = 7'],
  ['name: small', 'name: [a]', 'name = ["a"]'],
  ['name: small', `name: ${'x'.repeat(300)}`, 'at most 200 characters'],
  ['name: small', 'name: "a\\nb"', 'name = "a\\nb"'],
  ['name: small\n', '', 'name is missing'],
  ['name: small', 'Name: small', 'Name'],
  ['seed: s\n', '', 'seed is missing'],
  ['seed: s', 'seed:', 'seed = null'],
  ['seed: s', 'seed: -1', 'seed = -1'],
  ['seed: s', 'seed: 1.5', 'seed = 1.5'],
  ['seed: s', 'seed: 9007199254740993', '9007199254740993 is too large for a whole number'],
  ['seed: s', 'seed: -3', 'a whole number from 0 to 9007199254740991'],
  ['seed: s', `seed: "a${ESCAPE}"`, 'without control characters'],
  ['seed: s', 'seed: ""', 'seed = ""'],
  ['seed: s', 'seed: [1, 2]', 'seed = [1,2]'],
  ['seed: s', 'seed: { a: 1 }', 'seed = {"a":1}'],
  ['seed: s', 'seed: true', 'seed = true'],
  ['seed: s', 's\u0007eed: s', 's'],
  ['seed: s', 'seed: s\nquestion: 5', 'question = 5'],
  ['seed: s', `seed: s\nquestion: "why${ESCAPE}"`, 'question'],
  ['seed: s', 'seed: s\nquestion: "\\u202E"', 'question'],
  ['seed: s', 'seed: s\n$schema: 5', '$schema = 5: must be a text'],
  ['seed: s', 'seed: s\n$schema: {}', '$schema = {}: must be a text'],
];

const DOCUMENTS: Fault[] = [
  ['seed: s', 'seed: !foo s', '!foo has no meaning here'],
  ['seed: s', 'seed: !!binary aGVsbG8=', '!!binary has no meaning here'],
  ['seed: s', 'seed: s\nseed: t', 'seed is given twice'],
  ['seed: s', 'seed: s\nfoo: 1', 'foo = 1: is not a known field'],
  ['seed: s', 'seed: s\nsed: 1', 'did you mean seed?'],
  ['seed: s', 'seed: s\n"a\\nb": 1', 'a\\u000ab = 1: is not a known field'],
  ['seed: s', 'seed: s\n__proto__: { a: 1 }', '__proto__'],
  ['seed: s', 'seed: s\nconstructor: 1', 'constructor = 1'],
  ['seed: s', 'seed: s\n? [a, b]\n: 1', 'line 3'],
  ['seed: s', 'seed: *nowhere', '*nowhere stands for nothing'],
  ['seed: s', 'seed: &s [*s]', 'line 2, column 11: an alias stands inside what it stands for'],
  ['seed: s', 'seed: "s', 'line'],
  ['seed: s', 'seed: s\n---\nseed: t', 'a second document begins'],
  ['seed: s', '\tseed: s', 'line 2'],
  ['seed: s', 'seed: s: t', 'line 2'],
  ['seed: s', 'seed: @s', 'line 2'],
  ['seed: s', `seed: ${'['.repeat(20_000)}`, 'c.yaml'],
  ['seed: s', `seed: ${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`, 'c.yaml'],
  ['seed: s', `seed: s # ${'x'.repeat(1_100_000)}`, 'is too long: a config has at most 1048576 bytes'],
];

const ADJACENCY: Fault[] = [
  ['adjacency: replace-one\n', '', 'adjacency is missing'],
  ['replace-one', 'add-remove', 'adjacency = "add-remove": must be \'replace-one\''],
  ['replace-one', '[replace-one]', 'adjacency'],
  ['adjacency', 'adjacancy', 'did you mean adjacency?'],
];

const TRIALS: Fault[] = [
  ['trials: 2', 'trials: 0', 'trials = 0'],
  ['trials: 2', 'trials: -3', 'trials = -3'],
  ['trials: 2', 'trials: 2.5', 'trials = 2.5'],
  ['trials: 2', 'trials: "2"', 'trials = "2"'],
  ['trials: 2', 'trials: .inf', 'trials = Infinity'],
  ['trials: 2', 'trials: .nan', 'trials = NaN'],
  ['trials: 2', 'trials: 1000001', 'trials = 1000001: must be an integer from 1 to 1000000'],
  ['trials: 2', 'trials: 1e300', 'trials'],
  ['trials: 2', 'trials: [1, 2]', 'trials = [1,2]'],
  ['trials: 2\n', '', 'trials is missing'],
  ['trials: 2', 'trials: 2\nsimulation: quick', 'simulation = "quick": must be one of aggregated, messages'],
  ['trials: 2', 'trials: 2\npostprocess: smooth', 'postprocess = "smooth"'],
  ['trials: 2', 'trials: 2\nmeasure: median', 'measure = "median"'],
  ['trials: 2', 'trials: 2\nmeasure: 3', 'measure = 3'],
];

const USERS: Fault[] = [
  ['users: 40', 'users: 0', 'users = 0'],
  ['users: 40', 'users: -1', 'users = -1'],
  ['users: 40', 'users: 1.5', 'users = 1.5'],
  ['users: 40', 'users: 1e13', 'users = 10000000000000'],
  ['users: 40', 'users: []', 'users = []'],
  ['users: 40', 'users: [10, 10]', 'users[1] = 10: must be listed once'],
  ['users: 40', 'users: [10, x]', 'users[1] = "x"'],
  ['users: 40', 'users: all', 'users = "all": must be a number'],
  ['users: 40', 'users: [[10]]', 'users[0] = [10]'],
  ['users: 40', 'users: { n: 10 }', 'users = {"n":10}'],
  ['users: 40\n', '', 'users is missing'],
  ['users: 40', `users: [${numbers(30_000)}]`, 'a list of at most 20000'],
  ['users: 40', 'users: 1e11\nsimulation: messages', 'users = 100000000000: must be at most 10000000000'],
];

const CATEGORY_DATA: Fault[] = [
  [
    'domain: 4',
    'domain: 9007199254740991',
    'data.domain = 9007199254740991: must be an integer from 2 to 4194304',
  ],
  ['domain: 4', 'domain: 1e9', 'data.domain = 1000000000'],
  ['domain: 4', 'domain: 4194305', 'data.domain = 4194305'],
  ['domain: 4', 'domain: 1', 'data.domain = 1'],
  ['domain: 4', 'domain: -4', 'data.domain = -4'],
  ['domain: 4', 'domain: four', 'data.domain = "four"'],
  ['domain: 4', 'domain: [4, 8]', 'data.domain = [4,8]'],
  ['domain: 4, ', '', 'data.domain is missing'],
  ['exponent: 1', 'exponent: -1', 'data.exponent = -1'],
  ['exponent: 1', 'exponent: .inf', 'data.exponent = Infinity'],
  ['exponent: 1', 'exponant: 1', 'did you mean exponent?'],
  ['exponent: 1', 'items: 3', 'data.items = 3: is not a known field'],
  ['kind: categories-zipf', 'kind: categories-zip', 'did you mean categories-zipf?'],
  ['kind: categories-zipf, ', '', 'data.kind is missing'],
  ['data: { kind: categories-zipf, domain: 4, exponent: 1 }', 'data: 7', 'data = 7: must be a data set'],
  ['data: { kind: categories-zipf, domain: 4, exponent: 1 }', 'data: []', 'data = []'],
  ['data: { kind: categories-zipf, domain: 4, exponent: 1 }\n', '', 'data is missing'],
  ...(
    [
      ['shares, shares: [0, 0]', 'data.shares = [0,0]: must be numbers that are not all zero'],
      ['shares, shares: [1]', 'data.shares = [1]: must be a list of 2 to 20000 numbers'],
      ['shares, shares: [1, -1]', 'data.shares[1] = -1'],
      ['shares, shares: [1, 2], names: [a]', 'data.names = ["a"]: must be as many as shares, 2'],
      ['gaussian-bump, domain: 4, width: 0', 'data.width = 0'],
      ['gaussian-bump, domain: 4, width: 1e9', 'data.width'],
      ['gaussian-bump, domain: 4, centre: 2', 'data.centre = 2'],
    ] as const
  ).map(([other, why]): Fault => [
    'kind: categories-zipf, domain: 4, exponent: 1',
    `kind: categories-${other}`,
    why,
  ]),
  [
    'data: { kind: categories-zipf, domain: 4, exponent: 1 }',
    'data: &d { kind: *d }',
    'an alias stands inside what it stands for',
  ],
];

const PRIVACY: Fault[] = [
  ['privacy: { epsilon: 1, delta: 0.01 }\n', '', 'privacy is missing'],
  [
    'privacy: { epsilon: 1, delta: 0.01 }',
    'privacy: 3',
    'privacy = 3: must be a group of fields: levels, shares, epsilon, accounting, delta',
  ],
  ['privacy: { epsilon: 1, delta: 0.01 }', 'privacy: [1]', 'privacy = [1]: must be a group of fields'],
  ['privacy: { epsilon: 1, delta: 0.01 }', 'privacy:', 'privacy = null: must be a group of fields'],
  [
    'privacy: { epsilon: 1, delta: 0.01 }\nprotocols: [{ kind: frequency, randomizer: grr }]',
    'privacy: { delta: 0.01 }\nprotocols: [{ kind: two-sided-geometric-dummies }]',
    'privacy.epsilon is missing: must be given: it sets the noise of two-sided-geometric-dummies',
  ],
  ['epsilon: 1', 'epsilon: 0', 'privacy.epsilon = 0'],
  ['epsilon: 1', 'epsilon: -1', 'privacy.epsilon = -1'],
  ['epsilon: 1', 'epsilon: .inf', 'privacy.epsilon = Infinity'],
  ['epsilon: 1', 'epsilon: [1, 1]', 'privacy.epsilon[1] = 1: must be listed once'],
  ['epsilon: 1', 'epsilon: []', 'privacy.epsilon = []'],
  ['epsilon: 1', 'epsilon: big', 'privacy.epsilon = "big"'],
  ['epsilon: 1, ', '', 'protocols[0].epsilon0 is missing'],
  ['epsilon: 1', 'levels: [1]', 'privacy.levels = [1]: must be left out'],
  ['epsilon: 1', 'epsilon: 1, shares: [1]', 'privacy.shares = [1]: must be left out'],
  ['epsilon: 1', 'epsilom: 1', 'did you mean epsilon?'],
  ['delta: 0.01', 'delta: 0', 'privacy.delta = 0'],
  ['delta: 0.01', 'delta: 1', 'privacy.delta = 1'],
  ['delta: 0.01', 'delta: -0.1', 'privacy.delta = -0.1'],
  ['delta: 0.01', 'delta: ""', 'privacy.delta = ""'],
  ['delta: 0.01', 'delta: [0.01]', 'privacy.delta = [0.01]'],
  ['delta: 0.01', 'delta: 1/', 'privacy.delta = "1/"'],
  ['delta: 0.01', 'delta: 1/m', "'m' is none of n, d, s"],
  ['delta: 0.01', 'delta: 1/(n', 'privacy.delta'],
  ['delta: 0.01', 'delta: n', 'privacy.delta = "n": must be in (0, 1); it is 40'],
  ['delta: 0.01', 'delta: log(0)', 'privacy.delta'],
  ['delta: 0.01', 'delta: 0/0', 'privacy.delta'],
  ['delta: 0.01', 'delta: min(1)', 'min takes 2 values, not 1'],
  ['delta: 0.01', 'delta: process.exit(1)', 'privacy.delta'],
  ['delta: 0.01', `delta: 0.01/n${'+0'.repeat(20_000)}`, 'an expression of at most 500 characters'],
  ['delta: 0.01', `delta: ${'('.repeat(200)}0.01${')'.repeat(200)}`, 'nested too deeply'],
  ['delta: 0.01', `delta: ${'-'.repeat(300)}0.01`, 'nested too deeply'],
  ['delta: 0.01', `delta: "${'2^'.repeat(200)}2"`, 'privacy.delta'],
  ['delta: 0.01', 'delta: "0.01\\n"', 'privacy.delta'],
  [', delta: 0.01', '', 'privacy.delta is missing'],
];

const PROTOCOLS: Fault[] = [
  ['protocols: [{ kind: frequency, randomizer: grr }]\n', '', 'protocols is missing'],
  ['[{ kind: frequency, randomizer: grr }]', '[]', 'protocols = []'],
  ['[{ kind: frequency, randomizer: grr }]', '{ kind: frequency }', 'protocols'],
  ['[{ kind: frequency, randomizer: grr }]', '[grr]', 'protocols[0]'],
  ['[{ kind: frequency, randomizer: grr }]', '[null]', 'protocols[0]'],
  ['kind: frequency', 'kind: frequencies', 'did you mean frequency?'],
  ['kind: frequency', 'kind: oue', 'did you mean kind: frequency with randomizer: oue?'],
  ['kind: frequency', 'kind: sep', 'did you mean sep-mm or weighted-sep-mm?'],
  ['kind: frequency, ', '', 'protocols[0].kind is missing'],
  ['kind: frequency', 'kind: segmented', 'protocols[0]'],
  [
    'kind: frequency, randomizer: grr',
    'kind: segmented',
    'protocols[0].kind = "segmented": must be a protocol for categories',
  ],
  ['randomizer: grr', 'randomizer: rappor', 'protocols[0].randomizer = "rappor"'],
  ['randomizer: grr', 'randomizer: [grr, grr]', 'protocols[0].randomizer[1] = "grr": must be listed once'],
  ['randomizer: grr', 'randomizer: [grr, 3]', 'protocols[0].randomizer[1] = 3'],
  ['randomizer: grr', 'randomizer: grr, epsilon0: 1', 'protocols[0].epsilon0 = 1: must be left out'],
  ['randomizer: grr', 'randomizer: grr, epsilon0: 0', 'protocols[0].epsilon0 = 0'],
  [
    'randomizer: grr',
    'randomizer: grr, label: "a\\nb"',
    'protocols[0].label = "a\\nb": must be a name without control characters',
  ],
  ['randomizer: grr', `randomizer: grr, label: "${ESCAPE}x"`, 'protocols[0].label'],
  ['randomizer: grr', 'randomizer: grr, label: "\\u202Eevil"', 'without control characters'],
  ['randomizer: grr', 'randomizer: grr, label: "\\x9b31m"', 'without control characters'],
  ['randomizer: grr', 'randomizer: grr, label: "\\0"', 'without control characters'],
  ['randomizer: grr', 'randomizer: grr, label: "\\uD800"', 'without control characters'],
  ['randomizer: grr', 'randomizer: grr, label: ""', 'protocols[0].label = ""'],
  ['randomizer: grr', `randomizer: grr, label: ${'y'.repeat(500)}`, 'a name of at most 200 characters'],
  ['randomizer: grr', 'randomizer: grr, label: 5', 'protocols[0].label = 5'],
  ['randomizer: grr', 'randomizer: grr, colour: red', 'protocols[0].colour = "red": is not a known field'],
  ['randomizer: grr', 'randomizer: grr, accounting: best', 'protocols[0].accounting = "best"'],
  ['randomizer: grr', 'randomizer: subset, subsetSize: 0', 'protocols[0].subsetSize = 0'],
  ['randomizer: grr', 'randomizer: subset, subsetSize: 4', 'protocols[0]'],
  ['randomizer: grr', 'randomizer: subset, subsetSize: [2, 2]', 'protocols[0].subsetSize[1] = 2'],
  ['randomizer: grr', 'randomizer: local-hash, hashRange: 1', 'protocols[0].hashRange = 1'],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: frequency, randomizer: grr }, { kind: frequency, randomizer: grr }]',
    'protocols[1]',
  ],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: pure-dump, blanketRate: 0 }]',
    'protocols[0].blanketRate = 0',
  ],
  ['[{ kind: frequency, randomizer: grr }]', '[{ kind: mix-dump, flip: 1 }]', 'protocols[0].flip = 1'],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: cheu-zhilyaev, flip: 0.5 }]',
    'protocols[0].flip = 0.5',
  ],
  ['[{ kind: frequency, randomizer: grr }]', '[{ kind: balcer-cheu, coin: 0 }]', 'protocols[0].coin = 0'],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: range-queries, branching: 1 }]',
    'protocols[0].branching = 1',
  ],
  ['[{ kind: frequency, randomizer: grr }]', '[{ kind: own-randomizer }]', 'protocols[0].module is missing'],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: own-randomizer, module: 5 }]',
    'protocols[0].module = 5',
  ],
  ['[{ kind: frequency, randomizer: grr }]', '[{ kind: own-randomizer, module: none.mjs }]', 'none.mjs'],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: own-randomizer, module: /dev/zero }]',
    '/dev/zero: is no plain file',
  ],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: own-randomizer, module: m.mjs, options: { a: x } }]',
    'protocols[0].options',
  ],
  [
    '[{ kind: frequency, randomizer: grr }]',
    '[{ kind: own-randomizer, module: m.mjs, options: 4 }]',
    'protocols[0].options = 4',
  ],
];

export const EXPERIMENT_CONFIGS: readonly BadInput[] = [
  ...faultyConfigs(['run'], CATEGORIES, [
    ...NAMES,
    ...DOCUMENTS,
    ...ADJACENCY,
    ...TRIALS,
    ...CATEGORY_DATA,
    ...PRIVACY,
    ...PROTOCOLS,
  ]),
  ...faultyConfigs(['run'], edited(CATEGORIES, 'epsilon: 1', `epsilon: [${numbers(100)}]`), [
    ['trials: 2', 'trials: 1000000', 'trials = 1000000: must be at most 200000 for 100 cells'],
  ]),
  ...faultyConfigs(['compare'], CATEGORIES, USERS),
];
