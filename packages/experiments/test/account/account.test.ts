import { describe, expect, it } from 'vitest';
import { accountMechanism, accountStages } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';
import { EXAMPLE_USERS, exampleAccount } from './example-accounts.ts';

describe('account', () => {
  it.each(MECHANISMS)('brackets $name both ways', ({ name, parameters, example: given }) => {
    expect(Object.keys(given).every((key) => parameters.some((parameter) => parameter.name === key))).toBe(
      true,
    );
    const { bracket, bounds } = exampleAccount(name);
    expect(bracket.upper).toBeGreaterThan(0);
    expect(bracket.upper).toBeLessThan(2);
    expect(bracket.lower).toBeLessThanOrEqual(bracket.upper);
    expect(bounds.length).toBeGreaterThan(5);
    for (const bound of bounds) {
      if (bound.value === null) expect(bound.reason).toBeDefined();
      // A sound bound never contradicts the bracket.
      else if (bound.sound === true && bound.direction === 'upper')
        expect(bound.value).toBeGreaterThanOrEqual(bracket.lower * (1 - 1e-9));
      else if (bound.sound === true) expect(bound.value).toBeLessThanOrEqual(bracket.upper * (1 + 1e-9));
      if (bound.sound !== true) expect(bound.reason).toBeDefined();
    }
    const delta = accountMechanism(name, given, EXAMPLE_USERS, { epsilon: bracket.upper * 1.01 });
    expect(delta.bracket.upper).toBeLessThanOrEqual(1.001e-6);
    expect(delta.bracket.lower).toBeLessThanOrEqual(delta.bracket.upper);
  });

  it('knows the reference values', () => {
    // 50-digit reference of the pair: epsilon0 = 1, any randomizer, n = 10,000, delta = 1e-6, stronger clone.
    const general = accountMechanism('general', { epsilon0: 1 }, 10_000, { delta: 1e-6 });
    expect(general.bounds.find(({ name }) => name === 'stronger-clone')!.value).toBeCloseTo(0.0432061581, 9);
    const grr = accountMechanism('grr', { epsilon0: 1, domain: 16 }, 10_000, { delta: 1e-6 });
    expect(grr.variationRatio!.beta).toBeCloseTo((Math.E - 1) / (Math.E + 15), 14);
    const published = grr.bounds.find(({ name }) => name === 'variation-ratio')!;
    expect(published.sound).toBe(false);
    expect(published.value).toBeLessThan(grr.bracket.lower);
  });

  it('says of a raw pair whether it is known to dominate', () => {
    const multi = accountMechanism('variation-ratio', { p: Infinity, beta: 1, q: 16 }, 10_000, {
      epsilon: 0.1,
    });
    expect(multi.sound).toBe(true);
    expect(multi.bracket.upper / multi.bracket.lower - 1).toBeLessThan(1e-9);
    const single = accountMechanism('variation-ratio', { p: 3, beta: 0.2, q: 3 }, 100, { delta: 1e-6 });
    expect(single.sound).not.toBe(true);
    expect(single.reason).toBeDefined();
  });

  it('shows the lower end as it is where it exceeds a published claim', () => {
    const { bracket } = accountMechanism('grr', { epsilon0: 2, domain: 3 }, 2, { delta: 0.2 });
    expect(bracket.lower).toBeGreaterThan(0);
  });

  it.each([
    ['grr', { epsilon0: -1, domain: 4 }, 10, { delta: 0.1 }, 'epsilon0 = -1: must be'],
    ['grr', { epsilon0: 1, domain: 1 }, 10, { delta: 0.1 }, 'domain = 1: must be'],
    ['grr', { epsilon0: 1, domain: 4 }, 0, { delta: 0.1 }, 'users = 0: must be'],
    ['grr', { epsilon0: 1, domain: 4 }, 10, { delta: 2 }, 'delta = 2: must be in [0, 1]'],
    ['grr', { epsilon0: 1, domain: 4 }, 10, { epsilon: -1 }, 'epsilon = -1: must be'],
    ['hadamard', { epsilon0: 1, order: 12 }, 10, { delta: 0.1 }, 'order = 12: must be a power of two'],
    [
      'vector-rr',
      { bits: 8, keepProbability: 0.5 },
      10,
      { delta: 0.1 },
      'keepProbability = 0.5: must be in (1/2, 1)',
    ],
    ['variation-ratio', { p: 2, beta: 0.9, q: 2 }, 10, { delta: 0.1 }, 'beta = 0.9: must be'],
    [
      'poisson-blanket',
      { rate: 0, domain: 4, blankets: 1 },
      10,
      { delta: 0.1 },
      'rate = 0: must be in (0, 1]',
    ],
  ])('%s refuses %j', (name, given, users, target, message) => {
    expect(() =>
      accountMechanism(name, given as Record<string, number>, users, target as { delta: number }),
    ).toThrow(message);
  });
});

describe('an account that sharpens', () => {
  it.each([
    ['grr', { epsilon0: 1, domain: 16 }],
    ['binary-rr', { epsilon0: 3, domain: 16 }],
    ['poisson-blanket', { rate: 1, domain: 16, blankets: 1 }],
  ])('%s ends with the whole account, each bracket in the one before', (name, parameters) => {
    const stages = [...accountStages(name, parameters, 1000, { delta: 1e-6 })];
    expect(stages).toHaveLength(3);
    stages.slice(1).forEach(({ bracket }, i) => {
      expect(bracket.lower).toBeGreaterThanOrEqual(stages[i]!.bracket.lower);
      expect(bracket.upper).toBeLessThanOrEqual(stages[i]!.bracket.upper);
    });
    expect(stages[0]!.bounds.map(({ name: bound }) => bound)).not.toContain('clone');
    expect(stages[1]!.bounds.map(({ name: bound }) => bound)).toContain('clone');
    expect(stages.at(-1)).toEqual(accountMechanism(name, parameters, 1000, { delta: 1e-6 }));
  });

  it('is sharper in the end where every input of the others is known', () => {
    const [first, , last] = accountStages('binary-rr', { epsilon0: 3, domain: 16 }, 1000, { delta: 1e-6 });
    expect(last!.bracket.upper).toBeLessThan(0.99 * first!.bracket.upper);
  });
});

it('keeps the parameters that it is of', () => {
  const parameters = { epsilon0: 1, domain: 4 };
  const account = accountMechanism('grr', parameters, 1000, { delta: 1e-6 });
  parameters.epsilon0 = 5;
  expect(account.parameters).toEqual({ epsilon0: 1, domain: 4 });
});
