/** Crafted messages by what a message is: one category, a set of categories, a row of bits, or a bucket. */
import { ParameterError, sampleSubset, type CraftedMessages, type RandomStream } from '@shuffle-dp/core';
import type { BitColumns } from '../columns/bit-rows.ts';
import type { CategoryColumns } from '../columns/category-column.ts';
import type { LinearHashFamily } from './linear-hash-family.ts';

type Support = CraftedMessages['support'];

/** Of messages that support so many categories, all alike but for the targets, which come first. */
function supportOfSets(domain: number, size: number): Support {
  return (attack, targets) => {
    const inside = attack === 'maximal-gain' ? Math.min(size, targets) : (targets * size) / domain;
    return {
      ofTarget: inside / targets,
      ofOther: domain === targets ? 0 : (size - inside) / (domain - targets),
    };
  };
}

/** Of messages that may support any categories at once, by chance each with these probabilities. */
function supportOfRows(random: number, ofOther: number): Support {
  return (attack) =>
    attack === 'maximal-gain' ? { ofTarget: 1, ofOther } : { ofTarget: random, ofOther: random };
}

/** Of randomized response. */
export function craftedCategories(domain: number): CraftedMessages<CategoryColumns> {
  return {
    support: supportOfSets(domain, 1),
    writer:
      (attack, targets, { value }, stream) =>
      (row) => {
        value[row] =
          attack === 'maximal-gain'
            ? targets[stream.integerBelow(targets.length)]!
            : stream.integerBelow(domain);
      },
  };
}

/** Of subsets of so many categories. */
export function craftedSubsets(domain: number, size: number): CraftedMessages<BitColumns> {
  return {
    support: supportOfSets(domain, size),
    writer(attack, targets, columns, stream) {
      const add = subsetWriter(columns, size, stream);
      const all = Array.from({ length: domain }, (_, v) => v);
      if (attack === 'random-message') return (row) => add(row, all, size);
      const isTarget = new Set(targets);
      const others = all.filter((v) => !isTarget.has(v));
      const inside = Math.min(size, targets.length);
      return (row) => {
        add(row, targets, inside);
        add(row, others, size - inside);
      };
    },
  };
}

/** Adds a uniform subset of so many of the categories to a row. */
function subsetWriter(
  columns: BitColumns,
  size: number,
  stream: RandomStream,
): (row: number, of: readonly number[], more: number) => void {
  const chosen = new Uint32Array(size);
  return (row, of, more) => {
    sampleSubset(more, of.length, chosen, 0, stream);
    for (let i = 0; i < more; i++) setBit(columns, row, of[chosen[i]!]!);
  };
}

/**
 * Of rows of one bit a category. The best message has other bits as an honest row has them, so that the
 * number of ones does not tell.
 *
 * @param other probability of a one among the bits of other categories
 */
export function craftedRows(domain: number, other: number): CraftedMessages<BitColumns> {
  return {
    support: supportOfRows(1 / 2, other),
    writer(attack, targets, columns, stream) {
      const isTarget = new Set(attack === 'maximal-gain' ? targets : []);
      const chance = attack === 'maximal-gain' ? other : 1 / 2;
      return (row) => {
        for (let v = 0; v < domain; v++)
          if (isTarget.has(v) || stream.next() < chance) setBit(columns, row, v);
      };
    },
  };
}

/**
 * Of buckets under a hash function. What they support is the attacker's best case, a function that puts all
 * targets into one bucket; to find one takes a search.
 */
export function craftedBuckets(
  family: LinearHashFamily,
): CraftedMessages<{ readonly seed: Uint32Array; readonly bucket: Uint16Array }> {
  const { range } = family;
  return {
    support: supportOfRows(1 / range, 1 / range),
    writer(attack, targets, { seed, bucket }, stream) {
      if (attack === 'maximal-gain' && targets.length > 1)
        throw new ParameterError(
          'targets',
          targets,
          'one for local-hash where every message is made: a hash function that joins several need not exist',
        );
      return (row) => {
        seed[row] = stream.integerBelow(family.size);
        bucket[row] =
          attack === 'maximal-gain' ? family.hash(seed[row]!, targets[0]!) : stream.integerBelow(range);
      };
    },
  };
}

function setBit(columns: BitColumns, row: number, category: number): void {
  const word = columns[`w${category >>> 5}`]!;
  word[row] = word[row]! | (1 << (category & 31));
}
