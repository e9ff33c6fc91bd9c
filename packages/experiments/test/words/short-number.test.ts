import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { apartFromEnds, shortEnd, shortEnds, shortNumber } from '../../src/words/short-number.ts';

it.each([
  [0, '0'],
  [1 / 3, '0.3333'],
  [1e6, '1.000e+6'],
  [0.0009, '9.000e-4'],
  [Infinity, 'inf'],
  [NaN, '-'],
])('%d is %s', (value, text) => {
  expect(shortNumber(value)).toBe(text);
});

it.each([
  [
    [0.5, 0.5000123, 0.61],
    ['0.5', '0.50001', '0.61'],
  ],
  // Ends are rounded outwards, and tell themselves apart after that.
  [
    [0.5, 0.50006, 0.6123456],
    ['0.5', '0.50006', '0.61235'],
  ],
  [
    [0.5, 0.49998, 0.6123456],
    ['0.5', '0.4999', '0.6124'],
  ],
  [
    [0.5, 0.5, 0.7],
    ['0.5', '0.5', '0.7'],
  ],
  // However little an end is above, it is rounded up.
  [
    [1, 1, 1 + 2 ** -52],
    ['1', '1', '1.001'],
  ],
])('%j is told apart as %j', ([stated, lower, upper], texts) => {
  expect(apartFromEnds(stated!, { lower: lower!, upper: upper! })).toEqual(texts);
});

it.each([
  [0.123449, 'upper', '0.1235'],
  [0.123451, 'lower', '0.1234'],
  [0.1234, 'upper', '0.1234'],
  [0.99999, 'upper', '1'],
  [1.00001, 'lower', '1'],
  [0.999998, 'lower', '0.9999'],
  [9.99996, 'lower', '9.999'],
  [1.00004, 'upper', '1.001'],
  [1e-5 / 3, 'upper', '3.334e-6'],
  [-0.123449, 'lower', '-0.1235'],
  [0, 'upper', '0'],
  [Infinity, 'upper', 'inf'],
] as const)('%d as an %s end is %s', (value, side, text) => {
  expect(shortEnd(value, side)).toBe(text);
});

it('rounds both ends outwards', () => {
  expect(shortEnds({ lower: 0.123451, upper: 0.123451 }, 4, ' … ')).toBe('0.1234 … 0.1235');
});

it('ends stay ends, and move by a unit of the last digit at most', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-300, max: 1e300, noNaN: true }),
      fc.integer({ min: 2, max: 12 }),
      (value, digits) => {
        const [lower, upper] = [
          Number(shortEnd(value, 'lower', digits)),
          Number(shortEnd(value, 'upper', digits)),
        ];
        expect(lower).toBeLessThanOrEqual(value);
        expect(upper).toBeGreaterThanOrEqual(value);
        expect(upper / lower - 1).toBeLessThan(3 * 10 ** (1 - digits));
      },
    ),
  );
});
