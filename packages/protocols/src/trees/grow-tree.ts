/**
 * Growth of a decision tree level by level from histograms (J. R. Quinlan, "Induction of decision trees",
 * Machine Learning 1, 1986, with Gini impurity): a node asks the attribute that its path has not used and
 * that lowers the impurity most. Nodes of one level share their queries: query j counts, for every node, the
 * values of its j-th unused attribute by class.
 *
 * Noise is met in three places: a node is split only where its users and the gain stand out of the noise, a
 * child takes its parent's class unless its own counts say otherwise, and a node's class counts are averaged
 * over all queries of the level.
 */
import { requireInteger, requireNonNegative } from '@shuffle-dp/core';
import { MOST_BINS, type CellHistogram, type EstimatedCounts } from './cell-histogram.ts';
import type { CategoricalTable } from './categorical-table.ts';
import type { DecisionTree, TreeNode } from './decision-tree.ts';
import { giniGain } from './gini-gain.ts';
import { cellsAtLevel } from './tree-rounds.ts';

export interface GrowthRules {
  /** Levels of splits, from 1 to the number of attributes. */
  readonly height: number;
  /** Nodes that seem to have fewer users are not split; default 2. */
  readonly minimumUsers?: number | undefined;
  /**
   * Standard deviations of noise that a gain must exceed to count; default 1. Without noise it has no effect.
   */
  readonly caution?: number | undefined;
}

interface GrowingNode extends TreeNode {
  label: number;
  attribute: number | null;
  children: number[];
  /** Attributes that the path from the root has not used. */
  readonly unused: readonly number[];
}

/** Standard deviations by which a class must lead before a node leaves its parent's class. */
const LEAD = 1;
/** Gains that differ by this part of the number of users are equal: the first attribute is taken. */
const ROUNDING = 1e-9;

/** @param attributes the attributes that may be asked @throws ParameterError */
export function growTree(
  table: CategoricalTable,
  attributes: readonly number[],
  { height, minimumUsers = 2, caution = 1 }: GrowthRules,
  histogram: CellHistogram,
): DecisionTree {
  requireInteger('height', height, 1, attributes.length);
  requireInteger('minimumUsers', minimumUsers, 1);
  requireNonNegative('caution', caution);
  const { users, classes } = table;
  const arities = attributes.map((attribute) => table.arities[attribute]!);
  const most = cellsAtLevel(arities, classes, height - 1);
  requireInteger('the number of cells at the last level', most, 2, MOST_BINS);

  const nodes: GrowingNode[] = [leaf(0, attributes)];
  const nodeOf = new Uint32Array(users);
  let open = [0];
  for (let level = 0; level < height && open.length > 0; level++) {
    const bins = cellsAtLevel(arities, classes, level);
    const growing: GrowingLevel = { level, nodes, nodeOf, open, bins };
    const answers = attributes.slice(level).map((_, query) => askLevel(table, growing, query, histogram));
    const next: number[] = [];
    open.forEach((index, place) => {
      const node = nodes[index]!;
      const own = answers.map((answer) => answer[place]!);
      const totals = classTotals(own, classes);
      node.label = leadingClass(totals, level === 0 ? null : node.label);
      if (!standsOut(totals, minimumUsers, caution)) return;
      const query = bestQuery(own, classes, caution, ROUNDING * users);
      if (query === null) return;
      node.attribute = node.unused[query]!;
      for (const child of branches(node, own[query]!, classes)) {
        node.children.push(nodes.length);
        next.push(nodes.length);
        nodes.push(child);
      }
    });
    moveUsers(table, nodes, nodeOf);
    open = next;
  }
  return { nodes: nodes.map(({ label, attribute, children }) => ({ label, attribute, children })) };
}

function leaf(label: number, unused: readonly number[]): GrowingNode {
  return { label, attribute: null, children: [], unused };
}

/** The tree before the queries of one level. */
interface GrowingLevel {
  readonly level: number;
  readonly nodes: readonly GrowingNode[];
  /** The node that each user has come to. */
  readonly nodeOf: Uint32Array;
  /** Nodes that may be split. */
  readonly open: readonly number[];
  /** Cells of a query of this level. */
  readonly bins: number;
}

/** One query of a level, cut into the counts of each open node. */
function askLevel(
  table: CategoricalTable,
  { level, nodes, nodeOf, open, bins }: GrowingLevel,
  query: number,
  histogram: CellHistogram,
): readonly EstimatedCounts[] {
  const { users, classes, classOf, columns, arities } = table;
  const firstCell = new Int32Array(nodes.length).fill(-1);
  const column: Uint8Array[] = [];
  const ends: number[] = [];
  let end = 0;
  for (const index of open) {
    const attribute = nodes[index]!.unused[query]!;
    firstCell[index] = end;
    column[index] = columns[attribute]!;
    end += arities[attribute]! * classes;
    ends.push(end);
  }
  const cells = new Uint16Array(users);
  for (let user = 0; user < users; user++) {
    const node = nodeOf[user]!;
    const first = firstCell[node]!;
    // Users of finished nodes still send one message, so that its absence tells nothing; the last cell is
    // then free.
    cells[user] = first < 0 ? bins - 1 : first + column[node]![user]! * classes + classOf[user]!;
  }
  const { counts, variance } = histogram(cells, bins, level, query);
  return ends.map((last, place) => ({ counts: counts.subarray(ends[place - 1] ?? 0, last), variance }));
}

/** The class counts of a node: the average over its queries. */
function classTotals(answers: readonly EstimatedCounts[], classes: number): EstimatedCounts {
  const totals = new Float64Array(classes);
  let variance = 0;
  for (const answer of answers) {
    for (let i = 0; i < answer.counts.length; i++) totals[i % classes]! += answer.counts[i]! / answers.length;
    variance += (answer.variance * answer.counts.length) / classes;
  }
  return { counts: totals, variance: variance / (answers.length * answers.length) };
}

/** Whether a node seems to have users enough. */
function standsOut({ counts, variance }: EstimatedCounts, minimumUsers: number, caution: number): boolean {
  const size = counts.reduce((sum, count) => sum + count, 0);
  return size >= Math.max(minimumUsers, caution * Math.sqrt(counts.length * variance));
}

/** The most frequent class; the inherited one unless its lag is more than noise. */
function leadingClass({ counts, variance }: EstimatedCounts, inherited: number | null): number {
  const best = counts.indexOf(Math.max(...counts));
  if (inherited === null || counts[best]! - counts[inherited]! > LEAD * Math.sqrt(2 * variance)) return best;
  return inherited;
}

/** The query with the largest gain; null where none stands out. */
function bestQuery(
  answers: readonly EstimatedCounts[],
  classes: number,
  caution: number,
  rounding: number,
): number | null {
  let best: number | null = null;
  let bestGain = 0;
  answers.forEach((answer, query) => {
    const { gain, noise } = giniGain(answer, classes);
    if (gain > bestGain + rounding && gain > caution * noise) {
      best = query;
      bestGain = gain;
    }
  });
  return best;
}

/** A leaf for each value of the attribute that `parent` asks, from the counts of its values by class. */
function branches(
  { attribute, unused, label }: GrowingNode,
  { counts, variance }: EstimatedCounts,
  classes: number,
): readonly GrowingNode[] {
  const left = unused.filter((other) => other !== attribute);
  return Array.from({ length: counts.length / classes }, (_, value) => {
    const own = counts.subarray(value * classes, (value + 1) * classes);
    return leaf(leadingClass({ counts: own, variance }, label), left);
  });
}

/** Users of nodes that were just split go on to the child of their value. */
function moveUsers(table: CategoricalTable, nodes: readonly GrowingNode[], nodeOf: Uint32Array): void {
  for (let user = 0; user < table.users; user++) {
    const { attribute, children } = nodes[nodeOf[user]!]!;
    if (attribute !== null) nodeOf[user] = children[table.columns[attribute]![user]!]!;
  }
}
