import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { budgetList } from '../../src/personalized/budget-list.ts';
import { personalizedAccount, personalizedStages } from '../../src/personalized/personalized-account.ts';

describe('a large delta', () => {
  const accountAt = (delta: number) =>
    personalizedAccount({
      budgets: Float64Array.of(10, 10),
      mechanism: 'grr',
      delta,
      localDelta: 0,
      clip: 1,
      domain: 2,
      levels: 20,
    });

  it('is no delta of 1: two users of ten nats each are told apart', () => {
    expect(accountAt(0.5).epsilon.upper).toBeGreaterThan(0);
    expect(accountAt(0.2).ends.lower).toBeGreaterThan(0);
  });

  it('of 1 leaves nothing to bound', () => {
    expect(accountAt(1).ends).toEqual({ lower: 0, upper: 0 });
  });
});

describe('at the ends of the doubles', () => {
  const accountAt = (budgets: string, users: number, delta: number) =>
    personalizedAccount({
      budgets: budgetList(budgets, users, 'budgets'),
      mechanism: 'laplace',
      delta,
      localDelta: 0,
      clip: 1,
      domain: 16,
      levels: 20,
    });

  // Masses of e^-700 were nothing, and e^700 times nothing proved more than the budget.
  it('no test proves more than a budget of hundreds', () => {
    const { lower, upper } = accountAt('520,688', 2, 1e-300).epsilon;
    expect(upper).toBeLessThanOrEqual(688.2);
    expect(lower).toBeGreaterThan(500);
  });

  // Below what counts of messages are cut at nothing is looked for: that took half an hour.
  it('a delta of 0 among users of many budgets is answered by the budgets', () => {
    expect(accountAt('uniform(1,2)', 1000, 0).epsilon.upper).toBeCloseTo(1.95, 2);
  });
});

describe('budgets on the command line', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'budgets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (content: string): string => {
    const path = join(folder, 'budgets.csv');
    writeFileSync(path, content);
    return path;
  };

  it('are drawn, listed, or read', () => {
    expect(budgetList('constant(0.5)', 3, 's')).toEqual(Float64Array.of(0.5, 0.5, 0.5));
    expect(budgetList('uniform(1,2)', 4, 's')).toEqual(budgetList('uniform(1,2)', 4, 's'));
    expect(budgetList('uniform(1,2)', 4, 's')).not.toEqual(budgetList('uniform(1,2)', 4, 't'));
    expect(budgetList('1, 0.5,2e-1', undefined, 's')).toEqual(Float64Array.of(1, 0.5, 0.2));
    expect(budgetList(file('budget\n0.5\n1\n'), undefined, 's')).toEqual(Float64Array.of(0.5, 1));
  });

  it.each([
    ['uniform(1,2)', undefined, 'needs --users'],
    ['1,,2', undefined, "'' is no positive number"],
    ['1,-2', undefined, "'-2' is no positive number"],
    ['1,2', 3, '2 budgets for --users 3'],
    ['none.csv', undefined, 'or the path of a CSV file'],
  ])('%s for %s users are refused', (text, users, reason) => {
    expect(() => budgetList(text, users, 's')).toThrow(reason);
  });

  it('of a file are refused with the line', () => {
    expect(() => budgetList(file('0.5\n0\n'), undefined, 's')).toThrow('line 2: "0" is no positive budget');
    expect(() => budgetList(file('budget\n'), undefined, 's')).toThrow('has no budgets');
  });
});

describe('a personalised account', () => {
  const budgets = Float64Array.from({ length: 10_000 }, (_, i) => 0.05 + (0.95 * (i + 0.5)) / 10_000);
  const account = personalizedAccount({
    budgets,
    mechanism: 'clip-laplace',
    delta: 1e-8,
    localDelta: 0,
    clip: 1,
    domain: 16,
    levels: 10,
  });
  const epsilonOf = (name: string): number => account.bounds.find((bound) => bound.name === name)!.epsilon!;

  it('has the printed numbers of Echo of Neighbors beside what is proved', () => {
    // Printed: 0.057 and 0.069.
    expect(epsilonOf('eon')).toBeCloseTo(0.0571, 3);
    expect(epsilonOf('uni-shuffle')).toBeCloseTo(0.0689, 3);
    expect(account.epsilon.upper).toBeLessThan(epsilonOf('eon') / 2);
    expect(account.epsilon.lower).toBeLessThanOrEqual(account.epsilon.upper);
  });

  it('gives every level its own epsilon, growing with the budget', () => {
    expect(account.groups).toHaveLength(10);
    account.groups.forEach(({ epsilon }, i) => {
      if (i > 0) expect(epsilon.upper).toBeGreaterThan(account.groups[i - 1]!.epsilon.upper);
    });
  });
});

describe('many levels', () => {
  const budgets = Float64Array.from({ length: 1000 }, (_, i) => 0.05 + (0.95 * (i + 0.5)) / 1000);
  const accountOf = (levels: number) =>
    personalizedAccount({
      budgets,
      mechanism: 'grr',
      delta: 1e-6,
      localDelta: 0,
      clip: 1,
      domain: 4,
      levels,
    });

  it('leave out blankets that are like their neighbours, which costs nothing to be seen', () => {
    // Levels go down by less the more there are: the worst budget is 0.9525 at 20 and 0.981 at 50.
    const [few, many] = [accountOf(20), accountOf(50)];
    const growth = many.epsilon.upper / few.epsilon.upper;
    expect(growth).toBeGreaterThan(1);
    expect(growth).toBeLessThan(1.05);
    expect(many.groups).toHaveLength(50);
  });

  it('past fifty are refused', () => {
    expect(() => accountOf(51)).toThrow('levels = 51: must be an integer from 1 to 50');
  });
});

it('an account of personal budgets sharpens from the published bounds to the bracket', () => {
  const setting = {
    budgets: Float64Array.from({ length: 200 }, (_, user) => (user < 100 ? 0.5 : 1)),
    mechanism: 'grr',
    delta: 1e-6,
    localDelta: 0,
    clip: 1,
    domain: 4,
    levels: 2,
  } as const;
  const [first, last, ...more] = personalizedStages(setting);
  expect(more).toEqual([]);
  expect(first!.groups).toEqual([]);
  expect(first!.epsilon.upper).toBeLessThanOrEqual(1);
  expect(last!.groups).toHaveLength(2);
  expect(last!.epsilon.upper).toBeLessThan(first!.epsilon.upper);
  expect(last!.epsilon.lower).toBeGreaterThan(0);
  expect(last).toEqual(personalizedAccount(setting));
});

describe('what is given', () => {
  const setting = {
    budgets: Float64Array.of(1, 1, 2, 2),
    mechanism: 'grr' as const,
    delta: 1e-3,
    localDelta: 0,
    clip: 1,
    domain: 4,
    levels: 2,
  };

  it('may be threats of nobody, which are none', () => {
    const honest = personalizedAccount(setting);
    for (const threats of [{}, { colluding: 0 }, { dropout: 0 }])
      expect(personalizedAccount({ ...setting, threats })).toEqual(honest);
  });

  it('is checked under threats too', () => {
    const threats = { colluding: 0.25 };
    expect(() => personalizedAccount({ ...setting, threats, clip: NaN })).toThrow('clip = NaN');
    expect(() => personalizedAccount({ ...setting, mechanism: 'foo' as 'grr' })).toThrow('mechanism = "foo"');
  });

  it('is no Gaussian budget whose noise leaves the doubles', () => {
    const gaussian = { ...setting, mechanism: 'gaussian' as const, localDelta: 1e-10 };
    expect(() => personalizedAccount({ ...gaussian, budgets: Float64Array.of(1e6) })).toThrow(
      'budgets[0] = 1000000: must be in [0, 100000]',
    );
  });
});
