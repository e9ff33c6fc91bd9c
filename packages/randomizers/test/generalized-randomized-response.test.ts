import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { generalizedRandomizedResponse } from '@shuffle-dp/randomizers';

/** Inverses modulo 2^32. */
const INVERSE_OF_5 = 0xcccccccd;
const INVERSE_OF_9 = 0x38e38e39;

/** A stream whose next word is this one: the generator's output function is a bijection of its second state word. */
function streamThatDraws(word: number): RandomStream {
  const stream = RandomStream.fromSeed('forced');
  const rotated = Math.imul(word, INVERSE_OF_9);
  stream.state[1] = Math.imul((rotated >>> 7) | (rotated << 25), INVERSE_OF_5);
  const { state } = stream;
  const before = state.slice();
  expect(stream.nextUint32()).toBe(word);
  state.set(before);
  return stream;
}

test.each([
  [2, 1],
  [5, 0.7],
  [17, 3],
  [1000, 2],
  [2 ** 21, 20],
])(
  'every random word says what its share of the probability is, d = %d, epsilon0 = %d',
  (domain, epsilon0) => {
    const oracle = generalizedRandomizedResponse({ domain, epsilon0 });
    const { own, other } = oracle.supportProbability;
    const kept = 2 * Math.floor((own - other) * 2 ** 31 + 1e-9);
    const width = Math.floor((2 ** 32 - kept - 2) / domain);
    const held = domain - 1;
    const send = (word: number): number => {
      const messages = oracle.allocate(1);
      oracle.randomizeInto(Uint32Array.of(held), messages, streamThatDraws(word));
      return messages.columns.value[0]!;
    };
    expect(send(0)).toBe(held);
    expect(send(kept - 2)).toBe(held);
    expect(send(kept + 2)).toBe(0);
    // A value's words are within one of [kept + v width, kept + (v + 1) width): never a whole word away from fair.
    for (const value of [0, 1, Math.floor(domain / 2), domain - 1].filter((v) => width > domain || v < 2)) {
      const slack = value + 4;
      if (width <= 2 * slack) continue;
      expect(send(kept + value * width + slack)).toBe(value);
      expect(send(kept + (value + 1) * width - 1)).toBe(value);
    }
  },
);

test('a budget beyond all doubles sends the truth', () => {
  const oracle = generalizedRandomizedResponse({ domain: 4, epsilon0: 700 });
  const messages = oracle.allocate(1000);
  const values = Uint32Array.from({ length: 1000 }, (_, i) => i % 4);
  oracle.randomizeInto(values, messages, RandomStream.fromSeed('truth'));
  expect(Array.from(messages.columns.value)).toEqual(Array.from(values));
});
