// Laws of all protocols, at 1e-6 a check with fixed seeds; moments of both paths at 5,000 trials, at 1e-6 a
// check.
import { RandomStream, RunningMoments } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { personalizedPrivacy } from '@shuffle-dp/accounting';
import { describe, expect, it } from 'vitest';
import {
  budgetGroups,
  createFrequencyProtocol,
  createNumberProtocol,
  type BudgetLevel,
  type NumberData,
} from '../../src/index.ts';
import { dealtCounts, dealtValues } from '../../src/personalized/assigned-levels.ts';
import { describeNumberLaws, randomNumbers } from '../laws/number-laws.ts';
import { describeProtocolLaws } from '../laws/protocol-laws.ts';
import { randomCategories } from '../laws/random-data.ts';

const USERS = 300;
const budgets: readonly BudgetLevel[] = [
  { budget: 0.5, users: 120 },
  { budget: 1.5, users: 80 },
  { budget: 4, users: 100 },
];
const setting = { users: USERS, delta: 1e-4, budgets };

describe('frequencies by randomized response', () => {
  const protocol = createFrequencyProtocol(
    { kind: 'frequency', randomizer: 'grr' },
    { ...setting, domain: 5 },
  );
  const data = randomCategories('own budgets', USERS, 5);
  describeProtocolLaws({ protocol, data, trials: 1500, stages: ['data messages'] });

  it('are unbiased, and as wide, on both paths', () => {
    const [messages, aggregated] = (['messages', 'aggregated'] as const).map((path) => {
      const root = RandomStream.fromSeed(`own budgets ${path}`);
      return Array.from({ length: 5000 }, (_, trial) => protocol.run(data, root.fork(trial), path));
    });
    for (let v = 0; v < 5; v++) {
      const moments = [messages!, aggregated!].map((trials) => {
        const means = new RunningMoments();
        const squares = new RunningMoments();
        const truth = data.histogram[v]! / USERS;
        for (const estimate of trials) {
          means.add(estimate[v]!);
          squares.add((estimate[v]! - truth) ** 2);
        }
        return { means, squares };
      });
      const [first, second] = moments as [(typeof moments)[0], (typeof moments)[0]];
      for (const of of ['means', 'squares'] as const) {
        const spread = Math.sqrt((first[of].variance + second[of].variance) / 5000);
        expect(zTest(first[of].mean, second[of].mean, spread)).toBeGreaterThan(1e-6);
      }
    }
  });

  it('have the variance of all their coins and of who has which budget', () => {
    // All ways to deal two budgets to four users of whom one holds category 0.
    const few = [
      { budget: 1, users: 1 },
      { budget: 3, users: 3 },
    ];
    const own = (budget: number): number => Math.exp(budget) / (Math.exp(budget) + 1);
    const tiny = createFrequencyProtocol(
      { kind: 'frequency', randomizer: 'grr' },
      { users: 4, domain: 2, delta: 1e-2, budgets: few },
    );
    const gap = (1 * (2 * own(1) - 1) + 3 * (2 * own(3) - 1)) / 4;
    const others = (1 - gap) / 2;
    let error = 0;
    for (let cautious = 0; cautious < 4; cautious++)
      for (let coins = 0; coins < 16; coins++) {
        let probability = 1 / 4;
        let count = 0;
        for (let user = 0; user < 4; user++) {
          const truthful = own(user === cautious ? 1 : 3);
          const supports = (coins >> user) & 1;
          const chance = user === 0 ? truthful : 1 - truthful;
          probability *= supports ? chance : 1 - chance;
          count += supports;
        }
        error += probability * ((count / 4 - others) / gap - 1 / 4) ** 2;
      }
    const expected = tiny.expectedError({
      kind: 'categories',
      users: 4,
      domain: 2,
      histogram: Float64Array.of(1, 3),
    })!;
    expect(expected).toBeCloseTo(2 * error, 12);
  });

  it('state what the accountant proves of every budget', () => {
    const proved = personalizedPrivacy(budgetGroups(budgets, { kind: 'grr', domain: 5 }, 1e-4), 1e-4);
    const statements = protocol.certifiedPrivacy();
    expect(statements.map(({ group }) => group)).toEqual(['budget 0.5', 'budget 1.5', 'budget 4']);
    expect(statements.map(({ epsilon }) => epsilon)).toEqual(proved.groups.map(({ epsilon }) => epsilon));
    const [whole] = protocol.threatenedPrivacy!({ colluding: 0.5 }).slice(-1);
    expect(whole!.epsilon.upper).toBeGreaterThan(statements.at(-1)!.epsilon.upper);
  });

  it('of one budget are those of the common budget', () => {
    const same = createFrequencyProtocol(
      { kind: 'frequency', randomizer: 'grr' },
      { users: USERS, domain: 5, delta: 1e-4, budgets: [{ budget: 1.5, users: USERS }] },
    );
    const common = createFrequencyProtocol(
      { kind: 'frequency', randomizer: 'grr', epsilon0: 1.5 },
      { users: USERS, domain: 5, delta: 1e-4 },
    );
    expect(same.expectedError(data)).toBeCloseTo(common.expectedError(data)!, 12);
    expect(same.expectedRangeError(data)).toBeCloseTo(common.expectedRangeError(data)!, 12);
    const upper = common.certifiedPrivacy()[0]!.epsilon.upper;
    expect(same.certifiedPrivacy()[0]!.epsilon.upper / upper).toBeCloseTo(1, 3);
  });
});

describe.each([
  ['laplace', {}],
  ['gaussian', { localDelta: 1e-3 }],
  ['clip-laplace', {}],
] as const)('the mean by %s', (randomizer, more) => {
  const range = { low: -5, high: 3 };
  const protocol = createNumberProtocol({ kind: 'mean', randomizer, ...more }, { ...setting, range });
  describeNumberLaws({
    protocol: { ...protocol, worstError: Infinity },
    data: randomNumbers('own budgets', USERS, range),
    trials: 800,
    stages: ['numbers'],
  });
});

it('the calibrated mean of Clip-Laplace is exact where all users hold one number', () => {
  const users = 3000;
  const many = budgets.map((level) => ({ ...level, users: level.users * 10 }));
  const protocol = createNumberProtocol(
    { kind: 'mean', randomizer: 'clip-laplace', correction: 'average' },
    { users, delta: 1e-4, budgets: many },
  );
  const equal: NumberData = { kind: 'numbers', users, values: new Float64Array(users).fill(0.8) };
  const estimates = new RunningMoments();
  const root = RandomStream.fromSeed('calibrated');
  for (let trial = 0; trial < 200; trial++)
    estimates.add(protocol.run(equal, root.fork(trial), 'messages')[0]!);
  expect(Math.abs(estimates.mean - 0.8)).toBeLessThan(0.01);
  expect(protocol.expectedError(equal)).toBeNull();
});

describe('budgets are dealt', () => {
  const levels = [
    { budget: 1, users: 2 },
    { budget: 2, users: 3 },
  ];

  it('to all, each once, every way alike, by users and by counts', () => {
    const seen = new Map<string, number>();
    const counted = new Map<string, number>();
    for (let trial = 0; trial < 4000; trial++) {
      const stream = RandomStream.fromSeed(`deal ${trial}`);
      const parts = dealtValues(Uint32Array.of(0, 0, 1, 1, 1), levels, stream);
      expect(parts.map(({ length }) => length)).toEqual([2, 3]);
      expect(parts.flatMap((part) => [...part]).toSorted((a, b) => a - b)).toEqual([0, 0, 1, 1, 1]);
      const zeros = `${parts[0]!.filter((value) => value === 0).length}`;
      seen.set(zeros, (seen.get(zeros) ?? 0) + 1);
      const counts = dealtCounts(Float64Array.of(2, 3), levels, stream.fork('counts'));
      expect(counts[0]![0]! + counts[1]![0]!).toBe(2);
      expect(counts[0]![0]! + counts[0]![1]!).toBe(2);
      counted.set(`${counts[0]![0]!}`, (counted.get(`${counts[0]![0]!}`) ?? 0) + 1);
    }
    // Hypergeometric: 3, 6 and 1 of 10.
    for (const [zeros, probability] of [
      ['0', 0.3],
      ['1', 0.6],
      ['2', 0.1],
    ] as const) {
      const deviation = Math.sqrt(4000 * probability * (1 - probability));
      expect(zTest(seen.get(zeros)!, 4000 * probability, deviation)).toBeGreaterThan(1e-6);
      expect(zTest(counted.get(zeros)!, 4000 * probability, deviation)).toBeGreaterThan(1e-6);
    }
  });
});

describe('refusals', () => {
  const number = (spec: object) => () =>
    createNumberProtocol({ kind: 'mean', randomizer: 'laplace', ...spec }, setting);
  it.each([
    [number({ randomizer: 'duchi' }), 'randomizer = "duchi": must be one of laplace, clip-laplace, gaussian'],
    [number({ epsilon0: 1 }), 'epsilon0 = 1: must be left out for users with budgets'],
    [number({ randomizer: 'gaussian' }), 'localDelta = "nothing": must be given for gaussian'],
    [number({ localDelta: 1e-6 }), 'localDelta = 0.000001: must be left out for laplace'],
    [
      () => createNumberProtocol({ kind: 'fixed-point-mean' }, setting),
      'budgets = "3 levels": must be left out for fixed-point-mean',
    ],
    [
      () => createFrequencyProtocol({ kind: 'frequency', randomizer: 'oue' }, { ...setting, domain: 4 }),
      'randomizer = "oue": must be one of grr',
    ],
    [
      () =>
        createFrequencyProtocol(
          { kind: 'frequency', randomizer: 'grr' },
          { ...setting, domain: 4, users: 301 },
        ),
      'the users of all budgets = 300: must be users = 301',
    ],
  ] as const)('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});
