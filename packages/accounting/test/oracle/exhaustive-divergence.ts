/**
 * The true divergence after shuffling, by listing everything: all data sets of `users` users, all neighbours
 * by replacing one user's value, all multisets of outputs. For a handful of users and values only.
 */
import type { LikelihoodAtoms } from '@shuffle-dp/core';

/** Row x: the law of the output on input x. */
export type RandomizerMatrix = readonly (readonly number[])[];

export interface Worst {
  readonly delta: number;
  readonly victim: readonly [number, number];
  readonly others: readonly number[];
}

/**
 * The largest divergence over all pairs of neighbouring data sets; `admits` narrows the others' values,
 * `mayBeVictim` the victim's.
 */
export function exhaustiveDivergence(
  matrix: RandomizerMatrix,
  users: number,
  epsilon: number,
  admits: (others: readonly number[]) => boolean = () => true,
  mayBeVictim: (value: number) => boolean = () => true,
): Worst {
  let worst: Worst = { delta: 0, victim: [0, 0], others: [] };
  for (const others of multisets(matrix.length, users - 1)) {
    if (!admits(others)) continue;
    const laws = matrix.map((row) => histogramLaw([...others.map((x) => matrix[x]!), row]));
    for (let x0 = 0; x0 < matrix.length; x0++) {
      for (let x1 = 0; x1 < matrix.length; x1++) {
        if (x0 === x1 || !mayBeVictim(x0) || !mayBeVictim(x1)) continue;
        const delta = hockeyStick(laws[x0]!, laws[x1]!, Math.exp(epsilon));
        if (delta > worst.delta) worst = { delta, victim: [x0, x1], others };
      }
    }
  }
  return worst;
}

function hockeyStick(
  p: ReadonlyMap<string, number>,
  q: ReadonlyMap<string, number>,
  expEpsilon: number,
): number {
  let sum = 0;
  for (const [key, mass] of p) sum += Math.max(0, mass - expEpsilon * (q.get(key) ?? 0));
  return sum;
}

/** The law of the histogram of independent outputs, one per row. */
function histogramLaw(rows: readonly (readonly number[])[]): Map<string, number> {
  const outputs = rows[0]!.length;
  let law = new Map<string, number>([[Array.from({ length: outputs }, () => 0).join(), 1]]);
  for (const row of rows) {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      const counts = key.split(',').map(Number);
      row.forEach((probability, y) => {
        if (probability === 0) return;
        counts[y] = counts[y]! + 1;
        const grown = counts.join();
        next.set(grown, (next.get(grown) ?? 0) + mass * probability);
        counts[y] = counts[y]! - 1;
      });
    }
    law = next;
  }
  return law;
}

/** All non-decreasing sequences of `length` values below `values`. */
function* multisets(values: number, length: number, from = 0): Generator<number[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (let first = from; first < values; first++) {
    for (const rest of multisets(values, length - 1, first)) yield [first, ...rest];
  }
}

/** All ordered pairs of inputs against the pointwise infimum over all inputs. */
export function blanketAtomsOf(matrix: RandomizerMatrix): LikelihoodAtoms[] {
  const infimum = matrix[0]!.map((_, y) => Math.min(...matrix.map((row) => row[y]!)));
  return pairsOf(matrix).map(([x0, x1]) => atomsAgainst(matrix, x0, x1, infimum));
}

/** All pairs of inputs against every input. */
export function homogeneousAtomsOf(matrix: RandomizerMatrix): LikelihoodAtoms[] {
  return pairsOf(matrix).flatMap(([x0, x1]) => matrix.map((row) => atomsAgainst(matrix, x0, x1, row)));
}

function pairsOf(matrix: RandomizerMatrix): [number, number][] {
  return matrix.flatMap((_, x1) => matrix.slice(0, x1).map((__, x0): [number, number] => [x0, x1]));
}

function atomsAgainst(
  matrix: RandomizerMatrix,
  x0: number,
  x1: number,
  others: readonly number[],
): LikelihoodAtoms {
  return {
    label: `${x0} or ${x1}`,
    victim0: Float64Array.from(matrix[x0]!),
    victim1: Float64Array.from(matrix[x1]!),
    others: Float64Array.from(others),
    symmetric: false,
  };
}
