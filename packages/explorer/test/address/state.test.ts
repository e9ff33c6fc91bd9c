import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressText, parseAddress } from '../../src/address/address.ts';
import { accountFields } from '../../src/account/account-state.ts';
import type { ShownMechanism } from '../../src/account/contract.ts';
import { accountConfig, scheduleText } from '../../src/account/account-texts.ts';
import { shareAlong, spanningAxis, ticks } from '../../src/charts/axis.ts';
import { placeLabels } from '../../src/charts/place-labels.ts';
import { logarithmicScale, sliderScale, valuesAlong } from '../../src/controls/slider-scale.ts';
import { PLAN_FIELDS, planState, TASKS } from '../../src/plan/plan-state.ts';
import {
  BUDGETS_FIELDS,
  budgetsCommand,
  budgetsQuestion,
  budgetsState,
  MECHANISM_TITLES,
} from '../../src/budgets/budgets-state.ts';
import type { BudgetsSetting } from '../../src/budgets/contract.ts';
import { SHUFFLE_FIELDS, shuffleQuestion, shuffleState } from '../../src/shuffle/shuffle-state.ts';
import { fourDigitEnd, powerOfTen, typedNumber, writtenNumber } from '../../src/words/numbers.ts';
import { parseConfig } from '@shuffle-dp/experiments/config';
import { parse } from 'yaml';
import { uniform } from '../../../core/test/uniform.ts';
import { readmeExample } from '../readme-example.ts';

const names = fc.stringMatching(/^[a-z][a-z0-9]*$/u);

describe('addresses', () => {
  it('round-trip with any text in their fields', () => {
    fc.assert(
      fc.property(names, fc.dictionary(names, fc.string({ unit: 'grapheme' })), (page, fields) => {
        expect(parseAddress(addressText({ page, fields }))).toEqual({ page, fields: { ...fields } });
      }),
    );
  });

  it('are short and readable', () => {
    const fields = { mechanism: 'grr', delta: '1e-6', budgets: 'uniform(0.05,1)' };
    expect(addressText({ page: 'account', fields })).toBe(
      '#account?mechanism=grr&delta=1e-6&budgets=uniform(0.05,1)',
    );
  });

  it.each(['', '#', '#/', '#%', '#account?%', '#account?a=%E0', '#a?b?c=d'])('%j is read somehow', (hash) => {
    expect(parseAddress(hash)).toHaveProperty('page');
  });
});

describe('questions', () => {
  const shuffled = shuffleState({});
  it.each([
    [{ users: '50.5' }, 'users = 50.5: must be a whole number from 30 to 1000000'],
    [{ users: '29' }, 'users = 29: must be a whole number from 30 to 1000000'],
    [{ domain: '9' }, 'categories = 9: must be a whole number from 2 to 8'],
    [{ colluding: '-5' }, 'colluding, in % = -5: must be a number from 0 to 95'],
    [{ epsilon0: 'x' }, 'epsilon0 = x: must be a number'],
  ])('to watch a shuffle of %o are refused', (wrong, message) =>
    expect(shuffleQuestion({ ...shuffled, ...wrong })).toEqual({ parameter: Object.keys(wrong)[0], message }),
  );

  it.each([
    [{ levels: '2.5' }, 'levels = 2.5: must be a whole number from 1 to 50'],
    [{ users: '5000000' }, 'users = 5000000: must be a whole number from 1 to 1000000'],
    [{ delta: '' }, 'central delta is empty: must be a number'],
  ])('about own budgets of %o are refused', (wrong, message) =>
    expect(budgetsQuestion(budgetsState(wrong))).toEqual({ parameter: Object.keys(wrong)[0], message }),
  );

  it.each([
    ['\n0.2,\r\n  0.5,\t1\u2028', '"0.2, 0.5, 1" --mechanism'],
    ['\nuniform(0.05,\n1)', '"uniform(0.05, 1)" --users 1000 --mechanism'],
  ])('about own budgets %j are commands of one line', (budgets, written) => {
    const question = budgetsQuestion(budgetsState({ budgets })) as BudgetsSetting;
    expect(budgetsCommand(question)).toBe(
      `shuffle-dp personalized --budgets ${written} grr --delta 1e-6 --domain 16 --levels 10`,
    );
  });

  it('in their ranges are asked', () => {
    expect(shuffleQuestion(shuffled)).toMatchObject({ users: 20_000, colluding: 0 });
    expect(budgetsQuestion(budgetsState({}))).toMatchObject({ users: 1000, levels: 10 });
  });
});

it('the first example of the README is a link, and the upper end that the page says there', () => {
  expect(readmeExample()).toEqual({
    link: '#account?mechanism=grr&epsilon0=1&domain=16&users=10000&delta=1e-6',
    says: '0.0185903',
  });
});

describe('fields that an address may have', () => {
  const named = (fields: readonly { readonly name: string }[]): string[] => fields.map(({ name }) => name);

  it.each(Object.keys(TASKS))('are those of a plan for %s', (task) => {
    expect(PLAN_FIELDS).toEqual(expect.arrayContaining(named(planState({ task }).fields)));
  });

  it.each(Object.keys(MECHANISM_TITLES))('are those of own budgets with %s', (mechanism) => {
    expect(BUDGETS_FIELDS).toEqual(expect.arrayContaining(named(budgetsState({ mechanism }).fields)));
  });

  it('are those of a shuffle', () => {
    expect(SHUFFLE_FIELDS).toEqual([...Object.keys(shuffleState({})), 'step']);
  });

  it('are the parameters of the one mechanism of an account', () => {
    const grr = { name: 'grr', parameters: [{ name: 'epsilon0' }], example: { epsilon0: 1 } };
    const known = [grr as unknown as ShownMechanism];
    expect(accountFields({ mechanism: 'grr', sigma: '1' }, known)).toContain('epsilon0');
    expect(accountFields({ mechanism: 'grr', sigma: '1' }, known)).not.toContain('sigma');
    // Of a mechanism that is not there nobody knows the parameters.
    expect(accountFields({ mechanism: 'none', sigma: '1' }, known)).toContain('sigma');
  });
});

describe('numbers', () => {
  it('that are proved ends are rounded outwards', () => {
    expect([fourDigitEnd(0.89402, 'upper'), fourDigitEnd(0.89408, 'lower')]).toEqual(['0.8941', '0.894']);
  });

  it('read back as they were written', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(typedNumber(writtenNumber(value))).toBe(value + 0);
      }),
    );
  });

  it.each([
    ['inf', Infinity],
    ['10 000', 10_000],
    ['1,000,000', 1_000_000],
    ['12_345.5', 12_345.5],
    ['.5', 0.5],
    ['1e-6', 1e-6],
  ])('%s is %d', (text, value) => expect(typedNumber(text)).toBe(value));

  it.each([
    '',
    'x',
    '1,5',
    '0,125',
    '1,0000',
    '1,000 000',
    '1.5,000',
    '1000,000',
    '0x10',
    '--1',
    '1e',
    'NaN',
  ])('%j is none', (text) => expect(typedNumber(text)).toBeNaN());

  it('have powers in superscripts', () => {
    expect(powerOfTen(-12)).toBe('10⁻¹²');
    expect(powerOfTen(0)).toBe('10⁰');
  });
});

const parameter = {
  name: 'x',
  description: 'x',
  lowOpen: false,
  highOpen: false,
  integer: false,
  required: true,
  range: '',
};

describe('sliders', () => {
  it.each([
    [{ ...parameter, low: 1e-9, high: 300, unit: 'nats', example: 1 }, 0.05, 10],
    [{ ...parameter, low: 2, high: 2 ** 21, integer: true, example: 16 }, 2, 1024],
    [{ ...parameter, low: 0, high: 1, lowOpen: true, example: 0.5 }, 0.0025, 1],
    [{ ...parameter, low: 1, high: 15, integer: true, example: 3 }, 1, 15],
    [
      { ...parameter, low: 2, high: Infinity, integer: true, kind: 'power of two' as const, example: 64 },
      2,
      4096,
    ],
  ])('go over what people use: %j', (spec, low, high) => {
    const { valueAt, last } = sliderScale(spec);
    expect([valueAt(0), valueAt(last)]).toEqual([low, high]);
  });

  it('come back to the stop of their value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), (stop) => {
        const { valueAt, stopOf } = logarithmicScale(1e-3, 10, false);
        expect(Math.abs(stopOf(valueAt(stop)) - stop)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('give each value of a curve once, both ends among them', () => {
    expect(valuesAlong(sliderScale({ ...parameter, low: 1, high: 4, integer: true, example: 2 }), 9)).toEqual(
      [1, 2, 3, 4],
    );
    const values = valuesAlong(logarithmicScale(100, 1e8, true), 9);
    expect([values.length, values[0], values.at(-1)]).toEqual([9, 100, 1e8]);
  });
});

describe('charts', () => {
  it('keep labels apart and inside', () => {
    fc.assert(
      fc.property(fc.array(uniform(0, 300), { maxLength: 12 }), (wanted) => {
        const sorted = placeLabels(wanted, 15, 10, 300).toSorted((a, b) => a - b);
        sorted.forEach((place, i) => {
          expect(place).toBeGreaterThanOrEqual(10);
          expect(place).toBeLessThanOrEqual(300);
          if (i > 0) expect(place - sorted[i - 1]!).toBeGreaterThanOrEqual(15 - 1e-9);
        });
      }),
    );
  });

  it('of many powers of ten have ticks at round ones', () => {
    const texts = (low: number): string[] =>
      ticks({ low, high: 1, isLogarithmic: true }, 7).map(({ text }) => text);
    expect(texts(1e-70)).toEqual([-60, -40, -20, 0].map(powerOfTen));
    expect(texts(1e-12)).toEqual([-12, -10, -8, -6, -4, -2, 0].map(powerOfTen));
  });

  it('have ticks inside their axis, of one style', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-12, max: 1e3, noNaN: true }),
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        fc.boolean(),
        (low, factor, isLogarithmic) => {
          const axis = spanningAxis([low, low * factor], isLogarithmic);
          const shown = ticks(axis, 7);
          expect(shown.length).toBeLessThanOrEqual(9);
          for (const { value } of shown) {
            expect(shareAlong(axis, value)).toBeGreaterThanOrEqual(-1e-6);
            expect(shareAlong(axis, value)).toBeLessThanOrEqual(1 + 1e-6);
          }
          expect(new Set(shown.map(({ text }) => /[⁰¹²³⁴⁵⁶⁷⁸⁹]/u.test(text))).size).toBeLessThanOrEqual(1);
          expect(new Set(shown.map(({ text }) => text)).size).toBe(shown.length);
        },
      ),
    );
  });
});

it('axes hold what leaves the doubles, with ticks in between', () => {
  for (const values of [[1e-318, 1e-3], [5e-324], [1e-300, 1.7e308], [1e308, 1.7e308]]) {
    const axis = spanningAxis(values, true);
    expect(axis.low).toBeGreaterThan(0);
    expect(axis.high).toBeLessThan(Infinity);
    const shown = ticks(axis, 7);
    expect(shown.length).toBeLessThanOrEqual(9);
    for (const { value } of shown) {
      expect(shareAlong(axis, value)).toBeGreaterThanOrEqual(-1e-6);
      expect(shareAlong(axis, value)).toBeLessThanOrEqual(1 + 1e-6);
    }
  }
});

describe('what is copied', () => {
  const setting = {
    mechanism: 'subset',
    parameters: { epsilon0: 1, domain: 32, subsetSize: 8 },
    users: 10_000,
    target: { delta: 1e-6 },
  };

  it('is a config that the program reads', () => {
    const { data, protocols, users } = parseConfig(
      accountConfig(setting, { configOptions: ['subsetSize'] }),
      'copied.yaml',
    );
    expect(users).toBe(10_000);
    expect(data).toMatchObject({ kind: 'categories-zipf', domain: 32 });
    expect(protocols[0]).toMatchObject({ randomizer: 'subset', epsilon0: 1, subsetSize: 8 });
  });

  it('is a schedule for what no config runs', () => {
    expect(parse(accountConfig(setting, { configOptions: null }))).toEqual([
      { mechanism: 'subset', epsilon0: 1, domain: 32, 'subset-size': 8, users: 10_000, rounds: 1 },
    ]);
    expect(scheduleText([])).toBe('');
  });
});
