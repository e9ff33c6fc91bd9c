/** What a module throws has words, whatever it is. */
import { expect, it } from 'vitest';
import { thrownWords } from '../../src/own-module/load-module.ts';

const failing = (): never => {
  throw new Error('no text');
};

it.each([
  ['a text', 'enough', 'enough'],
  ['nothing', undefined, 'undefined'],
  ['an object without a prototype', Object.create(null), '[Object: null prototype] {}'],
  ['an object whose text fails', { toString: failing }, '{ toString: [Function: failing] }'],
  ['an error whose message is a number', Object.assign(new Error('x'), { message: 7 }), 'Error: 7'],
  ['an error whose name is a number', Object.assign(new Error('x'), { name: 5 }), '5: x'],
  [
    'an error with a name of ours',
    Object.assign(new Error('x'), { name: 'ForbiddenError' }),
    'ForbiddenError: x',
  ],
  ['an error without a trace', Object.assign(new RangeError('x'), { stack: 3 }), 'RangeError: x'],
])('%s', (_, thrown: unknown, words) => {
  expect(thrownWords(thrown, 'some.mjs')).toBe(words);
});
