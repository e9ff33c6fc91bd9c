import type { OtherInput } from '@shuffle-dp/core';
import type { RandomizerMatrix } from '../oracle/exhaustive-divergence.ts';

/**
 * All inputs of a randomizer given by its matrix, against one pair of the victim's; the blanket is their
 * infimum.
 */
export function inputsOf(matrix: RandomizerMatrix, x0: number, x1: number): OtherInput[] {
  const infimum = matrix[0]!.map((_, y) => Math.min(...matrix.map((row) => row[y]!)));
  return matrix.map((row, x) => ({
    label: `others hold ${x}`,
    victim0: Float64Array.from(matrix[x0]!),
    victim1: Float64Array.from(matrix[x1]!),
    own: Float64Array.from(row),
    blanket: Float64Array.from(infimum),
  }));
}
