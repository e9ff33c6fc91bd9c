/** What pages ask their engines, and what they refuse themselves. */
import { describe, expect, it } from 'vitest';
import type { ScheduledRounds } from '@shuffle-dp/experiments/account';
import type { PlanSetting } from '@shuffle-dp/experiments/plan';
import { accountSetting, accountState } from '../../src/account/account-state.ts';
import type { ShownMechanism } from '../../src/account/contract.ts';
import {
  composeQuestion,
  composeState,
  parseSchedule,
  refusalAtEntry,
  scheduleField,
} from '../../src/compose/compose-state.ts';
import { planCommand, planQuestion, planState } from '../../src/plan/plan-state.ts';

describe('a plan', () => {
  const fields = { task: 'sets', users: '1e4', domain: '32', items: '3', messages: '4', trust: 'augmented' };

  it('is asked as the command asks it', () => {
    const question = planQuestion(planState(fields)) as PlanSetting;
    expect(question).toEqual({
      task: 'sets',
      users: 10_000,
      domain: 32,
      items: 3,
      epsilon: 1,
      delta: 1e-6,
      limits: { trust: 'augmented', messages: 4 },
    });
    expect(planCommand(question)).toBe(
      'shuffle-dp plan --task sets --users 10000 --domain 32 --items 3 --epsilon 1 --delta 1e-6 --max-messages 4 --trust augmented',
    );
  });

  it('is not asked while a number is none, and leaves out what the task does not take', () => {
    expect(planQuestion(planState({ ...fields, users: 'many' }))).toEqual({
      parameter: 'users',
      message: 'users = many: must be a number',
    });
    expect(planQuestion(planState({ ...fields, messages: '-1' }))).toEqual({
      parameter: 'messages',
      message: 'most messages = -1: must be a positive number',
    });
    expect(planQuestion(planState({ ...fields, task: 'mean' }))).not.toHaveProperty('domain');
    expect(planState({ task: 'nonsense', sort: 'nonsense' })).toMatchObject({
      task: 'frequencies',
      sort: 'error',
    });
  });
});

it('schedules round-trip through the address', () => {
  const schedule = [
    { mechanism: 'grr', numbers: { epsilon0: '1', domain: '16', users: '1e4', rounds: '3' } },
    { mechanism: 'variation-ratio', numbers: { p: 'inf', beta: '1', q: '4', users: '10001', rounds: '1' } },
  ];
  expect(parseSchedule(scheduleField(schedule))).toEqual({ schedule, unread: [] });
  expect(parseSchedule('nonsense;x(;grr();GRR(rounds:1);grr(rounds)')).toEqual({
    schedule: [{ mechanism: 'grr', numbers: {} }],
    unread: ['nonsense', 'x(', 'GRR(rounds:1)', 'grr(rounds)'],
  });
});

it.each(['1,5', 'a:b;(c)', '5%', '%2C'])('of a schedule the text %j is refused as it was typed', (text) => {
  const numbers = { epsilon0: text, domain: '4', users: '9', rounds: '2' };
  const schedule = scheduleField([{ mechanism: 'grr', numbers }]);
  expect(parseSchedule(schedule)).toEqual({ schedule: [{ mechanism: 'grr', numbers }], unread: [] });
  expect(composeQuestion(composeState({ schedule }))).toHaveProperty(
    'message',
    `epsilon0 = ${text}: must be a number`,
  );
});

describe('a schedule of the address', () => {
  const grr = 'grr(epsilon0:1,domain:16,users:1000,rounds:4)';
  const asked = (schedule: string): object => composeQuestion(composeState({ schedule, delta: '1e-6' }));

  it('is asked whole', () => {
    const rounds = { mechanism: 'grr', parameters: { epsilon0: 1, domain: 16 }, users: 1000, rounds: 4 };
    expect(asked(grr)).toEqual({ schedule: [rounds], target: { delta: 1e-6 } });
  });

  it.each([
    [`${grr};GRR(rounds:4)`, 'schedule: "GRR(rounds:4)" is no rounds'],
    [`${grr};${grr.slice(0, -1)}`, 'is no rounds'],
    [grr.replace('rounds:4', 'rounds:many'), 'rounds = many: must be a number'],
    [grr.replace('rounds:4', 'rounds:'), 'rounds is empty: must be a number'],
    [grr.replace(',rounds:4', ''), 'rounds is empty: must be a number'],
  ])('is refused where a part is none: %s', (schedule, message) => {
    expect(asked(schedule)).toHaveProperty('message', expect.stringContaining(message));
  });
});

describe('a refusal of a schedule is of the entry', () => {
  const entry = (epsilon0: string, users = '9'): string =>
    `grr(epsilon0:${epsilon0},users:${users},rounds:2)`;
  const asked = (schedule: string): ReturnType<typeof composeQuestion> =>
    composeQuestion(composeState({ schedule }));

  it('whose number is none', () => {
    expect(asked(`${entry('1')};${entry('x')}`)).toMatchObject({ parameter: 'epsilon0', entry: 1 });
    expect(asked(`${entry('1')};${entry('1', '')}`)).toMatchObject({ parameter: 'users', entry: 1 });
  });

  it('whose value an engine refuses', () => {
    const { schedule } = asked(`${entry('1')};${entry('400')}`) as { schedule: readonly ScheduledRounds[] };
    const refusal = { parameter: 'epsilon0', message: 'epsilon0 = 400: must be in [1e-9, 300]' };
    expect(refusalAtEntry(refusal, schedule)).toEqual({ ...refusal, entry: 1 });
    const ofTarget = { parameter: 'delta', message: 'delta = 2: must be in [0, 1]' };
    expect(refusalAtEntry(ofTarget, schedule)).toEqual(ofTarget);
  });
});

it('an account is asked of numbers alone', () => {
  const grr = { name: 'grr', parameters: [{ name: 'epsilon0' }], example: { epsilon0: 1 } };
  const setting = (fields: Record<string, string>): object =>
    accountSetting(accountState(fields, [grr as unknown as ShownMechanism]));
  expect(setting({})).toMatchObject({ parameters: { epsilon0: 1 }, users: 10_000, target: { delta: 1e-6 } });
  expect(setting({ users: '0x10' })).toEqual({
    parameter: 'users',
    message: 'users = 0x10: must be a number',
  });
  expect(setting({ epsilon0: 'foo' })).toHaveProperty('parameter', 'epsilon0');
  expect(setting({ epsilon: '' })).toHaveProperty('parameter', 'epsilon');
});
