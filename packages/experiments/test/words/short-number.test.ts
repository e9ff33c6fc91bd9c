import { expect, it } from 'vitest';
import { apartNumbers, shortNumber } from '../../src/words/short-number.ts';

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
  [
    [0.5, 0.5, 0.7],
    ['0.5', '0.5', '0.7'],
  ],
  // Further digits than a double has would not tell them apart.
  [
    [1, 1 + 2 ** -52],
    ['1', '1'],
  ],
])('%j is told apart as %j', (values, texts) => {
  expect(apartNumbers(values)).toEqual(texts);
});
