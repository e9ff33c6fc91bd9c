import type { OtherInput, TypedInputs } from '@shuffle-dp/core';
import type { RandomizerMatrix } from '../oracle/exhaustive-divergence.ts';

/** All inputs of a randomizer given by its matrix, against one pair of the victim's; the blanket is their infimum. */
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

/** All pairs in one order. */
export function typedInputsOf(matrix: RandomizerMatrix): TypedInputs {
  const pairs = matrix.flatMap((_, x1) =>
    matrix.slice(0, x1).map((__, x0) => ({
      label: `${x0} or ${x1}`,
      inputs: inputsOf(matrix, x0, x1),
      symmetric: false,
    })),
  );
  return { pairs, domain: matrix.length };
}
