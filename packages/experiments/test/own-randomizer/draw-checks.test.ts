// What the checks of own randomizers find, and that they find nothing where nothing is. Seeds are fixed; 1e-9
// is stated.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FrequencyOracle } from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS, generalizedRandomizedResponse } from '@shuffle-dp/randomizers';
import { clearBudget, drawnFault, messagesFault } from '../../src/own-randomizer/draw-checks.ts';
import { statedFault } from '../../src/own-randomizer/oracle-checks.ts';
import { powerCurve } from '../../src/own-randomizer/power-curve.ts';
import { WRONG_DRAWS, WRONG_MESSAGES } from './wrong-oracles.ts';

/** The checks do not know the randomizers: the long tests have the others, and larger domains. */
const SOME = CATEGORY_RANDOMIZERS.filter(({ name }) => ['grr', 'subset'].includes(name));

describe.each(CATEGORY_RANDOMIZERS)('$name', ({ make }) => {
  it.each([1e-3, 30])('passes at domain 2 and budget %d', (epsilon0) => {
    const oracle = make({ domain: 2, epsilon0 });
    expect([statedFault(oracle, 2, epsilon0), drawnFault(oracle)]).toEqual([null, null]);
  });
});

describe.each(SOME)('$name', ({ make }) => {
  it('has messages that pass', () => {
    expect(messagesFault(make({ domain: 2, epsilon0: clearBudget(2) }))).toBe(null);
  });

  it.each(WRONG_DRAWS)('whose %s is found at budget 0.1', (_, change, reason) => {
    const oracle = make({ domain: 16, epsilon0: 0.1 });
    expect(drawnFault({ ...oracle, ...change(oracle) })).toContain(reason);
  });

  it.each(WRONG_MESSAGES)('whose %s is found', (_, change, reason) => {
    const oracle = make({ domain: 16, epsilon0: clearBudget(16) });
    expect(messagesFault({ ...oracle, ...change(oracle) })).toContain(reason);
  });
});

describe('a module', () => {
  const right = generalizedRandomizedResponse({ domain: 4, epsilon0: 1 });
  let counter = 0;
  it.each<[string, Partial<FrequencyOracle>, string]>([
    [
      'fewer messages than users',
      {
        randomizeInto(values, messages, stream) {
          right.randomizeInto(values, messages as never, stream);
          messages.count -= 5;
        },
      },
      'randomizeInto gives one message a user, not 251 of 256 users',
    ],
    [
      'messages by chance of its own',
      {
        randomizeInto(values, messages, stream) {
          right.randomizeInto(values, messages as never, stream);
          // Ninety bytes are the same again once in 4^90.
          for (let i = 9; i < 99; i++) messages.columns['value']![i] = randomBytes(1)[0]! % 4;
        },
      },
      'one whose messages follow from the values and the stream',
    ],
    [
      'counts from a counter',
      { sampleSupportCounts: (histogram) => histogram.map((count) => count + (counter++ % 3)) },
      'one whose sampleSupportCounts gives the same again',
    ],
    [
      'an estimate from a counter',
      { estimate: (counts) => counts.map(() => counter++) },
      'one whose estimate gives the same again',
    ],
    [
      'a word for estimates',
      { estimate: (() => 'hello') as never },
      'estimate gives a Float64Array, not "hello"',
    ],
    [
      'estimates that are no numbers',
      { estimate: () => Float64Array.of(NaN, 0, 0, 0) },
      'finite numbers, not NaN',
    ],
    ['too few estimates', { estimate: () => Float64Array.of(0) }, 'for each of 4 categories, not 1'],
    ['estimates of nothing', { estimate: () => new Float64Array(4) }, 'estimate gives 0.000 where 0.5000'],
    [
      'other counts without messages',
      {
        sampleSupportCounts: (histogram, stream) =>
          right.sampleSupportCounts(histogram, stream).map((c) => 2 * c),
      },
      'sampleSupportCounts gives what supportProbability says',
    ],
  ])('that draws %s is refused', (_, change, reason) => {
    expect(drawnFault({ ...right, ...change } as FrequencyOracle)).toContain(reason);
  });

  it('whose messages show the value in a column that it does not count is refused', () => {
    const telling: Partial<FrequencyOracle> = {
      allocate: (users) => ({
        columns: { ...right.allocate(users).columns, hint: new Uint16Array(users) },
        count: 0,
      }),
      randomizeInto(values, messages, stream) {
        right.randomizeInto(values, messages as never, stream);
        const hints = stream.fork('hints');
        // The parity of the value in the lowest of sixteen bits, the others by chance.
        const { hint } = messages.columns;
        for (let user = 0; user < values.length; user++)
          hint![user] =
            2 * hints.integerBelow(2 ** 15) +
            (hints.next() < 0.9 ? values[user]! % 2 : hints.integerBelow(2));
      },
    };
    expect(drawnFault({ ...right, ...telling } as FrequencyOracle)).toMatch(
      /^one whose messages show no more than its masses: bit 0 of hint tells the values 0 and 1 apart/u,
    );
  });
});

it('the power of the best test is that of Neyman and Pearson', () => {
  // Atoms by ratio: infinity, 2, 1/4; sizes 0, 0.3, 1.
  const power = powerCurve(Float64Array.of(0.6, 0.175, 0.225), Float64Array.of(0.3, 0.7, 0));
  const expected: [number, number][] = [
    [0, 0.225],
    [0.15, 0.525],
    [0.3, 0.825],
    [0.65, 0.9125],
    [1, 1],
  ];
  for (const [size, value] of expected) expect(power(size)).toBeCloseTo(value, 12);
});

it('an output that nobody sends changes no test', () => {
  // The ratios are 1/9 and 9: the best test of size 0.1 sees the second.
  expect(powerCurve(Float64Array.of(0.1, 0, 0.9), Float64Array.of(0.9, 0, 0.1))(0.1)).toBeCloseTo(0.9, 12);
});
