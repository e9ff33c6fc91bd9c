import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { CELL_BITS, COINS, UNDECIDED, coinMasks, decideCoins } from '../../src/columns/coin-masks.ts';

const CELLS = 2 ** CELL_BITS;

test('whole cells and what is left of them add up to the probability of every pattern', () => {
  const probabilities = [0, 1e-9, 0.001, 0.25, 0.37, 0.5, 0.9, 1 - 1e-7, 1];
  const masks = coinMasks(Float64Array.from(probabilities));
  probabilities.forEach((probability, index) => {
    const cells = masks.cells.subarray(index * CELLS, (index + 1) * CELLS);
    const leftOver = cells.filter((cell) => cell === UNDECIDED).length;
    expect(leftOver).toBeLessThanOrEqual(2 ** COINS);
    let below = 0;
    for (let pattern = 0; pattern < 2 ** COINS; pattern++) {
      const whole = cells.filter((cell) => cell === pattern).length;
      const chance = leftOver === 0 ? 0 : masks.rest[index * 2 ** COINS + pattern]! - below;
      below += chance;
      let expected = 1;
      for (let coin = 0; coin < COINS; coin++)
        expected *= (pattern >> coin) & 1 ? probability : 1 - probability;
      expect(whole / CELLS + (chance * leftOver) / CELLS).toBeCloseTo(expected, 15);
    }
  });
});

test('a further draw picks a pattern by the chances of the cells left over', () => {
  const masks = coinMasks(Float64Array.of(0.5, 0.37));
  const stream = RandomStream.fromSeed('coins');
  let draw = 0;
  Object.assign(stream, { next: () => draw });
  for (let pattern = 0; pattern < 2 ** COINS; pattern++) {
    const upTo = masks.rest[2 ** COINS + pattern]!;
    draw = upTo - 1e-9;
    expect(decideCoins(masks, 1, stream)).toBe(pattern);
    draw = upTo;
    if (pattern < 2 ** COINS - 1) expect(decideCoins(masks, 1, stream)).toBe(pattern + 1);
  }
});
