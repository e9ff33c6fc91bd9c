/**
 * Mean of the users' vectors coordinate by coordinate: each coordinate is sent with Clip-Laplace noise, and
 * the messages of each are shuffled on their own, so that nothing links those of one user (Y. Liu et al.,
 * "Echo of Neighbors", AAAI 2023, for one coordinate).
 *
 * What is proved is of a user's whole vector: all coordinates are rounds of one composition among the same
 * users.
 */
import { certifiedComposedEpsilon, secantBracket, type Axis } from '@shuffle-dp/accounting';
import {
  gaussLegendre,
  interval,
  onDemand,
  ParameterError,
  Real,
  requirePositive,
  type AmplificationProfile,
  type PrivacyStatement,
  onceEach,
} from '@shuffle-dp/core';
import {
  CLIP_LAPLACE_CORRECTIONS,
  clipLaplace,
  type ClipLaplace,
  type ClipLaplaceCorrection,
} from '@shuffle-dp/randomizers';
import { choiceField, positiveField, type VectorProtocolCard } from '../protocol-card.ts';
import { centralTarget, checkVectorSetting, type VectorSetting } from '../setting.ts';
import type { VectorProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';
import { checkVectors } from './vector-data.ts';

export interface ClipLaplaceVectorSpec {
  readonly kind: 'clip-laplace-vector';
  /** Local budget of each coordinate in nats; absent: the largest that meets the setting's central target. */
  readonly epsilon0?: number;
  /**
   * 'user' (default): each user moves the own coordinates outwards first, and the mean is unbiased.
   * 'average': the analyzer puts the averages right, which is biased where users differ.
   */
  readonly correction?: ClipLaplaceCorrection;
}

export type ClipLaplaceVectorParameters = {
  /** Of each coordinate, in nats. */
  readonly epsilon0: number;
  readonly correction: string;
  /** Range of every coordinate. */
  readonly low: number;
  readonly high: number;
};

export const CLIP_LAPLACE_VECTOR: VectorProtocolCard<ClipLaplaceVectorSpec, ClipLaplaceVectorParameters> = {
  kind: 'clip-laplace-vector',
  title: 'Clip-Laplace by coordinate',
  dataKind: 'vectors',
  task: 'mean',
  setByTarget: 'local budget',
  messagesOnly: true,
  fields: [
    positiveField(
      'epsilon0',
      'Local budget of each coordinate in nats; by default the largest that meets privacy.epsilon for whole vectors.',
    ),
    choiceField(
      'correction',
      CLIP_LAPLACE_CORRECTIONS,
      "'user' (default) moves each coordinate outwards first and is unbiased; 'average' corrects the averages.",
    ),
  ],
  create: clipLaplaceVector,
};

/** @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon */
export function clipLaplaceVector(
  spec: ClipLaplaceVectorSpec,
  setting: VectorSetting,
): VectorProtocol<ClipLaplaceVectorParameters> {
  const { users, dimensions, delta, range } = checkVectorSetting(setting);
  const { correction = 'user' } = spec;
  const make = (epsilon0: number): ClipLaplace => clipLaplace({ epsilon0, inputRange: range, correction });
  const calibrated =
    spec.epsilon0 === undefined
      ? largestBudget(make, setting)
      : { epsilon0: requirePositive('epsilon0', spec.epsilon0), upper: Infinity };
  const { epsilon0 } = calibrated;
  const randomizer = make(epsilon0);
  const statement = onDemand((): readonly PrivacyStatement[] => {
    const proved = composed(make(epsilon0).amplification(), setting, epsilon0, delta);
    return [
      Object.freeze({
        // Of two proved upper ends the lower one: that of the calibration is coarser.
        epsilon: interval(proved.lower, Math.min(proved.upper, calibrated.upper)),
        delta,
        accountant: 'composed-blanket',
        theorem: 'composition of the privacy blankets of all coordinates, docs/composition.md',
        status: 'certified',
        sound: true,
        adjacency: 'replace-one',
        unit: 'one user, their message in every dimension',
        view: 'the messages of all users, shuffled dimension by dimension',
        group: 'all users',
      } as const),
    ];
  });
  return Object.freeze({
    kind: 'clip-laplace-vector',
    name: `Clip-Laplace by coordinate, ${correction === 'user' ? 'unbiased' : 'calibrated'}`,
    description: 'One randomized number per user and dimension, each dimension shuffled on its own.',
    parameters: Object.freeze({ epsilon0, correction, low: range.low, high: range.high }),
    paths: ['messages'] as const,
    jointPaths: ['messages'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkVectors(data, { users, dimensions, range });
      if (path !== 'messages')
        throw new ParameterError(
          'path',
          path,
          "'messages': the sum of Clip-Laplace messages has no law of its own",
        );
      const own = new Float64Array(users);
      return Float64Array.from({ length: dimensions }, (_, j) => {
        for (let u = 0; u < users; u++) own[u] = data.values[u * dimensions + j]!;
        const run = { users, stream: stream.fork('coordinate').fork(j), trace };
        return randomizer.estimateMean(randomizedAndShuffled(`coordinate ${j}`, randomizer, own, run));
      });
    },
    privacy: statement,
    certifiedPrivacy: statement,
    expectedError: (data) => {
      checkVectors(data, { users, dimensions, range });
      if (correction === 'average') return null;
      const { shrinkage } = randomizer;
      let variance = 0;
      for (const value of data.values) variance += randomizer.variance(value);
      return variance / (shrinkage * users) ** 2;
    },
    directionsError: () => {
      if (!(range.low <= -1 && range.high >= 1))
        throw new ParameterError(
          'range',
          `${range.low} to ${range.high}`,
          'wide enough for the sphere: -1 to 1',
        );
      if (correction === 'average')
        throw new ParameterError('correction', correction, "'user': corrected averages have no closed form");
      const variance = meanOverSphere(dimensions, (coordinate) => randomizer.variance(coordinate));
      return (dimensions * variance) / (randomizer.shrinkage ** 2 * users);
    },
    cost: () => ({ messagesPerUser: dimensions, bitsPerUser: dimensions * randomizer.bitsPerMessage }),
  } satisfies VectorProtocol<ClipLaplaceVectorParameters>);
}

const NODES = 64;
/** The coordinates that matter, in units of one over the root of the dimensions. */
const REACH = 9;

/**
 * The mean of f at one coordinate of a vector that is spread evenly over the sphere: the cosine of an angle
 * of density sin^(d-2).
 */
function meanOverSphere(dimensions: number, f: (coordinate: number) => number): number {
  if (dimensions === 1) return (f(-1) + f(1)) / 2;
  const half = Math.min(Math.PI / 2, REACH / Math.sqrt(dimensions));
  const { nodes, weights } = gaussLegendre(NODES);
  let sum = 0;
  let total = 0;
  for (let i = 0; i < NODES; i++) {
    const angle = half * nodes[i]!;
    const weight = weights[i]! * Real.power(Real.cos(angle), dimensions - 2);
    sum += weight * f(Real.sin(angle));
    total += weight;
  }
  return sum / total;
}

/** Relative, of each proved end: what is searched with, and what is told. */
const SEARCH_WIDTH = 0.05;
const TOLD_WIDTH = 0.01;
/** Of budgets, relative. */
const BUDGET_TOLERANCE = 1e-3;
const SMALLEST_BUDGET = 1e-6;
const LARGEST_BUDGET = 30;

function composed(
  amplification: AmplificationProfile,
  { users, dimensions }: VectorSetting,
  epsilon0: number,
  delta: number,
  relativeWidth = TOLD_WIDTH,
): { readonly lower: number; readonly upper: number } {
  const round = { amplification, users, count: dimensions, epsilon0 };
  return certifiedComposedEpsilon([round], delta, { relativeWidth, blanketsOnly: true });
}

/**
 * The largest budget of a coordinate that is proved to meet the target, with what is proved. @throws
 * ParameterError where none does
 */
function largestBudget(
  make: (epsilon0: number) => ClipLaplace,
  setting: VectorSetting,
): { readonly epsilon0: number; readonly upper: number } {
  const target = centralTarget(setting, 'the local budget epsilon0');
  const upperAt = onceEach((epsilon0) => {
    // The search is led by the blanket alone: of one coordinate the sharp bound takes seconds for each
    // budget.
    const { variationRatio, blanket } = make(epsilon0).amplification();
    const alone = { variationRatio, blanket, homogeneous: [] };
    return composed(alone, setting, epsilon0, setting.delta, SEARCH_WIDTH).upper;
  });
  const axis: Axis = {
    valueAt: Real.exp,
    mostPrivate: Real.log(SMALLEST_BUDGET),
    leastPrivate: Real.log(LARGEST_BUDGET),
  };
  const excess = (epsilon0: number): number => Real.log(upperAt(epsilon0) / target);
  const { inside } = secantBracket(
    axis,
    { excess, tolerance: BUDGET_TOLERANCE },
    { inside: null, outside: null },
    Real.log(usualBudget(setting, target)),
  );
  if (inside === null)
    throw new ParameterError('epsilon', target, 'larger: no budget of a coordinate is proved to meet it');
  const epsilon0 = axis.valueAt(inside);
  return { epsilon0, upper: upperAt(epsilon0) };
}

/**
 * About where the budget lies: one coordinate's loss deviates by 2 sinh(epsilon0/2) over the root of the
 * users. Where the shuffler adds nothing the budgets add up.
 */
function usualBudget({ users, dimensions, delta }: VectorSetting, target: number): number {
  const tails = Math.sqrt(2 * dimensions * Real.log(1 / delta));
  const sine = (target * Math.sqrt(users)) / (2 * tails);
  return Math.max(target / dimensions, 2 * Real.log(sine + Math.sqrt(sine * sine + 1)));
}
