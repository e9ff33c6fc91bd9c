/** A randomizer of few inputs and few outputs, by the probabilities of its outputs. */
import type { Fixed, FixedPoint } from './fixed-point.ts';

/** Probabilities of the outputs on one input. */
export type Law = readonly Fixed[];

export interface FiniteMechanism {
  /** By the victim's input. */
  readonly victims: readonly Law[];
  /** By any other user's input; of multi-message protocols the one law of the messages that hide. */
  readonly others: readonly Law[];
}

/** A data set of the other users, and the victim's two inputs, all as indices of laws. */
export type DataSet = (first: number, second: number, others: readonly number[]) => boolean;

export const sameInputs = (laws: readonly Law[]): FiniteMechanism => ({ victims: laws, others: laws });

/** Weights of any positive sum, scaled to probabilities. */
export function normalised(weights: readonly Fixed[], { one }: FixedPoint): Law {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  return weights.map((weight) => (weight * one) / total);
}

/** Rows of weights that depend on input and output. */
export function lawsFrom<X, Y>(
  inputs: readonly X[],
  outputs: readonly Y[],
  weight: (input: X, output: Y) => Fixed,
  arithmetic: FixedPoint,
): Law[] {
  return inputs.map((input) =>
    normalised(
      outputs.map((output) => weight(input, output)),
      arithmetic,
    ),
  );
}

/** Outputs that are equally likely on every input tell the same, and count as one. */
export function withoutEqualOutputs({ victims, others }: FiniteMechanism): FiniteMechanism {
  const rows = [...victims, ...others];
  const merged = new Map<string, number[]>();
  rows[0]!.forEach((_, y) => {
    const column = rows.map((row) => row[y]!.toString(16)).join();
    merged.set(column, [...(merged.get(column) ?? []), y]);
  });
  const groups = [...merged.values()];
  const shorter = (row: Law): Law => groups.map((group) => group.reduce((sum, y) => sum + row[y]!, 0n));
  return { victims: victims.map(shorter), others: others.map(shorter) };
}

export function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

/** All subsets of 0 … size - 1 with so many elements, as sets. */
export function subsetsOf(size: number, elements: number): number[][] {
  return range(1 << size)
    .map((mask) => range(size).filter((i) => (mask >> i) & 1))
    .filter((subset) => subset.length === elements);
}

/** All words of so many letters, each below `letters`. */
export function wordsOf(length: number, letters: number): number[][] {
  return range(letters ** length).map((code) =>
    range(length).map((place) => Math.floor(code / letters ** place) % letters),
  );
}
