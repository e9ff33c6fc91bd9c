import { describe, expect, it } from 'vitest';
import { aliasTable, RandomStream } from '@shuffle-dp/core';
import { aim } from '@shuffle-dp/core/testkit';

const zipf = (size: number): Float64Array => Float64Array.from({ length: size }, (_, i) => 1 / (1 + i));

describe('filling from an alias table', () => {
  it.each([
    ['one index', Float64Array.of(3)],
    ['a power of two', zipf(16)],
    ['as many as half a word tells apart', zipf(2 ** 16)],
    ['one more', zipf(2 ** 16 + 1)],
    ['thresholds of all bits', Float64Array.of(1, 1e-300, 1 / 3, 2 / 7, 1e-17, 5e-16)],
    ['impossible ones', Float64Array.of(0, 1, 0, 0, 2)],
    ['equal ones, all at their threshold', new Float64Array(7).fill(1)],
    // One word in some two thousand is drawn again.
    ['words that are drawn again', zipf(2 ** 21 - 2 ** 20 + 1)],
    ['more than one word tells apart', zipf(2 ** 21 + 1)],
  ])('gives what as many draws give: %s', (_, weights) => {
    const table = aliasTable(weights);
    const [one, all] = [RandomStream.fromSeed('alias'), RandomStream.fromSeed('alias')];
    const drawn = Uint32Array.from({ length: 6_000 }, () => table.sample(one));
    const filled = new Uint32Array(drawn.length);
    table.fill(filled, all);
    expect(filled).toEqual(drawn);
    expect(all.state).toEqual(one.state);
  });

  it('draws a word again where draws do', () => {
    const table = aliasTable(zipf(3));
    // 2^32 = 1 modulo 3: the first multiple of 3 alone favours its column.
    for (const word of [0, 1, 2 ** 32 - 1]) {
      const [one, all] = ['', ''].map(() => aim(RandomStream.fromSeed('again'), word)) as [
        RandomStream,
        RandomStream,
      ];
      const filled = new Uint32Array(5);
      table.fill(filled, all);
      expect([...filled]).toEqual(Array.from(filled, () => table.sample(one)));
    }
  });
});
