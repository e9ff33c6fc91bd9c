/**
 * Protocols of one message a user at the largest budget that the least of all bounds allows, against equal
 * users and the blanket.
 */
import { certifiedDelta, certifiedEpsilon, largestLocalBudget } from '@shuffle-dp/accounting';
import { searched, withSearches } from '@shuffle-dp/core';
import { collision, generalizedRandomizedResponse, NUMBER_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { describe, expect, it } from 'vitest';
import { frequencyOracle } from '../src/frequencies/named-oracle.ts';
import { localBudget, messageStatements } from '../src/local-budget.ts';
import { createNumberProtocol } from '../src/registry.ts';

const MAKERS = {
  'binary-rr': (epsilon0: number) =>
    frequencyOracle({ kind: 'frequency', randomizer: 'binary-rr' }, 16, epsilon0),
  duchi: (epsilon0: number) => NUMBER_RANDOMIZERS.find(({ name }) => name === 'duchi')!.make({ epsilon0 }),
  collision: (epsilon0: number) => collision({ domain: 32, items: 4, epsilon0 }),
};

/** The least of all bounds. */
const LEAST = { 'binary-rr': 'sharp', duchi: 'two-messages', collision: 'sharp' } as const;

const SETTING = { users: 10_000, epsilon: 0.1, delta: 1e-6 };
const TARGETS = (Object.keys(MAKERS) as (keyof typeof MAKERS)[]).map((name) => ({ name, ...SETTING }));

describe.each(TARGETS)('$name among $users users, epsilon $epsilon', ({ name, ...setting }) => {
  const { users, epsilon, delta } = setting;
  const make: (epsilon0: number) => ReturnType<(typeof MAKERS)[typeof name]> = MAKERS[name];
  const chosen = localBudget(undefined, make, setting, 'sharpest');
  const quick = localBudget(undefined, make, setting, 'blanket');
  /** What data of equal users have at the target's epsilon. */
  const fromBelow = (epsilon0: number): number => {
    const { homogeneous } = make(epsilon0).amplification();
    return certifiedDelta({ variationRatio: null, blanket: [], homogeneous }, users, epsilon).lower;
  };

  it('has a larger budget than by the blanket, which nothing refutes', () => {
    expect(chosen.by).toBe(LEAST[name]);
    expect(quick).toEqual({
      epsilon0: largestLocalBudget(make, { users, epsilon, delta }, 'blanket'),
      by: 'blanket',
    });
    expect(chosen.epsilon0).toBeGreaterThan(1.05 * quick.epsilon0);
    expect(fromBelow(chosen.epsilon0)).toBeLessThan(delta);
    // The bound is within some percent of the truth.
    expect(fromBelow(1.02 * chosen.epsilon0)).toBeGreaterThan(delta);
  });

  it('states the target itself, and by which bound', () => {
    const statements = messageStatements(make(chosen.epsilon0), setting, 'sharpest', chosen.by);
    const [stated] = statements.privacy();
    expect(stated).toMatchObject({ accountant: LEAST[name], status: 'certified', sound: true, delta });
    expect(stated!.epsilon.upper).toBe(epsilon);
    expect(stated!.epsilon.lower).toBeLessThan(epsilon);
    expect(stated!.epsilon.lower).toBeGreaterThan(0.98 * epsilon);
    expect(statements.certifiedPrivacy()).toEqual([stated]);
  });

  it('accounts for a given budget by all bounds, or by the blanket where that is asked for', () => {
    const randomizer = make(chosen.epsilon0);
    const [account] = messageStatements(randomizer, setting, 'sharpest').privacy();
    expect(account!.accountant).toBe(LEAST[name]);
    expect(account!.epsilon.upper / epsilon).toBeCloseTo(1, 3);
    const blanket = messageStatements(randomizer, setting, 'blanket');
    const { upper } = certifiedEpsilon(randomizer.amplification(), users, delta, {
      epsilon0: chosen.epsilon0,
    });
    expect(blanket.certifiedPrivacy()[0]).toMatchObject({ accountant: 'blanket' });
    expect(blanket.certifiedPrivacy()[0]!.epsilon.upper).toBe(upper);
    expect(upper).toBeGreaterThan(1.05 * epsilon);
  });
});

describe('where the blanket is as good', () => {
  const make = (epsilon0: number) => generalizedRandomizedResponse({ domain: 16, epsilon0 });

  it('the budget is the blanket’s, and so is the statement', () => {
    const chosen = localBudget(undefined, make, SETTING, 'sharpest');
    expect(chosen).toEqual(localBudget(undefined, make, SETTING, 'blanket'));
    const [stated] = messageStatements(make(chosen.epsilon0), SETTING, 'sharpest', chosen.by).privacy();
    expect(stated!.accountant).toBe('blanket');
    expect(stated!.epsilon.upper).toBeLessThanOrEqual(0.1);
  });
});

it('is searched for once, whoever makes the protocol again', () => {
  const spec = { kind: 'mean', randomizer: 'duchi' } as const;
  const first = withSearches({}, () => createNumberProtocol(spec, SETTING));
  const again = withSearches(first.found, () => {
    const made = createNumberProtocol(spec, SETTING);
    // What is known is in the order of the searches.
    searched('another', () => null);
    return made;
  });
  expect(again.made.parameters).toEqual(first.made.parameters);
  expect(again.made.privacy()).toEqual(first.made.privacy());
  expect(Object.keys(first.found)).toHaveLength(1);
});

it('a budget is not looked for by an accounting that is none, nor for what leaves the doubles', () => {
  const make = MAKERS['binary-rr'];
  expect(() => localBudget(undefined, make, { ...SETTING, epsilon: 1000 }, 'blanket')).toThrow(
    'epsilon = 1000: must be at most 300',
  );
  for (const given of [undefined, 1])
    expect(() => localBudget(given, make, SETTING, 'nope' as 'blanket')).toThrow(
      'accounting = "nope": must be one of sharpest, blanket',
    );
});

it('a target of the smallest epsilon that there is has the budget of a small one', () => {
  const make = MAKERS['binary-rr'];
  const [least, small] = [5e-324, 1e-30].map(
    (epsilon) => localBudget(undefined, make, { ...SETTING, epsilon }, 'blanket').epsilon0,
  );
  expect(least! / small!).toBeCloseTo(1, 4);
});
