// The permutation itself, against Durstenfeld's method on arbitrary-precision integers.
import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { aim, ReferenceGenerator } from '@shuffle-dp/core/testkit';
import { shuffle } from '@shuffle-dp/shuffler';
import { LONGEST_RANGE, permuteInPlace } from '../src/fisher-yates.ts';

function reference(size: number, state: ArrayLike<number>): number[] {
  const generator = new ReferenceGenerator(state);
  const order = Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = generator.below(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

function shuffled(size: number, stream: RandomStream): number[] {
  const id = Uint32Array.from({ length: size }, (_, i) => i);
  return [...shuffle({ columns: { id }, count: size }, stream).columns.id];
}

test.each([2, 3, 50, 8192, 8193, 8194, 20_000])('%d messages', (size) => {
  const stream = RandomStream.fromSeed(`permutation of ${size}`);
  const expected = reference(size, stream.state);
  expect(shuffled(size, stream)).toEqual(expected);
});

test.each([
  [3, 0],
  [7, 0],
  [7, 1],
  [49, 0],
  [49, 1],
  [1001, 0],
])(
  '%d messages, where the first word is %d: a draw that would favour some positions is made again',
  (size, word) => {
    const stream = aim(RandomStream.fromSeed(`again ${size}`), word);
    const expected = reference(size, stream.state);
    expect(shuffled(size, stream)).toEqual(expected);
  },
);

test.each([3, 7, 49, 1001])('%d messages: the last word to be refused, and the first to be taken', (size) => {
  const limit = 2 ** 32 % size;
  for (const low of [limit - 1, limit, size - 1, size]) {
    // The word whose product with the size is this low half modulo 2^32, if there is one.
    const word = Array.from({ length: size }, (_, k) => (k * 2 ** 32 + low) / size).find(Number.isInteger);
    expect(word).toBeDefined();
    const stream = aim(RandomStream.fromSeed(`limit ${size}`), word!);
    const expected = reference(size, stream.state);
    expect(shuffled(size, stream)).toEqual(expected);
  }
});

test('a range whose products would be rounded is refused', () => {
  const stream = RandomStream.fromSeed('long');
  const ids = new Uint8Array(LONGEST_RANGE + 2);
  expect(() => permuteInPlace([ids], 1, LONGEST_RANGE + 2, stream)).toThrow(RangeError);
  expect(() => permuteInPlace([ids], 1, LONGEST_RANGE + 1, stream)).not.toThrow();
});
