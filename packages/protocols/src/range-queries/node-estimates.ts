/** Estimated frequencies of the nodes of a hierarchy, and what follows from them for ranges. */
import { ParameterError, type FrequencyOracle } from '@shuffle-dp/core';
import type { NodeCounts } from './hierarchical-response.ts';
import { canonicalRuns, type CategoryRange, type Hierarchy } from './hierarchy.ts';

export interface NodeEstimates {
  readonly hierarchy: Hierarchy;
  /** Estimated fraction of the users in each node, by level, leaves first; may leave [0, 1]. */
  readonly frequencies: readonly Float64Array[];
}

/**
 * The frequencies of each level among the users who drew it, whose number the analyzer sees. Unbiased; each
 * level sums to 1.
 * @throws ParameterError for a level that nobody drew
 */
export function estimateNodes(
  hierarchy: Hierarchy,
  oracles: readonly FrequencyOracle[],
  counts: NodeCounts,
): NodeEstimates {
  const frequencies = oracles.map((oracle, h) => {
    const users = counts[h]!.reduce((sum, count) => sum + count, 0);
    if (users === 0) throw new ParameterError(`users of level ${h}`, 0, 'at least 1');
    return oracle.estimate(counts[h]!, users);
  });
  return Object.freeze({ hierarchy, frequencies });
}

/**
 * Estimated fraction of the users in a range of categories: the sum over its canonical nodes. Unbiased where
 * the estimates are. @throws ParameterError unless 0 <= from < to <= domain
 */
export function answerRange({ hierarchy, frequencies }: NodeEstimates, range: CategoryRange): number {
  let answer = 0;
  for (const { level, first, end } of canonicalRuns(hierarchy, range)) {
    for (let node = first; node < end; node++) answer += frequencies[level]![node]!;
  }
  return answer;
}

/**
 * The estimates made consistent, every node the sum of its children and the whole 1: weighted least squares
 * for independent errors with one variance per level, in a pass up and a pass down the tree (Hay et al.,
 * PVLDB 3(1), 2010, with weights as for unequal levels). Linear, so that unbiased estimates stay so; errors
 * of one level are in fact a little correlated, so it is not quite the best linear estimate. Ranges mostly
 * gain from it.
 * @param levelVariances positive, up to a common factor, leaves first; see
 * `RangeQueryProtocol.levelVariances`
 * @throws ParameterError unless there is a positive variance for each level
 */
export function consistentEstimates(
  { hierarchy, frequencies }: NodeEstimates,
  levelVariances: readonly number[],
): NodeEstimates {
  hierarchy.levels.forEach((_, h) => {
    const variance = levelVariances[h];
    if (!(variance !== undefined && variance > 0 && variance < Infinity)) {
      throw new ParameterError(`levelVariances[${h}]`, variance ?? 'nothing', 'a positive number');
    }
  });
  return Object.freeze({ hierarchy, frequencies: leastSquares(hierarchy, frequencies, levelVariances, 1) });
}

/**
 * The linear part of consistency: leaves fitted to the estimates of one level and to zeros at all others,
 * with total 0.
 */
export function fitLeaves(
  hierarchy: Hierarchy,
  levelVariances: readonly number[],
  level: number,
  estimates: Float64Array,
): Float64Array {
  const frequencies = hierarchy.levels.map(({ nodes }, h) =>
    h === level ? estimates : new Float64Array(nodes),
  );
  return leastSquares(hierarchy, frequencies, levelVariances, 0)[0]!;
}

/** Nodes that are the sums of their children and in all `total`. */
function leastSquares(
  { branching, levels }: Hierarchy,
  frequencies: readonly Float64Array[],
  levelVariances: readonly number[],
  total: number,
): readonly Float64Array[] {
  const values = frequencies.map((level) => level.slice());
  const variances = levels.map(({ nodes }, h) => new Float64Array(nodes).fill(levelVariances[h]!));
  // Upwards: every node joins its own estimate with the sum of its children's.
  for (let h = 1; h < levels.length; h++) {
    for (let node = 0; node < levels[h]!.nodes; node++) {
      const below = sumOfChildren(values[h - 1]!, variances[h - 1]!, node * branching, branching);
      const weight = below.variance / (below.variance + levelVariances[h]!);
      values[h]![node] = weight * values[h]![node]! + (1 - weight) * below.value;
      variances[h]![node] = weight * levelVariances[h]!;
    }
  }
  // Downwards: what the children lack of their parent is shared out by their variances. The root is known.
  const top = levels.length - 1;
  shareOut(values[top]!, variances[top]!, 0, levels[top]!.nodes, total);
  for (let h = top; h > 0; h--) {
    for (let node = 0; node < levels[h]!.nodes; node++) {
      shareOut(values[h - 1]!, variances[h - 1]!, node * branching, branching, values[h]![node]!);
    }
  }
  return values;
}

function sumOfChildren(
  values: Float64Array,
  variances: Float64Array,
  first: number,
  most: number,
): { readonly value: number; readonly variance: number } {
  let value = 0;
  let variance = 0;
  for (let child = first; child < Math.min(first + most, values.length); child++) {
    value += values[child]!;
    variance += variances[child]!;
  }
  return { value, variance };
}

function shareOut(
  values: Float64Array,
  variances: Float64Array,
  first: number,
  most: number,
  total: number,
): void {
  const { value, variance } = sumOfChildren(values, variances, first, most);
  for (let child = first; child < Math.min(first + most, values.length); child++) {
    values[child] = values[child]! + ((total - value) * variances[child]!) / variance;
  }
}
