/**
 * Isolation forests through shuffled histograms (S. Wang et al., "Numerical Composition for the Shuffle
 * Model", 2025, section 7.3, names them; F. T. Liu, K. M. Ting and Z.-H. Zhou, "Isolation forest", ICDM
 * 2008). Each node cuts a random coordinate at a random place between the outermost of its users; who is soon
 * alone is unusual. At each level of a tree the users answer one query: the cell (node, bin of the node's
 * coordinate).
 *
 * Differences to the paper of 2008: a tree counts all users where that one has 256 of them; cuts are between
 * bins; a bin is occupied where its count stands out of the noise.
 */
import { Real, requireInteger, requireNonNegative, type RandomStream } from '@shuffle-dp/core';
import { MOST_BINS, type CellHistogram } from '../trees/cell-histogram.ts';
import { histogramRounds, type ShuffledRounds } from '../trees/tree-rounds.ts';
import type { GridPoints } from './grid-points.ts';

export interface IsolationPlan {
  readonly trees: number;
  /** Levels of cuts, at least 1. */
  readonly height: number;
  /**
   * Standard deviations of noise that the count of an occupied bin exceeds; default 2. Without noise it has
   * no effect.
   */
  readonly caution?: number;
}

export interface IsolationNode {
  /** The coordinate that is cut; null at a leaf. */
  readonly coordinate: number | null;
  /** Users in bins below it go to the first child, others to the second. */
  readonly cut: number;
  readonly children: readonly number[];
  readonly depth: number;
  /** Users, as estimated from the counts; at least 1. */
  readonly size: number;
}

/** The root is the first node; children stand after their parents. */
export type IsolationTree = readonly IsolationNode[];

interface GrowingNode extends IsolationNode {
  coordinate: number | null;
  cut: number;
  children: number[];
}

/**
 * Trees that cut a grid at random, with users counted through histograms.
 *
 * @param histogramOf of a tree's number
 * @throws ParameterError, also where a query has more than 65,535 cells
 */
export function isolationForest(
  points: GridPoints,
  plan: IsolationPlan,
  histogramOf: (tree: number) => CellHistogram,
  stream: RandomStream,
): readonly IsolationTree[] {
  requireInteger('trees', plan.trees, 1);
  return Array.from({ length: plan.trees }, (_, tree) =>
    isolationTree(points, plan, histogramOf(tree), stream.fork('tree').fork(tree)),
  );
}

function isolationTree(
  points: GridPoints,
  { height, caution = 2 }: IsolationPlan,
  histogram: CellHistogram,
  stream: RandomStream,
): IsolationTree {
  const { users, bins, columns } = points;
  requireInteger('height', height, 1);
  requireInteger('the number of cells at the last level', 2 ** (height - 1) * bins, 2, MOST_BINS);
  requireNonNegative('caution', caution);
  const nodes: GrowingNode[] = [leaf(0, users)];
  const nodeOf = new Uint32Array(users);
  let open = [0];
  for (let level = 0; level < height && open.length > 0; level++) {
    const asked = open.map(() => stream.integerBelow(columns.length));
    const cellCount = 2 ** level * bins;
    const place = new Int32Array(nodes.length).fill(-1);
    open.forEach((node, i) => (place[node] = i));
    const cells = new Uint16Array(users);
    for (let user = 0; user < users; user++) {
      const at = place[nodeOf[user]!]!;
      // Users of finished nodes still answer; the last cell is then that of no open node.
      cells[user] = at < 0 ? cellCount - 1 : at * bins + columns[asked[at]!]![user]!;
    }
    const { counts, variance } = histogram(cells, cellCount, level, 0);
    const next: number[] = [];
    open.forEach((index, i) => {
      const own = counts.subarray(i * bins, (i + 1) * bins);
      const threshold = caution * Math.sqrt(variance);
      const first = own.findIndex((count) => count > threshold);
      const last = own.findLastIndex((count) => count > threshold);
      if (first === last) return;
      const node = nodes[index]!;
      node.coordinate = asked[i]!;
      node.cut = first + 1 + stream.integerBelow(last - first);
      for (const side of [own.subarray(0, node.cut), own.subarray(node.cut)]) {
        node.children.push(nodes.length);
        next.push(nodes.length);
        const size = side.reduce((sum, count) => sum + count, 0);
        nodes.push(leaf(level + 1, Math.max(1, size)));
      }
    });
    for (let user = 0; user < users; user++) nodeOf[user] = childOf(nodes, nodeOf[user]!, points, user);
    open = next;
  }
  return nodes;
}

function leaf(depth: number, size: number): GrowingNode {
  return { coordinate: null, cut: 0, children: [], depth, size };
}

/** The same node where it is a leaf. */
function childOf(nodes: IsolationTree, index: number, { columns }: GridPoints, user: number): number {
  const { coordinate, cut, children } = nodes[index]!;
  if (coordinate === null) return index;
  return children[columns[coordinate]![user]! < cut ? 0 : 1]!;
}

/** The rounds of a plan, whatever the data: one a level and tree. @throws ParameterError */
export function isolationRounds(
  { users, bins }: { readonly users: number; readonly bins: number },
  { trees, height }: IsolationPlan,
  messagesPerUser: number,
): readonly ShuffledRounds[] {
  requireInteger('trees', trees, 1);
  return Array.from({ length: requireInteger('height', height, 1) }, (_, level) =>
    histogramRounds(users, messagesPerUser, 2 ** level * bins, trees),
  );
}

/**
 * How unusual each user is, in (0, 1]: 2^(-h / c(n)), where h is the mean number of cuts to where the user is
 * alone, those that the tree did not make counted on average, and c(n) that of a random user among the n who
 * grew the trees. Near 1: unusual.
 */
export function anomalyScores(forest: readonly IsolationTree[], points: GridPoints): Float64Array {
  const scores = new Float64Array(points.users);
  const all = averagePath(forest[0]![0]!.size);
  for (let user = 0; user < points.users; user++) {
    let paths = 0;
    for (const tree of forest) {
      let at = 0;
      while (tree[at]!.coordinate !== null) at = childOf(tree, at, points, user);
      paths += tree[at]!.depth + averagePath(tree[at]!.size);
    }
    scores[user] = 2 ** (-paths / forest.length / Math.max(1, all));
  }
  return scores;
}

const EULER = 0.577_215_664_901_532_9;

/**
 * Mean path of an unsuccessful search in a binary search tree of `size` keys (Liu et al. 2008, equation 1).
 */
function averagePath(size: number): number {
  if (size <= 1) return 0;
  if (size <= 2) return size - 1;
  return 2 * (Real.log(size - 1) + EULER) - (2 * (size - 1)) / size;
}

/**
 * Probability that a random marked user has a larger score than a random other; ties count half. NaN without
 * both.
 */
export function areaUnderCurve(scores: Float64Array, marked: Uint8Array): number {
  const order = Uint32Array.from(scores, (_, user) => user).sort((a, b) => scores[a]! - scores[b]!);
  let [below, area, all] = [0, 0, 0];
  for (let i = 0; i < order.length;) {
    let end = i;
    let [here, others] = [0, 0];
    for (; end < order.length && scores[order[end]!] === scores[order[i]!]; end++) {
      if (marked[order[end]!]) here++;
      else others++;
    }
    area += here * (below + others / 2);
    below += others;
    all += here;
    i = end;
  }
  return area / (all * below);
}
