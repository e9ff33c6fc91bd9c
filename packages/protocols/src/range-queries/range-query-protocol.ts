/**
 * Range queries over ordered categories in the shuffle model: each user sends one message, the randomized
 * response of the own node at one random level of a hierarchy; the analyzer answers any range from a few
 * nodes' estimates (Cormode, Kulkarni and Srivastava, PVLDB 12(10), 2019; Wang et al., PVLDB 17(8), 2024,
 * section 7.3). The messages of all levels hide among each other: the privacy is that of parallel
 * composition.
 */
import {
  integerField,
  LOCAL_BUDGET,
  SINGLE_MESSAGE_ACCOUNTING,
  type FrequencyProtocolCard,
} from '../protocol-card.ts';
import {
  type CategoricalData,
  meanSquareOverRanges,
  onDemand,
  ParameterError,
  type PrivacyStatement,
  type RandomStream,
  requireInteger,
  type SimulationPath,
  sumOfSquares,
} from '@shuffle-dp/core';
import type { SingleMessageAccounting } from '@shuffle-dp/accounting';
import {
  localBudget,
  messageStatements,
  type SingleMessageChoice,
  type SingleMessageParameters,
} from '../local-budget.ts';
import { categoriesOf, checkCategoricalSetting, checkData, type CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled, type Trace } from '../traced-shuffle.ts';
import { usersLeft } from '../histograms/threatened-blankets.ts';
import { consistentError } from './consistent-error.ts';
import { hierarchicalResponse, type HierarchicalResponse } from './hierarchical-response.ts';
import { canonicalRuns, hierarchy, type CategoryRange, type Hierarchy } from './hierarchy.ts';
import { consistentEstimates, estimateNodes, type NodeEstimates } from './node-estimates.ts';
import { FEWEST_USERS_PER_LEVEL, levelPartVariance, meanInverseCount } from './range-error.ts';

export interface RangeQuerySpec extends SingleMessageChoice {
  readonly kind: 'range-queries';
  /** Children of a node, at least 2 (the default). */
  readonly branching?: number;
}

export type RangeQueryParameters = SingleMessageParameters & {
  readonly branching: number;
  /** Of the hierarchy, leaves included. */
  readonly levels: number;
};

export const RANGE_QUERIES: FrequencyProtocolCard<RangeQuerySpec, RangeQueryParameters> = {
  kind: 'range-queries',
  title: 'Hierarchical range queries',
  dataKind: 'categories',
  task: 'ranges',
  setByTarget: 'local budget',
  sharpBound: true,
  fields: [
    integerField('branching', 2, 'Children of a node of the hierarchy; default 2.'),
    LOCAL_BUDGET,
    SINGLE_MESSAGE_ACCOUNTING,
  ],
  create: hierarchicalRangeQueries,
};

/**
 * As a frequency protocol it estimates the leaves, consistently with all levels: their sums answer ranges.
 */
export interface RangeQueryProtocol extends FrequencyProtocol<RangeQueryParameters> {
  readonly hierarchy: Hierarchy;
  /** Unbiased estimates of all nodes: a range is the sum of the fewest that cover it. */
  estimateNodes(
    data: CategoricalData,
    stream: RandomStream,
    path: SimulationPath,
    trace?: Trace,
  ): NodeEstimates;
  /** Exact variance of a range's sum of `estimateNodes`, given the data. @throws ParameterError */
  rangeVariance(data: CategoricalData, range: CategoryRange): number;
  /** Variance of a node of average frequency at each level, leaves first: they weigh consistent estimates. */
  readonly levelVariances: readonly number[];
}

/**
 * Counts of ranges of ordered categories, from one message a user about a random level of a hierarchy.
 *
 * @throws ParameterError, also for fewer than 40 users per level, where a level may stay empty, and where
 * neither the spec fixes epsilon0 nor the setting an epsilon
 */
export function hierarchicalRangeQueries(
  spec: RangeQuerySpec,
  setting: CategoricalSetting,
): RangeQueryProtocol {
  checkCategoricalSetting(setting);
  const { users, domain, delta } = setting;
  const { branching = 2, accounting = 'sharpest' } = spec;
  const tree = hierarchy(domain, branching);
  const levels = tree.levels.length;
  requireInteger('users', users, FEWEST_USERS_PER_LEVEL * levels);
  const make = (budget: number): HierarchicalResponse => hierarchicalResponse(tree, budget);
  const { epsilon0, by } = localBudget(spec.epsilon0, make, setting, accounting);
  const randomizer = make(epsilon0);
  const { oracles } = randomizer;
  const inverse = meanInverseCount(users, 1 / levels);
  const levelVariances = Object.freeze(
    oracles.map((oracle) => levelPartVariance(oracle, users, inverse, 1, 1 / oracle.domain)),
  );
  const expected = (form: (leaves: Float64Array) => number) => {
    const error = consistentError(tree, oracles, levelVariances, { users, inverse }, form);
    return (data: CategoricalData) => {
      checkData(data, setting);
      return error(data.histogram);
    };
  };
  const statements = messageStatements(randomizer, setting, accounting, by);

  const collect = (data: CategoricalData, stream: RandomStream, path: SimulationPath, trace?: Trace) => {
    checkData(data, setting);
    if (path === 'aggregated') {
      return estimateNodes(tree, oracles, randomizer.sampleNodeCounts(data.histogram, stream));
    }
    const held = categoriesOf(data, path);
    const shuffled = randomizedAndShuffled('data messages', randomizer, held, { users, stream, trace });
    return estimateNodes(tree, oracles, randomizer.countNodes(shuffled));
  };

  return Object.freeze({
    kind: 'range-queries',
    name: 'Hierarchical range queries',
    description:
      'One randomized message per user about one random level of a hierarchy, shuffled; estimates consistent by least squares.',
    parameters: Object.freeze({ branching, levels, epsilon0, accounting }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    hierarchy: tree,
    estimateNodes: collect,
    run: (data, stream, path, trace) =>
      consistentEstimates(collect(data, stream, path, trace), levelVariances).frequencies[0]!,
    ...statements,
    threatenedPrivacy: (threats) => {
      requireLevels(users, levels, delta, threats.dropout);
      return statements.threatenedPrivacy(threats);
    },
    privacy: onDemand(() =>
      statements.privacy().map((statement) => ofParallelQueries(statement, accounting)),
    ),
    rangeVariance: (data, range) => {
      checkData(data, setting);
      return rangeVariance(tree, randomizer, data, inverse, range);
    },
    levelVariances,
    expectedError: expected(sumOfSquares),
    expectedRangeError: expected(meanSquareOverRanges),
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies RangeQueryProtocol);
}

/** @throws ParameterError where so few users may be left that a level stays empty */
function requireLevels(users: number, levels: number, delta: number, dropout = 0): void {
  const fewest = FEWEST_USERS_PER_LEVEL * levels;
  const left = usersLeft(users, delta, { colluding: 0, dropout }).users;
  if (left < fewest)
    throw new ParameterError(
      'dropout',
      dropout,
      `smaller, or more users: of ${users} only ${left} are sure to stay, and ${levels} levels need ${fewest}`,
    );
}

/** What is published of one message is published of parallel queries in a theorem of its own. */
function ofParallelQueries(
  statement: PrivacyStatement,
  accounting: SingleMessageAccounting,
): PrivacyStatement {
  return accounting === 'variation-ratio'
    ? Object.freeze({ ...statement, theorem: 'Wang et al. 2024, Theorem 6.1' })
    : statement;
}

function rangeVariance(
  tree: Hierarchy,
  { oracles }: HierarchicalResponse,
  { histogram, users }: CategoricalData,
  inverse: number,
  range: CategoryRange,
): number {
  const nodes = new Float64Array(tree.levels.length);
  const held = new Float64Array(tree.levels.length);
  for (const { level, first, end } of canonicalRuns(tree, range)) {
    const { width } = tree.levels[level]!;
    nodes[level] = nodes[level]! + end - first;
    for (let leaf = first * width; leaf < Math.min(end * width, histogram.length); leaf++) {
      held[level] = held[level]! + histogram[leaf]! / users;
    }
  }
  let variance = 0;
  let below = 0;
  for (let h = 0; h < nodes.length; h++) {
    if (nodes[h] === 0) continue;
    variance += levelPartVariance(oracles[h]!, users, inverse, nodes[h]!, held[h]!);
    variance += (2 * below * held[h]!) / (users - 1);
    below += held[h]!;
  }
  return variance;
}
