/**
 * A hierarchy of intervals over an ordered domain: the leaves are the categories, and each level above joins
 * `branching` neighbours. Any range of categories is a disjoint union of few nodes (M. Hay, V. Rastogi, G.
 * Miklau, D. Suciu, "Boosting the Accuracy of Differentially Private Histograms Through Consistency", PVLDB
 * 3(1), 2010).
 */
import { requireInteger } from '@shuffle-dp/core';

export interface HierarchyLevel {
  /** Categories in a node; the last node of a level may hold fewer. */
  readonly width: number;
  /** Number of nodes, at least 2: the root, which tells nothing, is no level. */
  readonly nodes: number;
}

export interface Hierarchy {
  readonly domain: number;
  readonly branching: number;
  /** Leaves first. */
  readonly levels: readonly HierarchyLevel[];
}

/** The categories from `from` to `to` - 1. */
export interface CategoryRange {
  readonly from: number;
  readonly to: number;
}

/** Neighbouring nodes of one level, from `first` to `end` - 1. */
export interface NodeRun {
  readonly level: number;
  readonly first: number;
  readonly end: number;
}

/** @throws ParameterError for a domain or a branching below 2 */
export function hierarchy(domain: number, branching: number): Hierarchy {
  requireInteger('domain', domain, 2);
  requireInteger('branching', branching, 2);
  const levels: HierarchyLevel[] = [];
  for (let width = 1; width < domain; width *= branching) {
    levels.push(Object.freeze({ width, nodes: Math.ceil(domain / width) }));
  }
  return Object.freeze({ domain, branching, levels: Object.freeze(levels) });
}

/**
 * The fewest nodes whose disjoint union is the range, as runs of neighbours, leaves first: below the top at
 * most 2 (branching - 1) nodes a level.
 * @throws ParameterError unless 0 <= from < to <= domain
 */
export function canonicalRuns(
  { domain, branching, levels }: Hierarchy,
  range: CategoryRange,
): readonly NodeRun[] {
  let first = requireInteger('from', range.from, 0, domain - 1);
  let end = requireInteger('to', range.to, first + 1, domain);
  const runs: NodeRun[] = [];
  const take = (level: number, from: number, to: number): void => {
    if (from < to) runs.push({ level, first: from, end: to });
  };
  levels.forEach(({ nodes }, level) => {
    if (level === levels.length - 1) return take(level, first, end);
    const innerFirst = Math.ceil(first / branching);
    // A parent of fewer than `branching` nodes ends where the domain does.
    const innerEnd = end === nodes ? Math.ceil(end / branching) : Math.floor(end / branching);
    if (innerFirst >= innerEnd) {
      take(level, first, end);
      first = end = 0;
      return;
    }
    take(level, first, innerFirst * branching);
    take(level, innerEnd * branching, end);
    first = innerFirst;
    end = innerEnd;
  });
  return runs;
}

/** Sums of the leaves' numbers over the nodes of every level. */
export function nodeSums({ levels }: Hierarchy, leaves: ArrayLike<number>): readonly Float64Array[] {
  return levels.map(({ width, nodes }) => {
    const sums = new Float64Array(nodes);
    for (let leaf = 0; leaf < leaves.length; leaf++) {
      const node = Math.floor(leaf / width);
      sums[node] = sums[node]! + leaves[leaf]!;
    }
    return sums;
  });
}
