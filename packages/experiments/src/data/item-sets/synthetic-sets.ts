/**
 * Synthetic sets of s items: drawn one after another without replacement, with probability proportional to
 * the weights of the items not yet held.
 */
import { aliasTable, onDemand, ParameterError, sampleSubset, type RandomStream } from '@shuffle-dp/core';
import { itemProbabilities, type ItemShape } from '../item-weights.ts';
import { insertDistinct } from './padding.ts';
import type { SetLaw } from './set-law.ts';
import { hasSuccessiveLaw, successiveLaw } from './successive-law.ts';

export interface SyntheticSets {
  /** The probability that a user holds each item; null where it has no closed form. */
  readonly population: Float64Array | null;
  /** Of whole sets; absent where there are too many of them to list. */
  readonly law?: () => SetLaw;
  /** Of the items at the first draw. */
  readonly probabilities: Float64Array;
  /** Writes the next user's increasing items to target[offset ...). */
  drawInto(target: Uint16Array, offset: number, stream: RandomStream): void;
}

/** Draws an item may take on average; beyond, the shape is too steep for s distinct items. */
const MOST_REPEATS = 10_000;

/** @throws ParameterError where s distinct items hardly ever come up */
export function syntheticSets(shape: ItemShape, domain: number, s: number): SyntheticSets {
  if (shape.kind === 'uniform' || s === domain) {
    const probabilities = new Float64Array(domain).fill(1 / domain);
    return {
      population: new Float64Array(domain).fill(s / domain),
      probabilities,
      ...lawOf(probabilities, s),
      drawInto: (target, offset, stream) => sampleSubset(s, domain, target, offset, stream),
    };
  }
  const probabilities = itemProbabilities(shape, domain);
  const lightest = probabilities.toSorted().subarray(0, domain - s + 1);
  if (lightest.reduce((sum, weight) => sum + weight, 0) * MOST_REPEATS < 1) {
    throw new ParameterError(
      'data.items',
      s,
      'fewer, or the distribution less steep: so many distinct items hardly ever come up',
    );
  }
  const table = aliasTable(probabilities);
  return {
    population: s === 1 ? probabilities : null,
    probabilities,
    ...lawOf(probabilities, s),
    drawInto: (target, offset, stream) => {
      for (let held = 0; held < s;)
        if (insertDistinct(target, offset, offset + held, table.sample(stream))) held++;
    },
  };
}

function lawOf(probabilities: Float64Array, s: number): Pick<SyntheticSets, 'law'> {
  return hasSuccessiveLaw(probabilities.length, s)
    ? { law: onDemand(() => successiveLaw(probabilities, s)) }
    : {};
}
