/** Draws from a fixed distribution in constant time: Walker's alias method with Vose's construction. */
import { ParameterError } from '../errors.ts';
import type { RandomStream } from './random-stream.ts';

export interface AliasTable {
  /** Number of weights. */
  readonly size: number;
  /** Index of a weight, with probability in proportion to it. */
  sample(stream: RandomStream): number;
}

/**
 * A law on 0, 1, ... by weights, of which a draw costs the same whatever their number.
 *
 * @param weights non-negative, not all zero; normalised here.
 * @throws ParameterError
 * @example aliasTable([1, 2, 7]).sample(RandomStream.fromSeed('example')) // 2
 */
export function aliasTable(weights: ArrayLike<number>): AliasTable {
  const size = weights.length;
  let total = 0;
  for (let i = 0; i < size; i++) {
    if (!(weights[i]! >= 0 && weights[i]! < Infinity))
      throw new ParameterError(`weights[${i}]`, weights[i], 'zero or a positive number');
    total += weights[i]!;
  }
  if (!(total > 0)) throw new ParameterError('the sum of weights', total, 'positive');
  const threshold = new Float64Array(size);
  const alias = new Uint32Array(size);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < size; i++) {
    threshold[i] = (weights[i]! * size) / total;
    (threshold[i]! < 1 ? small : large).push(i);
  }
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop()!;
    const rich = large.at(-1)!;
    alias[poor] = rich;
    threshold[rich] = threshold[rich]! + threshold[poor]! - 1;
    if (threshold[rich]! < 1) small.push(large.pop()!);
  }
  for (const left of [...small, ...large]) threshold[left] = 1;
  return {
    size,
    sample(stream) {
      const column = stream.integerBelow(size);
      return stream.next() < threshold[column]! ? column : alias[column]!;
    },
  };
}
