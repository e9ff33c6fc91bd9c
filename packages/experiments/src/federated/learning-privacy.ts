/**
 * What the messages of a learning run give away: of one dimension in one round, among the users that the round really has, and of
 * a user over all dimensions and all rounds they serve.
 */
import { interval, RandomStream, type Interval, type Soundness } from '@shuffle-dp/core';
import {
  composedEpsilon,
  evaluatePersonalizedBound,
  personalizedBlanketEpsilon,
  personalizedBounds,
  personalizedPrivacy,
  userLevelEpsilon,
} from '@shuffle-dp/accounting';
import {
  budgetGroups,
  budgetLevels,
  isShuffled,
  roundUsers,
  type FrameworkSpec,
} from '@shuffle-dp/protocols';
import { trainingBudgets } from './training-task.ts';
import type { LearningConfig } from './learning-schema.ts';

export interface FrameworkPrivacy {
  /** Smallest and largest local budget per dimension and round; null without privacy. */
  readonly local: Interval | null;
  /** Central epsilon of one dimension of one round at privacy.delta, of the worst user; null where nothing is proved. */
  readonly dimension: Interval | null;
  /** Central upper end over all dimensions and rounds at privacy.userDelta; null where nothing is proved. */
  readonly user: number | null;
  /** The paper's own claim for one dimension and round; null where it makes none. */
  readonly published: number | null;
  readonly publishedSound: Soundness | null;
  /** The paper's Proposition 1 over the dimensions that tell; its factor is not proved. */
  readonly publishedUser: number | null;
  readonly note: string;
}

/** Where the curve of one dimension is sampled; between these, chords in e^epsilon lie above it. */
const CURVE_DELTAS = [0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14];

/** Rounds of which a user serves as many as this, with users taken in turn. */
function roundsServed({ rounds, users, usersPerRound }: LearningConfig): number {
  return Math.ceil(rounds / Math.floor(users / usersPerRound));
}

/** Of the first round of the first training; the others differ in which budgets meet. @throws ParameterError */
export function frameworkPrivacies(
  config: LearningConfig,
  specs: readonly FrameworkSpec[],
  dimensions: number,
): FrameworkPrivacy[] {
  const stream = RandomStream.fromSeed(config.seed).fork('trial').fork(0);
  const all = trainingBudgets(config.budgets, config.users, config.budgetLevels, stream);
  const budgets = Float64Array.from(roundUsers(config, 0, stream.fork('training')), (user) => all[user]!);
  const total = dimensions * roundsServed(config);
  // Frameworks that send messages of one law share its certificate, which takes seconds.
  const certificates = new Map<NoiseKind, Certificate>();
  const certificateOf = (kind: NoiseKind): Certificate => {
    const certificate = certificates.get(kind) ?? certified(config, kind, budgets, total);
    certificates.set(kind, certificate);
    return certificate;
  };
  return specs.map((spec) => frameworkPrivacy(config, spec, budgets, dimensions, certificateOf));
}

function frameworkPrivacy(
  config: LearningConfig,
  spec: FrameworkSpec,
  budgets: Float64Array,
  dimensions: number,
  certificateOf: (kind: NoiseKind) => Certificate,
): FrameworkPrivacy {
  if (spec.kind === 'non-private') return nothing('sends gradients as they are');
  const low = budgets.reduce((least, budget) => Math.min(least, budget), Infinity);
  const high = spec.kind === 'ldp-min' ? low : budgets.reduce((most, budget) => Math.max(most, budget), 0);
  const local = interval(low, high);
  if (!isShuffled(spec)) {
    return {
      ...nothing('is protected by the local budgets alone; they add up over dimensions and rounds'),
      local,
      dimension: interval(0, high),
      user: dimensions * roundsServed(config) * high,
    };
  }
  const published = publishedClaims(config, spec, budgets, dimensions);
  if (spec.kind === 's-apes') {
    return {
      ...published,
      local,
      dimension: null,
      user: null,
      note: 'which dimensions a user keeps depends on all of them, and no proof covers that after shuffling',
    };
  }
  if (config.budgetLevels === undefined) {
    return {
      ...published,
      local,
      dimension: null,
      user: null,
      note: 'give budgetLevels for a certified statement: users then apply budgets of few values',
    };
  }
  const kind = spec.kind === 'uni-shuffle' ? 'laplace' : 'clip-laplace';
  return { ...published, local, ...certificateOf(kind) };
}

type NoiseKind = 'laplace' | 'clip-laplace';
type Certificate = Pick<FrameworkPrivacy, 'dimension' | 'user' | 'note'>;

function certified(
  { privacy, budgetLevels: budgetLevelCount }: LearningConfig,
  kind: NoiseKind,
  budgets: Float64Array,
  total: number,
): Certificate {
  // Budgets are rounded already, to at most so many values.
  const levels = budgetLevels(budgets, budgetLevelCount!);
  const groups = budgetGroups(levels, { kind }, privacy.delta);
  const { worst } = personalizedPrivacy(groups, privacy.delta);
  const victim = groups.findIndex(({ budget }) => budget === worst.budget);
  const curve = CURVE_DELTAS.map((delta) => ({
    delta,
    epsilon: personalizedBlanketEpsilon(groups, victim, delta),
  }));
  const profile = (epsilon: number): Interval => interval(0, chordsAbove(curve, worst.budget, epsilon));
  const user = composedEpsilon([{ profile, count: total }], privacy.userDelta, { relativeWidth: 1e-2 }).upper;
  return {
    dimension: worst.epsilon,
    user: Math.min(user, total * worst.budget),
    note: `over all dimensions: of users at budget ${Number(worst.budget.toPrecision(3))}, the worst in one dimension`,
  };
}

/** A curve that is convex in e^epsilon lies below the chords between points above it, and is 0 from the local budget on. */
function chordsAbove(
  curve: readonly { readonly delta: number; readonly epsilon: number }[],
  budget: number,
  epsilon: number,
): number {
  if (epsilon >= budget) return 0;
  // Without any other knowledge the divergence at 0 is at most that of the local budget.
  const points = [{ delta: Math.tanh(budget / 2), epsilon: 0 }, ...curve, { delta: 0, epsilon: budget }];
  const next = points.findIndex((point) => point.epsilon > epsilon);
  const right = points[next]!;
  const left = points[next - 1]!;
  const part = Math.expm1(epsilon - left.epsilon) / Math.expm1(right.epsilon - left.epsilon);
  return left.delta + (right.delta - left.delta) * part;
}

function publishedClaims(
  { privacy }: LearningConfig,
  spec: FrameworkSpec,
  budgets: Float64Array,
  dimensions: number,
): Pick<FrameworkPrivacy, 'published' | 'publishedSound' | 'publishedUser'> {
  if (spec.kind === 'unbiased-clip-laplace')
    return { published: null, publishedSound: null, publishedUser: null };
  const shuffled = spec.kind === 'uni-shuffle';
  const bound = personalizedBounds.find(({ name }) => name === (shuffled ? 'uni-shuffle' : 'eon'))!;
  const { epsilon, sound } = evaluatePersonalizedBound(
    bound,
    { budgets, mechanism: shuffled ? 'laplace' : 'clip-laplace', localDelta: 0, clip: 1 },
    { delta: privacy.delta },
  );
  // Table 3: twice the dimensions kept by S-APES; all of them once otherwise, at a delta that leaves something for the composition.
  const coordinates = spec.kind === 's-apes' ? 2 * Math.round(dimensions * spec.keptShare!) : dimensions;
  const userDelta = Math.max(privacy.userDelta, (coordinates + 1) * privacy.delta);
  return {
    published: epsilon,
    publishedSound: sound,
    publishedUser:
      epsilon === null ? null : userLevelEpsilon({ epsilon, delta: privacy.delta }, coordinates, userDelta),
  };
}

function nothing(note: string): FrameworkPrivacy {
  return {
    local: null,
    dimension: null,
    user: null,
    published: null,
    publishedSound: null,
    publishedUser: null,
    note,
  };
}
