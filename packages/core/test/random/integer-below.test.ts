// The draws that chance would hardly ever show: of 2^32 words, the few that would favour some integers.
import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { aim, ReferenceGenerator } from '@shuffle-dp/core/testkit';

const WORDS = 2n ** 32n;

/** The word whose product with an odd bound has this low half. */
function wordOfLowHalf(low: number, bound: number): number {
  // Newton's iteration for the inverse modulo 2^32; each step doubles the correct bits of the first three.
  let inverse = BigInt(bound);
  for (let step = 0; step < 5; step++) inverse = (inverse * (2n - BigInt(bound) * inverse)) % WORDS;
  return Number((((BigInt(low) * inverse) % WORDS) + WORDS) % WORDS);
}

describe('a word that would favour some integers is drawn again', () => {
  const bounds = [3, 7, 10, 49, 1000, 99_991, 2 ** 21 - 1, 2 ** 21];

  test.each(bounds)('below %d: the word 0', (bound) => {
    const stream = aim(RandomStream.fromSeed(`zero ${bound}`), 0);
    const reference = new ReferenceGenerator(stream.state);
    const firstWord = new ReferenceGenerator(stream.state).word();
    expect(firstWord).toBe(0);
    expect([1, 2, 3].map(() => stream.integerBelow(bound))).toEqual(
      [1, 2, 3].map(() => reference.below(bound)),
    );
  });

  test.each(bounds.filter((bound) => bound % 2 === 1))(
    'below %d: just below, at and above the limit',
    (bound) => {
      const limit = 2 ** 32 % bound;
      for (const low of [0, limit - 1, limit, limit + 1, bound - 1, bound, bound + 1]) {
        const word = wordOfLowHalf(low, bound);
        const stream = aim(RandomStream.fromSeed(`low half ${low} of ${bound}`), word);
        const [reference, words] = [stream, stream].map(({ state }) => new ReferenceGenerator(state)) as [
          ReferenceGenerator,
          ReferenceGenerator,
        ];
        const drawn = stream.integerBelow(bound);
        expect(drawn).toBe(reference.below(bound));
        // The state tells how many words were taken.
        const taken = low < limit ? 2 : 1;
        for (let i = 0; i < taken; i++) words.word();
        expect(stream.nextUint32()).toBe(words.word());
      }
    },
  );
});

describe('of bounds past 2^21, drawn from 53 bits', () => {
  /** A stream whose next draw of 53 bits is this one: the second word is aimed through the first's step. */
  function aimedAt(draw: bigint): RandomStream {
    const stream = RandomStream.fromSeed('53 bits');
    const low = aim(RandomStream.fromSeed('second'), Number(draw % WORDS)).state[1]!;
    aim(stream, Number((draw / WORDS) << 11n));
    // The step makes the second state word the exclusive or of the first three.
    stream.state[2] = low ^ stream.state[1]! ^ stream.state[0]!;
    return stream;
  }

  test.each([2 ** 21 + 1, 3_000_000_019, 2 ** 52 + 1, 2 ** 53 - 1, 2 ** 53])('below %d', (bound) => {
    const limit = 2n ** 53n - (2n ** 53n % BigInt(bound));
    const draws = [0n, BigInt(bound) - 1n, limit - 1n, limit, 2n ** 53n - 1n];
    for (const draw of draws.filter((value) => value < 2n ** 53n)) {
      const stream = aimedAt(draw);
      const words = new ReferenceGenerator(stream.state);
      const bits = (): bigint => BigInt(words.word() >>> 11) * WORDS + BigInt(words.word());
      let value = bits();
      expect(value).toBe(draw);
      while (value >= limit) value = bits();
      expect(stream.integerBelow(bound)).toBe(Number(value % BigInt(bound)));
      expect(stream.nextUint32()).toBe(words.word());
    }
  });
});
