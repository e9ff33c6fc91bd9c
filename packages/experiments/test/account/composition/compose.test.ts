import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composedEpsilon, strongerClonePair } from '@shuffle-dp/accounting';
import { accountMechanism } from '../../../src/account/account.ts';
import { composeMechanisms, composeStages } from '../../../src/account/compose-account.ts';
import { loadSchedule } from '../../../src/account/schedule-file.ts';

const grr = { mechanism: 'grr', parameters: { epsilon0: 1, domain: 16 }, users: 10_000 } as const;

describe('composed mechanisms', () => {
  it('of one round are the one-round account', () => {
    const composed = composeMechanisms([{ ...grr, rounds: 1 }], { delta: 1e-6 });
    const { bracket } = accountMechanism('grr', grr.parameters, grr.users, { delta: 1e-6 });
    expect(composed.bracket.upper).toBeCloseTo(bracket.upper, 8);
    expect(composed.bracket.lower).toBeCloseTo(bracket.lower, 8);
    expect(composed.sound).toBe(true);
  });

  it('of one round of any randomizer are what holds for all, as there is no blanket', () => {
    const round = { mechanism: 'general', parameters: { epsilon0: 1 }, users: 1000, rounds: 1 };
    const { bracket } = accountMechanism('general', round.parameters, round.users, { delta: 1e-6 });
    const composed = composeMechanisms([round], { delta: 1e-6 }).bracket;
    expect(composed.upper / bracket.upper).toBeCloseTo(1, 4);
    expect(composed.lower).toBeCloseTo(bracket.lower, 8);
    expect(composed.upper).toBeLessThan(
      composeMechanisms([{ ...round, rounds: 2 }], { delta: 1e-6 }).bracket.upper,
    );
  });

  it('stay below the composition theorems', () => {
    const { bracket, baselines, rounds } = composeMechanisms([{ ...grr, rounds: 16 }], { delta: 1e-6 });
    expect(rounds).toBe(16);
    expect(bracket.lower).toBeGreaterThan(0.0825);
    expect(bracket.upper).toBeLessThan(0.083);
    expect(bracket.upper).toBeLessThan(baselines!.advanced);
    expect(baselines!.advanced).toBeLessThanOrEqual(baselines!.basic);
    expect(Math.abs(baselines!.gaussianLimit! - bracket.upper)).toBeLessThan(1e-4);
  });

  it('of any randomizer: basic composition adds what is proved of a round, not its local budget', () => {
    const round = { mechanism: 'general', parameters: { epsilon0: 1 }, users: 1000, rounds: 4 };
    const { baselines } = composeMechanisms([round], { delta: 1e-6 });
    // Four times the epsilon of F5's cells at a quarter of delta, by sums over binomial counts in scipy.
    expect(baselines!.basic).toBeCloseTo(0.646176139, 4);
    const far = { ...round, mechanism: 'metric-general', parameters: { separation: 1, reach: 2 } };
    expect(composeMechanisms([far], { delta: 1e-6 }).baselines!.basic).toBeCloseTo(1.105081486, 4);
  });

  it('of any metric-private randomizer: by its parameters, which are the stronger clones where all inputs are as far apart', () => {
    const rounds = { mechanism: 'metric-general', users: 10_000, rounds: 10 } as const;
    const near = composeMechanisms([{ ...rounds, parameters: { separation: 1, reach: 1 } }], { delta: 1e-6 });
    const clones = composedEpsilon([{ pair: strongerClonePair(1), users: 10_000, count: 10 }], 1e-6);
    expect(near.bracket.upper / clones.upper).toBeCloseTo(1, 3);
    expect(near.bracket.upper).toBeGreaterThan(clones.lower * (1 - 1e-9));
    // Inputs that are further off hide the victim less, and ten rounds of one user tell no more than ten
    // budgets.
    const far = composeMechanisms([{ ...rounds, parameters: { separation: 1, reach: 2 } }], { delta: 1e-6 });
    expect(far.sound).toBe(true);
    expect(far.bracket.lower).toBeGreaterThan(near.bracket.lower);
    expect(far.bracket.upper).toBeGreaterThan(near.bracket.upper);
    expect(far.bracket.upper).toBeLessThan(1.1 * far.bracket.lower);
    const alone = { ...rounds, users: 1, parameters: { separation: 1, reach: 2 } };
    expect(composeMechanisms([alone], { delta: 1e-6 }).bracket.upper).toBeLessThanOrEqual(20);
  });

  it('sharpen from what the theorems prove to the bracket', () => {
    const [first, last, ...more] = composeStages([{ ...grr, rounds: 4 }], { delta: 1e-6 });
    expect(more).toEqual([]);
    expect(first!.bracket).toEqual({ lower: 0, upper: first!.baselines!.advanced });
    expect(last!.bracket.upper).toBeLessThan(first!.bracket.upper);
    expect(last!.bracket.lower).toBeGreaterThan(0);
    expect(last!.baselines).toEqual(first!.baselines);
  });

  it(
    'of normal noise are bounded by the messages alone where the blanket says nothing',
    { tags: 'long' },
    () => {
      const schedule = [{ mechanism: 'gaussian', parameters: { sigma: 1 }, users: 1000, rounds: 10 }];
      const { bracket, upperBy, bounds } = composeMechanisms(
        schedule,
        { delta: 1e-25 },
        {},
        { blanketsOnly: true },
      );
      // Of normal noise at two values that are the root of ten deviations apart, by sixty digits.
      expect(bracket.upper).toBeGreaterThanOrEqual(37.51048738866444);
      expect(bracket.upper).toBeLessThan(37.5106);
      expect(upperBy).toBe('local-message');
      expect(bounds.find(({ name }) => name === 'local-message')?.verdict).toBe('certified');
      const alone = composeMechanisms([{ ...schedule[0]!, users: 1 }], { delta: 1e-6 });
      expect(alone.bracket.lower).toBeGreaterThan(0.999 * alone.bracket.upper);
    },
  );

  it('turn epsilon into delta as the pair does', () => {
    const poisson = {
      mechanism: 'poisson-blanket',
      parameters: { rate: 1, domain: 16, blankets: 1 },
      users: 10_000,
    };
    const { upper } = composeMechanisms([{ ...poisson, rounds: 4 }], { delta: 1e-6 }).bracket;
    const back = composeMechanisms([{ ...poisson, rounds: 4 }], { epsilon: upper });
    expect(back.bracket.upper).toBeLessThan(1.0001e-6);
    expect(back.bracket.upper).toBeGreaterThan(0.999e-6);
    expect(back.baselines).toBeNull();
  });

  it('show no less than some of them, where others have an accountant of their own or no known data set', () => {
    const response = { mechanism: 'grr', parameters: { epsilon0: 2, domain: 5 }, users: 500, rounds: 2 };
    const poisson = {
      mechanism: 'poisson-blanket',
      parameters: { rate: 0.5, domain: 4, blankets: 0.5 },
      users: 500,
      rounds: 1,
    };
    const at = { delta: 1e-5 };
    const [two, one] = [response, poisson].map((rounds) => composeMechanisms([rounds], at).bracket);
    const both = composeMechanisms([response, poisson], at);
    expect(both.bracket.lower).toBeGreaterThan(0.999 * two!.lower);
    expect(both.bracket.upper).toBeGreaterThan(1.1 * two!.upper);
    expect(both.bracket.upper).toBeLessThan(two!.upper + one!.upper);
    expect(both.upperBy).toBe('own');
    const weak = { ...response, parameters: { epsilon0: 0.1, domain: 5 } };
    expect(composeMechanisms([weak, poisson], at).bracket.lower).toBeGreaterThanOrEqual(one!.lower);
  });

  // Where a pair that another one's parameters bound was taken to lead, curves ended a point or two later:
  // 3.07 and .73 of the first two, and one search in the tail had .5895 of the last.
  it.each([
    ['laplace', { epsilon0: 4 }, 10_000, 64, 2.7],
    ['laplace', { epsilon0: 2 }, 10_000, 64, 0.7],
    ['laplace', { epsilon0: 5 }, 100_000, 16, 0.58],
  ])('of %s %o among %d users, %d of them, have the whole of their curve', { tags: 'long' }, (...asked) => {
    const [mechanism, parameters, users, rounds, most] = asked;
    const { bracket, upperBy } = composeMechanisms([{ mechanism, parameters, users, rounds }], {
      delta: 1e-6,
    });
    expect(upperBy).toBe('sharp');
    expect(bracket.upper).toBeLessThan(most);
  });

  it('of a raw pair are what the composition paper computes, said to be unproven', () => {
    // Wang et al., 2025: vector randomized response, s = 2 bits, n = 1e5, delta = 0.01/n, 16 rounds:
    // 0.128739.
    const p = Math.exp(2);
    const keep = Math.E / (1 + Math.E);
    const beta = keep ** 2 - (1 - keep) ** 2;
    const pair = { mechanism: 'variation-ratio', parameters: { p, beta, q: p }, users: 100_000, rounds: 16 };
    const { bracket, sound } = composeMechanisms([pair], { delta: 1e-7 });
    expect(bracket.lower).toBeLessThan(0.12874);
    expect(bracket.upper).toBeGreaterThan(0.128738);
    expect(sound).toBe('unproven');
    // Without a leftover the pair is its own blanket: `account` says so, and rounds of it too.
    const whole = { mechanism: 'variation-ratio', parameters: { p: Infinity, beta: 1, q: 16 } };
    expect(accountMechanism(whole.mechanism, whole.parameters, 1000, { delta: 1e-6 }).sound).toBe(true);
    expect(composeMechanisms([{ ...whole, users: 1000, rounds: 4 }], { delta: 1e-6 })).toMatchObject({
      sound: true,
      bounds: [{ sound: true }, { sound: true }, { sound: 'unproven' }],
    });
  });
});

describe('a schedule', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'schedule-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const load = (content: string) => {
    const file = join(folder, 'schedule.yaml');
    writeFileSync(file, content);
    return loadSchedule(file);
  };

  it('lists rounds that differ, with parameters named as the flags are', () => {
    const schedule = load(
      '- { mechanism: variation-ratio, p: inf, beta: 1, q: 4, users: 10001, rounds: 3 }\n' +
        '- { mechanism: subset, epsilon0: 1, domain: 16, subset-size: 2, users: 1e4 }\n',
    );
    expect(schedule).toEqual([
      { mechanism: 'variation-ratio', parameters: { p: Infinity, beta: 1, q: 4 }, users: 10_001, rounds: 3 },
      {
        mechanism: 'subset',
        parameters: { epsilon0: 1, domain: 16, subsetSize: 2 },
        users: 10_000,
        rounds: 1,
      },
    ]);
    const mixed = composeMechanisms(schedule, { delta: 1e-6 });
    expect(mixed.rounds).toBe(4);
    expect(mixed.bracket.lower).toBe(0);
    expect(mixed.bracket.upper).toBeLessThan(mixed.baselines!.basic);
  });

  it.each([
    ['[]', 'must be a list of rounds'],
    ['mechanism: grr', 'must be a list of rounds'],
    ['- 3', '[0] = 3: must be a mechanism with its parameters'],
    ['- { mechanism: gr, users: 3 }', '[0].mechanism = "gr": must be one of general, grr'],
    ['- { mechanism: grr, epsilon0: 1, users: 3 }', '[0].domain is missing: number of categories'],
    [
      '- { mechanism: grr, epsilon0: x, domain: 4, users: 3 }',
      '[0].epsilon0 = "x": must be a number, or inf',
    ],
    ['- { mechanism: grr, epsilon0: 1, domain: 4, users: 0 }', '[0].users = 0: must be an integer from 1'],
    ['- { mechanism: grr, epsilon0: 1, domain: 4, users: 9, rounds: 0.5 }', '[0].rounds = 0.5'],
    [
      '- { mechanism: grr, epsilon0: 1, domain: 4, users: 9, cap: 2 }',
      '[0].cap is not a parameter of grr, which takes epsilon0, domain',
    ],
    [
      '- { mechanism: grr, epsilon0: 999, domain: 4, users: 9 }',
      '[0].epsilon0 = 999: must be in [1e-9, 300]',
    ],
    [
      '- { mechanism: grr, epsilon0: 1, domain: 4, users: 9, rounds: 2000000 }',
      '[0].rounds = 2000000: must be an integer from 1 to 1000000',
    ],
    [
      '- { mechanism: local-hash, epsilon0: 1, hash-range: 4, users: 9 }',
      '[0].hash-range = 4: must be a prime from 2 to 65521',
    ],
    ['- [', 'line 1, column 4'],
  ])('%s is refused in one line', (content, reason) => {
    expect(() => load(content)).toThrow(reason);
  });
});
