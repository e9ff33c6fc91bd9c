import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExpressionError, parseExpression } from '../../src/documents/expression.ts';

const at = { n: 5000, d: 17, s: 4 };

describe('expressions', () => {
  it.each([
    ['0.01/n', 0.01 / 5000],
    ['1e-6', 1e-6],
    ['.5', 0.5],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['10 - 3 - 2', 5],
    ['16 / 4 / 2', 2],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['--3', 3],
    ['1/(n * log(n))', 1 / (5000 * Math.log(5000))],
    ['sqrt(s) + d', 19],
    ['min(1/n, 1e-6)', 1e-6],
    ['max(1/n, exp(-20))', 1 / 5000],
    ['  1 / n  ', 1 / 5000],
  ])('%s', (text, value) => {
    expect(parseExpression(text)(at)).toBeCloseTo(value, 14);
  });

  it.each([
    ['', 'a number, n, d, s or a parenthesis is missing at the end'],
    ['1/', 'is missing at the end'],
    ['1 2', "'2' stands where an operator should"],
    ['(1', ') is missing at the end'],
    ['1)', "')' stands where an operator should"],
    ['x + 1', "'x' is none of n, d, s, log, sqrt, exp, min, max"],
    ['toString()', "'toString' is none of"],
    ['constructor', "'constructor' is none of"],
    ['log', '( is missing at the end'],
    ['log(1, 2)', 'log takes 1 value, not 2'],
    ['min(1)', 'min takes 2 values, not 1'],
    ['1; n', "';' has no meaning here"],
    ['n = 3', "'=' has no meaning here"],
    ['.', "'.' has no meaning here"],
    ['('.repeat(5000), 'nested too deeply'],
    ['-'.repeat(5000), 'nested too deeply'],
  ])('refuses %j', (text, message) => {
    expect(() => parseExpression(text)).toThrow(ExpressionError);
    expect(() => parseExpression(text)).toThrow(message);
  });

  it('is a value or an error of its own, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        try {
          expect(typeof parseExpression(text)(at)).toBe('number');
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    );
  });
});
