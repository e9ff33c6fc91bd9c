/**
 * Decision trees and forests learnt from shuffled histograms, and the same learnt from exact ones to compare
 * with. What they ask of their users, and so their privacy, is in `rounds`.
 */
import {
  ParameterError,
  requireInteger,
  sampleSubset,
  type RandomStream,
  type SimulationPath,
} from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import { checkCategoricalTable, selectUsers, type CategoricalTable } from './categorical-table.ts';
import { exactHistogram, shuffledHistogram } from './cell-histogram.ts';
import type { DecisionTree } from './decision-tree.ts';
import { growTree, type GrowthRules } from './grow-tree.ts';
import { mergeRounds, treeRounds, type ShuffledRounds } from './tree-rounds.ts';
import { answeredTimes, drawUsers, mostAnswers, sampleSize, type UserSample } from './user-samples.ts';

export const ATTRIBUTE_CHOICES = ['random', 'disjoint'] as const;

export interface ForestPlan extends GrowthRules {
  /** Number of trees, grown one after the other over all users; default 1. */
  readonly trees?: number | undefined;
  /** Attributes that a tree may ask; default all. */
  readonly attributesPerTree?: number | undefined;
  /**
   * 'random': a fresh random subset for each tree; 'disjoint': no attribute serves two trees. Default random.
   */
  readonly attributeChoice?: (typeof ATTRIBUTE_CHOICES)[number] | undefined;
  /** The users that a tree learns from, drawn for each tree; default all. */
  readonly sample?: UserSample | undefined;
}

export interface FederatedForestPlan extends ForestPlan {
  /** m: every user sends their own cell and m - 1 uniform blanket messages in every round; at least 2. */
  readonly messagesPerUser: number;
}

export interface FederatedForest {
  readonly trees: readonly DecisionTree[];
  /** All rounds of all trees, for the accountant: bounds that hold whatever the data were. */
  readonly rounds: readonly ShuffledRounds[];
  /** Messages that a user sends over all rounds, on average over the users. */
  readonly totalMessagesPerUser: number;
}

/**
 * Trees from histograms that passed the shuffler. Both paths give trees with one law; 'aggregated' makes no
 * messages. The choice of attributes depends on the stream alone, so that `trainForest` on the same stream
 * chooses the same.
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
      sampledTable(table, plan, tree, stream),
      attributes,
      plan,
      shuffledHistogram(plan.messagesPerUser, stream.fork('tree').fork(tree), path),
    ),
  );
  const { users } = table;
  const share = sampleSize(users, plan.sample ?? 'all') / users;
  const queries = forestQueries(table, plan);
  return { trees, rounds, totalMessagesPerUser: share * queries * plan.messagesPerUser };
}

/** The forest without privacy: the same growth from exact counts. @throws ParameterError */
export function trainForest(
  table: CategoricalTable,
  plan: ForestPlan,
  stream: RandomStream,
): readonly DecisionTree[] {
  checkCategoricalTable(table);
  return attributeSets(table, plan, stream).map((attributes, tree) =>
    growTree(sampledTable(table, plan, tree, stream), attributes, plan, exactHistogram),
  );
}

/**
 * The rounds of a plan before it is carried out: those that `trainFederatedForest` returns. Where trees learn
 * from samples of the users, the rounds of a user whom no other exceeds (see `mostAnswers`), with the largest
 * arities in every tree.
 * @param answers how often a user answers the queries of a tree, the most first; by default as the stream
 * draws the samples
 * @throws ParameterError
 */
export function forestRounds(
  table: Pick<CategoricalTable, 'users' | 'classes' | 'arities'>,
  plan: FederatedForestPlan,
  stream: RandomStream,
  answers: readonly number[] = forestAnswers(table.users, plan, stream),
): readonly ShuffledRounds[] {
  const { users, classes } = table;
  const { height, messagesPerUser, sample = 'all' } = plan;
  const roundsOf = (arities: readonly number[]): readonly ShuffledRounds[] =>
    treeRounds({ users: sampleSize(users, sample), classes, arities, height, messagesPerUser });
  const sets = attributeSets(table, plan, stream);
  if (sample === 'all')
    return mergeRounds(sets.flatMap((set) => roundsOf(set.map((attribute) => table.arities[attribute]!))));
  const largest = [...table.arities].sort((a, b) => b - a).slice(0, sets[0]!.length);
  const rounds = roundsOf(largest);
  return mergeRounds(answers.flatMap((times) => answeredTimes(rounds, times)));
}

/**
 * How often a user answers the queries of a tree, the most first: at each place the most of all users.
 * @throws ParameterError
 */
export function forestAnswers(
  users: number,
  { trees = 1, sample = 'all' }: Pick<ForestPlan, 'trees' | 'sample'>,
  stream: RandomStream,
): readonly number[] {
  requireInteger('trees', trees, 1, MOST_TREES);
  if (sample === 'all') return Array.from({ length: trees }, () => 1);
  const draws = Array.from({ length: trees }, (_, tree) => treeUsers(users, sample, tree, stream));
  return mostAnswers(users, draws);
}

/** Histograms that a forest asks for: rounds of the shuffler. */
export function forestQueries(
  { arities }: Pick<CategoricalTable, 'arities'>,
  { trees = 1, attributesPerTree = arities.length, height }: ForestPlan,
): number {
  return (trees * (height * (2 * attributesPerTree - height + 1))) / 2;
}

function treeUsers(users: number, sample: UserSample, tree: number, stream: RandomStream): Uint32Array {
  return drawUsers(users, sample, stream.fork('users').fork(tree));
}

function sampledTable(
  table: CategoricalTable,
  { sample = 'all' }: ForestPlan,
  tree: number,
  stream: RandomStream,
): CategoricalTable {
  return sample === 'all' ? table : selectUsers(table, treeUsers(table.users, sample, tree, stream));
}

const MOST_TREES = 65_535;

/** The attributes of each tree. */
function attributeSets(
  { arities }: Pick<CategoricalTable, 'arities'>,
  { trees = 1, attributesPerTree = arities.length, attributeChoice = 'random' }: ForestPlan,
  stream: RandomStream,
): readonly (readonly number[])[] {
  requireInteger('trees', trees, 1, MOST_TREES);
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
