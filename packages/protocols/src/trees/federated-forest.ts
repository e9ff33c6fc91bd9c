/**
 * Decision trees and forests learnt from shuffled histograms, and the same learnt from exact ones to compare with. What they ask of
 * their users, and so their privacy, is in `rounds`.
 */
import {
  ParameterError,
  requireInteger,
  sampleSubset,
  type RandomStream,
  type SimulationPath,
} from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import { checkCategoricalTable, type CategoricalTable } from './categorical-table.ts';
import { exactHistogram, shuffledHistogram } from './cell-histogram.ts';
import type { DecisionTree } from './decision-tree.ts';
import { growTree, type GrowthRules } from './grow-tree.ts';
import { mergeRounds, treeRounds, type ShuffledRounds } from './tree-rounds.ts';

export interface ForestPlan extends GrowthRules {
  /** Number of trees, grown one after the other over all users; default 1. */
  readonly trees?: number;
  /** Attributes that a tree may ask; default all. */
  readonly attributesPerTree?: number;
  /** 'random': a fresh random subset for each tree; 'disjoint': no attribute serves two trees. Default random. */
  readonly attributeChoice?: 'random' | 'disjoint';
}

export interface FederatedForestPlan extends ForestPlan {
  /** m: every user sends their own cell and m - 1 uniform blanket messages in every round; at least 2. */
  readonly messagesPerUser: number;
}

export interface FederatedForest {
  readonly trees: readonly DecisionTree[];
  /** All rounds of all trees, for the accountant: bounds that hold whatever the data were. */
  readonly rounds: readonly ShuffledRounds[];
  /** Messages that a user sends over all rounds. */
  readonly totalMessagesPerUser: number;
}

/**
 * Trees from histograms that passed the shuffler. Both paths give trees with one law; 'aggregated' makes no messages.
 * The choice of attributes depends on the stream alone, so that `trainForest` on the same stream chooses the same.
 * @throws ParameterError, also where the last level has more than 65,535 cells
 */
export function trainFederatedForest(
  table: CategoricalTable,
  plan: FederatedForestPlan,
  stream: RandomStream,
  path: SimulationPath,
): FederatedForest {
  checkCategoricalTable(table);
  const rounds = forestRounds(table, plan, stream);
  const trees = attributeSets(table, plan, stream).map((attributes, tree) =>
    growTree(
      table,
      attributes,
      plan,
      shuffledHistogram(plan.messagesPerUser, stream.fork('tree').fork(tree), path),
    ),
  );
  const count = rounds.reduce((sum, round) => sum + round.count, 0);
  return { trees, rounds, totalMessagesPerUser: count * plan.messagesPerUser };
}

/** The forest without privacy: the same growth from exact counts. @throws ParameterError */
export function trainForest(
  table: CategoricalTable,
  plan: ForestPlan,
  stream: RandomStream,
): readonly DecisionTree[] {
  checkCategoricalTable(table);
  return attributeSets(table, plan, stream).map((attributes) =>
    growTree(table, attributes, plan, exactHistogram),
  );
}

/** The rounds of a plan before it is carried out: those that `trainFederatedForest` returns. @throws ParameterError */
export function forestRounds(
  table: Pick<CategoricalTable, 'users' | 'classes' | 'arities'>,
  plan: FederatedForestPlan,
  stream: RandomStream,
): readonly ShuffledRounds[] {
  const { users, classes } = table;
  return mergeRounds(
    attributeSets(table, plan, stream).flatMap((attributes) =>
      treeRounds({
        users,
        classes,
        arities: attributes.map((attribute) => table.arities[attribute]!),
        height: plan.height,
        messagesPerUser: plan.messagesPerUser,
      }),
    ),
  );
}

/** The attributes of each tree. */
function attributeSets(
  { arities }: Pick<CategoricalTable, 'arities'>,
  { trees = 1, attributesPerTree = arities.length, attributeChoice = 'random' }: ForestPlan,
  stream: RandomStream,
): readonly (readonly number[])[] {
  requireInteger('trees', trees, 1, 65_535);
  requireInteger('attributesPerTree', attributesPerTree, 1, arities.length);
  const choice = stream.fork('attributes');
  if (attributeChoice === 'random') {
    return Array.from({ length: trees }, (_, tree) => {
      const subset = new Uint32Array(attributesPerTree);
      sampleSubset(attributesPerTree, arities.length, subset, 0, choice.fork(tree));
      return [...subset];
    });
  }
  if (trees * attributesPerTree > arities.length) {
    throw new ParameterError(
      'attributesPerTree',
      attributesPerTree,
      `at most ${Math.floor(arities.length / trees)} for ${trees} disjoint trees of ${arities.length} attributes`,
    );
  }
  const all = Uint32Array.from(arities, (_, attribute) => attribute);
  const { attribute } = shuffle({ columns: { attribute: all }, count: all.length }, choice).columns;
  return Array.from({ length: trees }, (_, tree) => [
    ...attribute.subarray(tree * attributesPerTree, (tree + 1) * attributesPerTree).sort(),
  ]);
}
