import { checkParameter, UsageError } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../../src/account/account.ts';
import { calibrateMechanism, parameterOfTarget } from '../../../src/account/calibrate-mechanism.ts';
import { MECHANISMS } from '../../../src/account/mechanisms.ts';
import { parameterAxis } from '../../../src/account/parameter-axis.ts';
import { describeCalibratedRounds, QUICK_ROUNDS } from './calibrated-rounds.ts';
import { otherParameters } from '../other-parameters.ts';

const TARGET = { users: 2000, epsilon: 0.25, delta: 1e-6, rounds: 1 };

describe.each(MECHANISMS)('the parameter of $name that a target sets', (card) => {
  const spec = parameterOfTarget(card);
  const given = otherParameters(card);
  const axis = parameterAxis(spec, given);

  it('is one', () => {
    expect(card.parameters.filter(({ setByTarget }) => setByTarget)).toEqual([spec]);
  });

  it('runs through its range, from privacy on', () => {
    const values = Array.from({ length: 41 }, (_, i) =>
      axis.valueAt(axis.mostPrivate + (i / 40) * (axis.leastPrivate - axis.mostPrivate)),
    );
    values.forEach((value) => checkParameter(spec, value, given));
    const direction = Math.sign(values.at(-1)! - values[0]!);
    values.slice(1).forEach((value, i) => expect(direction * (value - values[i]!)).toBeGreaterThanOrEqual(0));
    const example = card.example[spec.name]!;
    expect(axis.valueAt(axis.positionOf(example))).toBeCloseTo(example, 6);
  });
});

describe('a mechanism is calibrated', () => {
  it.each([
    ['grr', 'largest'],
    ['duchi', 'largest'],
    ['piecewise', 'largest'],
    ['poisson-blanket', 'least'],
    ['balcer-cheu', 'least'],
    ['cheu-zhilyaev', 'least'],
    ['pure-dump', 'largest'],
    ['variation-ratio', 'largest'],
  ])('%s, to the %s value that account certifies', (name, side) => {
    const card = MECHANISMS.find((known) => known.name === name)!;
    const found = calibrateMechanism(name, otherParameters(card), TARGET);
    const upper = (value: number): number =>
      accountMechanism(name, { ...found.parameters, [found.calibrated]: value }, TARGET.users, {
        delta: TARGET.delta,
      }).bracket.upper;
    expect(found.side).toBe(side);
    expect(upper(found.found.value)).toBe(found.found.epsilon.upper);
    expect(found.found.epsilon.upper).toBeLessThanOrEqual(TARGET.epsilon);
    expect(upper(found.next!.value)).toBeGreaterThan(TARGET.epsilon);
    // Bins are whole numbers; all else ends a hundred-thousandth away.
    const step = Math.abs(found.next!.value - found.found.value);
    if (name === 'pure-dump') expect(step).toBe(1);
    else expect(step / found.found.value).toBeLessThan(2e-4);
  });

  it('in a few bounds at the target itself where an account takes seconds', { tags: 'long' }, () => {
    const { found, next, looks } = calibrateMechanism('laplace', {}, { ...TARGET, users: 1000, epsilon: 1 });
    expect(looks).toBeLessThanOrEqual(8);
    expect(found.epsilon.upper).toBe(1);
    expect(found.epsilon.lower).toBeGreaterThan(0.8);
    expect(next!.epsilon.upper).toBeGreaterThan(1);
    expect(next!.value / found.value).toBeLessThan(1.00101);
    // By accounts, each of which takes seconds, 3.7381 was found, and 3.7407 was not certified.
    expect(found.value).toBeGreaterThan(3.7381 * 0.999);
  });

  it('to the end of its range, which is told', () => {
    const found = calibrateMechanism('metric-laplace', { reach: 0.5 }, { ...TARGET, epsilon: 0.2 });
    expect(found).toMatchObject({ side: 'largest', found: { value: 0.5 }, next: null });
  });

  it('to the only whole number that is certified, the largest, not the least', () => {
    const found = calibrateMechanism(
      'pure-dump',
      {},
      { users: 10_000, delta: 1e-6, epsilon: 0.0796, rounds: 1 },
    );
    expect(found).toMatchObject({ side: 'largest', found: { value: 2 }, next: { value: 3 } });
  });

  describeCalibratedRounds(QUICK_ROUNDS);

  it.each([
    ['grr', { domain: 8 }, { colluding: 0.1, dropout: 0.3 }],
    ['poisson-blanket', { rate: 1, domain: 16 }, { dropout: 0.3 }],
  ] as const)('%s %o with %o, as what is certified of the honest', (name, given, threats) => {
    const { users, delta, epsilon } = TARGET;
    const found = calibrateMechanism(name, given, { ...TARGET, threats });
    const upper = (value: number, which: object): number =>
      accountMechanism(name, { ...given, [found.calibrated]: value }, users, { delta }, which).bracket.upper;
    expect(upper(found.found.value, threats)).toBeLessThanOrEqual(epsilon);
    expect(upper(found.next!.value, threats)).toBeGreaterThan(epsilon);
    // Where all are honest and stay, more hides the victim, and the target is met with room.
    expect(upper(found.found.value, {})).toBeLessThan(0.95 * epsilon);
  });

  it('with colluders as with that many users less', () => {
    const among = calibrateMechanism('cheu-zhilyaev', {}, { ...TARGET, users: 1600 });
    const found = calibrateMechanism('cheu-zhilyaev', {}, { ...TARGET, threats: { colluding: 0.2 } });
    expect(found.found).toEqual(among.found);
  });

  it('not with users who stay away where messages are counted and not users', () => {
    expect(() => calibrateMechanism('balcer-cheu', {}, { ...TARGET, threats: { dropout: 0.1 } })).toThrow(
      'dropout = 0.1: must be left out',
    );
  });

  it('or refused with the least epsilon that can be certified', () => {
    const few = { users: 1000, epsilon: 1e-3, delta: 1e-9, rounds: 1 };
    expect(() => calibrateMechanism('mix-dump', {}, few)).toThrow(
      new UsageError('flip: its range takes parameters that are missing'),
    );
    expect(() => calibrateMechanism('balcer-cheu', {}, few)).toThrow(
      /^epsilon = 0\.001: must be at least \S+: that is/u,
    );
    expect(() => calibrateMechanism('grr', { domain: 4 }, { ...few, delta: 0 })).toThrow(
      'delta = 0: must be in (0, 1)',
    );
    expect(() => calibrateMechanism('grr', { domain: 4 }, { ...few, epsilon: 0 })).toThrow(
      'epsilon = 0: must be',
    );
    expect(() => calibrateMechanism('balls-into-bins', { special: 2 ** 31 }, few)).toThrow(
      'a range of more than one value',
    );
    expect(() => calibrateMechanism('grr', {}, few)).toThrow('domain is missing');
  });
});
