/**
 * Two items in all: every other user holds one or the other, and some split of them is the worst.
 *
 * A user less among the holders of either item hides no more, so that the divergence at every split of a
 * block, with `first` to `last` others at the old item, is at most that of `first` others there and as many
 * at the new item as `last` leaves. Blocks are halved where that matters.
 */
import { requireInteger } from '@shuffle-dp/core';
import { setDivergenceCurve, type SetPair } from './set-divergence.ts';

interface Block {
  readonly first: number;
  readonly last: number;
  readonly curve: (epsilon: number) => number;
}

/** The largest block is halved no more where it exceeds the worst known split by this share. */
const GAP = 2e-3;
/** Blocks in all, for all epsilons. */
const MOST_BLOCKS = 96;

/**
 * The divergence of `pair` at most, however `others` users are split between its old and its new item, each
 * sending it with the pair's rate. In both orders of the hypotheses: exchanging the items exchanges them.
 *
 * @param others at least 1; they take the place of the pair's holders
 * @returns a function of epsilon (nats, at least 0) that remembers blocks; any blocks give a valid upper end
 * @throws ParameterError
 * @example worstSplitUpper({ rate: 0.5, blanketsPerItem: 5, itemsChanged: 1 }, 199)(1) // 7.75155e-9
 */
export function worstSplitUpper(pair: SetPair, others: number): (epsilon: number) => number {
  requireInteger('others', others, 1);
  const block = (first: number, last: number): Block => {
    const holders = { old: first, new: others - last, rate: pair.rate };
    return { first, last, curve: setDivergenceCurve({ ...pair, holders }, 'upper') };
  };
  const blocks = [block(0, 0), block(others, others)];
  if (others > 1) blocks.push(block(1, others - 1));
  return (epsilon) => {
    const values = blocks.map(({ curve }) => curve(epsilon));
    for (;;) {
      const worst = values.indexOf(Math.max(...values));
      const { first, last } = blocks[worst]!;
      const known = Math.max(...values.filter((_, i) => blocks[i]!.first === blocks[i]!.last));
      if (first === last || values[worst]! <= known * (1 + GAP) || blocks.length >= MOST_BLOCKS)
        return values[worst]!;
      const middle = Math.floor((first + last) / 2);
      blocks[worst] = block(first, middle);
      blocks.push(block(middle + 1, last));
      values[worst] = blocks[worst].curve(epsilon);
      values.push(blocks.at(-1)!.curve(epsilon));
    }
  };
}
