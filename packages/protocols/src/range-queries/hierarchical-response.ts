/**
 * The local randomizer of hierarchical range queries: a user draws a level of the hierarchy uniformly and
 * sends it with the generalized randomized response of the node that holds the user's category there, at full
 * budget (G. Cormode, T. Kulkarni, D. Srivastava, "Answering Range Queries Under Local Differential Privacy",
 * PVLDB 12(10), 2019; in the shuffle model Wang et al., PVLDB 17(8), 2024, section 7.3).
 */
import {
  requirePositive,
  sampleUniformMultinomial,
  type FrequencyOracle,
  type LocalRandomizer,
  type RandomStream,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import { parallelProfile } from '@shuffle-dp/accounting';
import { generalizedRandomizedResponse, type CategoryColumns } from '@shuffle-dp/randomizers';
import { nodeSums, type Hierarchy } from './hierarchy.ts';
import { rangeInputs } from './range-inputs.ts';

export type NodeColumns = { readonly level: Uint8Array; readonly node: CategoryColumns['value'] };

/** Messages per level and node, leaves first. */
export type NodeCounts = readonly Float64Array[];

export interface HierarchicalResponse extends LocalRandomizer<Uint32Array, NodeColumns> {
  /** The randomizer of the users who drew each level. */
  readonly oracles: readonly FrequencyOracle<CategoryColumns>[];
  countNodes(messages: ShuffledMessages<NodeColumns>): NodeCounts;
  /** Draws the counts for users with these leaves from their exact joint law, without making messages. */
  sampleNodeCounts(histogram: Float64Array, stream: RandomStream): NodeCounts;
}

/** @throws ParameterError for epsilon0 <= 0 or a domain above 2^21 */
export function hierarchicalResponse(tree: Hierarchy, epsilon0: number): HierarchicalResponse {
  requirePositive('epsilon0', epsilon0);
  const { levels } = tree;
  const oracles = levels.map(({ nodes }) => generalizedRandomizedResponse({ domain: nodes, epsilon0 }));
  const tables = randomizerTables(tree, oracles);
  return Object.freeze({
    name: 'hierarchical-grr',
    epsilon0,
    oracles,
    bitsPerMessage:
      Math.log2(levels.length) +
      oracles.reduce((sum, oracle) => sum + oracle.bitsPerMessage, 0) / levels.length,
    allocate: (users: number) => ({
      columns: { level: new Uint8Array(users), node: oracles[0]!.allocate(users).columns.value },
      count: 0,
    }),
    randomizeInto(values, messages, stream) {
      for (let start = 0; start < values.length; start += BLOCK)
        randomizeBlock(values.subarray(start, start + BLOCK), messages.columns, start, tables, stream);
      messages.count = values.length;
    },
    countNodes: ({ columns, count }) => countNodes(columns, count, levels),
    sampleNodeCounts: (histogram, stream) => sampleNodeCounts(tree, oracles, histogram, stream),
    amplification: () => profile(tree, oracles),
  } satisfies HierarchicalResponse);
}

const BLOCK = 8192;

interface RandomizerTables {
  readonly width: Float64Array;
  readonly nodes: Uint32Array;
  /** Probability of the own node on top of a uniform draw. */
  readonly truthful: Float64Array;
}

function randomizerTables({ levels }: Hierarchy, oracles: readonly FrequencyOracle[]): RandomizerTables {
  return {
    width: Float64Array.from(levels, ({ width }) => width),
    nodes: Uint32Array.from(levels, ({ nodes }) => nodes),
    truthful: Float64Array.from(oracles, ({ supportProbability: { own, other } }) => own - other),
  };
}

/** The messages of a block of users, who stand from `start` on in the columns. */
function randomizeBlock(
  values: Uint32Array,
  { level, node }: NodeColumns,
  start: number,
  { width, nodes, truthful }: RandomizerTables,
  stream: RandomStream,
): void {
  const levels = width.length;
  for (let i = 0; i < values.length; i++) {
    const h = stream.integerBelow(levels);
    level[start + i] = h;
    node[start + i] =
      stream.next() < truthful[h]! ? Math.floor(values[i]! / width[h]!) : stream.integerBelow(nodes[h]!);
  }
}

function countNodes(columns: NodeColumns, count: number, levels: Hierarchy['levels']): NodeCounts {
  const offsets = new Uint32Array(levels.length + 1);
  levels.forEach(({ nodes }, h) => (offsets[h + 1] = offsets[h]! + nodes));
  const counts = new Float64Array(offsets[levels.length]!);
  for (let start = 0; start < count; start += BLOCK) {
    countBlock(columns, start, Math.min(count, start + BLOCK), offsets, counts);
  }
  return levels.map((_, h) => counts.slice(offsets[h], offsets[h + 1]));
}

function countBlock(
  { level, node }: NodeColumns,
  start: number,
  end: number,
  offsets: Uint32Array,
  counts: Float64Array,
): void {
  for (let i = start; i < end; i++) {
    const cell = offsets[level[i]!]! + node[i]!;
    counts[cell] = counts[cell]! + 1;
  }
}

/** The users of every leaf are spread over the levels first; given that, levels are independent. */
function sampleNodeCounts(
  tree: Hierarchy,
  oracles: readonly FrequencyOracle[],
  histogram: Float64Array,
  stream: RandomStream,
): NodeCounts {
  const leavesOfLevel = tree.levels.map(() => new Float64Array(tree.domain));
  const spread = new Float64Array(tree.levels.length);
  for (let leaf = 0; leaf < histogram.length; leaf++) {
    spread.fill(0);
    sampleUniformMultinomial(histogram[leaf]!, spread, stream);
    for (let h = 0; h < spread.length; h++) leavesOfLevel[h]![leaf] = spread[h]!;
  }
  return oracles.map((oracle, h) =>
    oracle.sampleSupportCounts(nodeSums(tree, leavesOfLevel[h]!)[h]!, stream),
  );
}

/**
 * The victim's two leaves, the first and the last, differ at every level. For the lower bounds all others
 * hold one leaf that lies apart from both at every level of three or more nodes and beside the first one at a
 * level of two; or they hold the victim's first leaf.
 */
function profile(tree: Hierarchy, oracles: readonly FrequencyOracle[]) {
  const queries = oracles.map((oracle) => ({
    probability: 1 / oracles.length,
    amplification: oracle.amplification(),
  }));
  const homogeneous = queries.map(({ amplification }) => amplification.homogeneous);
  const elsewhere = homogeneous.map((entries) => entries[0]!);
  const withVictim = homogeneous.map((entries) => entries.at(-1)!);
  return { ...parallelProfile(queries, [elsewhere, withVictim]), typed: rangeInputs(tree, oracles) };
}
