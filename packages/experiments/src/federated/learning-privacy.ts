/**
 * What the messages of a learning run give away: of one dimension in one round, among the users that the
 * round really has, the worst of all rounds; and of a user over all dimensions and all rounds they serve.
 */
import { interval, onceEach, Real, type Interval } from '@shuffle-dp/core';
import {
  composedEpsilon,
  evaluatePersonalizedBound,
  personalizedBlanketEpsilon,
  personalizedBounds,
  shuffledCountEpsilon,
  userLevelEpsilon,
  type BudgetGroup,
} from '@shuffle-dp/accounting';
import {
  budgetGroups,
  budgetLevels,
  isShuffled,
  type BudgetLevel,
  type FrameworkSpec,
} from '@shuffle-dp/protocols';
import { counted } from '../words/counted.ts';
import { gatheredRounds, trainingRounds } from './training-rounds.ts';
import { nothingProved, type FrameworkPrivacy } from './framework-privacy.ts';
import { roundsServed, type LearningConfig } from './learning-schema.ts';
import { sampledBitsPrivacy } from './sampled-bits-privacy.ts';

/** Where the curve of one dimension is sampled; between these, chords in e^epsilon lie above it. */
const CURVE_DELTAS = [0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14];

/**
 * What is certified holds in every round of every training, which differ in which budgets meet; the published
 * claims are those for the first round of the first training. @throws ParameterError
 */
export function frameworkPrivacies(
  config: LearningConfig,
  specs: readonly FrameworkSpec[],
  dimensions: number,
): FrameworkPrivacy[] {
  const served = servedBudgets(config);
  const total = dimensions * roundsServed(config);
  // Frameworks that send messages of one law share its certificate, which takes seconds.
  const certifiedPartOf = onceEach((kind: NoiseKind) => certified(config, kind, total));
  return specs.map((spec) => frameworkPrivacy(config, spec, served, dimensions, certifiedPartOf));
}

interface ServedBudgets {
  /** Of the first round of the first training. */
  readonly first: Float64Array;
  /** Smallest and largest budget of all rounds. */
  readonly low: number;
  readonly high: number;
  /** The largest that a round has as its smallest. */
  readonly highestLow: number;
}

function servedBudgets(config: LearningConfig): ServedBudgets {
  let first: Float64Array | undefined;
  let low = Infinity;
  let high = 0;
  let highestLow = 0;
  for (const { budgets } of trainingRounds(config)) {
    first ??= budgets;
    const least = budgets.reduce((smallest, budget) => Math.min(smallest, budget), Infinity);
    low = Math.min(low, least);
    highestLow = Math.max(highestLow, least);
    high = budgets.reduce((most, budget) => Math.max(most, budget), high);
  }
  return { first: first!, low, high, highestLow };
}

function frameworkPrivacy(
  config: LearningConfig,
  spec: FrameworkSpec,
  served: ServedBudgets,
  dimensions: number,
  certifiedPartOf: (kind: NoiseKind) => CertifiedPart,
): FrameworkPrivacy {
  if (spec.kind === 'non-private') return nothingProved('sends gradients as they are');
  if (spec.kind === 'vector-rr')
    return sampledBitsPrivacy(config, { ...spec, messageBudget: spec.messageBudget! }, dimensions);
  const high = spec.kind === 'ldp-min' ? served.highestLow : served.high;
  const local = interval(served.low, high);
  if (!isShuffled(spec)) {
    return {
      ...nothingProved('is protected by the local budgets alone; they add up over dimensions and rounds'),
      local,
      dimension: interval(0, high),
      user: dimensions * roundsServed(config) * high,
    };
  }
  const claims = { ...publishedClaims(config, spec, served.first, dimensions), local };
  const unproved = (note: string): FrameworkPrivacy => ({ ...claims, dimension: null, user: null, note });
  if (spec.kind === 's-apes')
    return unproved(
      'the choice of the dimensions that a user keeps depends on all dimensions, and no proof covers this choice after shuffling',
    );
  // Equal budgets are one level.
  if (config.budgetLevels === undefined && local.lower < local.upper)
    return unproved('give budgetLevels for a certified statement, so that users apply few different budgets');
  const kind = spec.kind === 'uni-shuffle' ? 'laplace' : 'clip-laplace';
  return { ...claims, ...certifiedPartOf(kind) };
}

type NoiseKind = 'laplace' | 'clip-laplace';
type CertifiedPart = Pick<FrameworkPrivacy, 'dimension' | 'user' | 'note'>;

/** Rounds that are looked at one by one; of more, several are gathered. */
const MOST_ROUNDS = 100;

/**
 * The worst user of any round of any training. The highest level is evaluated in every round. Every other
 * level is first held against what that gives at the users that all rounds of a training have, which bounds
 * each of them; only where this does not settle it, round by round. The lower end is of a round that occurs.
 */
function certified(config: LearningConfig, kind: NoiseKind, total: number): CertifiedPart {
  const { privacy, budgetLevels: levelCount = 1, trials, rounds } = config;
  const groupsOf = (levels: readonly BudgetLevel[], victim: number): readonly BudgetGroup[] =>
    budgetGroups(withVictim(levels, victim), { kind }, privacy.delta);
  const size = Math.ceil(rounds / Math.max(1, Math.floor(MOST_ROUNDS / trials)));
  const single = gatheredRounds(trainingRounds(config), levelCount, size);
  const common = gatheredRounds(trainingRounds(config), levelCount, rounds);
  let worst = { epsilon: 0, levels: single[0]!.levels, victim: 0 };
  /** At least the epsilon of this user, and at least the worst so far. */
  const atLeast = (levels: readonly BudgetLevel[], victim: number): number =>
    personalizedBlanketEpsilon(groupsOf(levels, victim), victim, privacy.delta, { floor: worst.epsilon });
  const hold = (levels: readonly BudgetLevel[], victim: number): void => {
    const epsilon = atLeast(levels, victim);
    if (epsilon > worst.epsilon) worst = { epsilon, levels, victim };
  };
  for (const { levels } of single) hold(levels, levels.length - 1);
  for (const { trial, levels: all } of common) {
    for (let level = all.length - 2; level >= 0; level--) {
      if (atLeast(all, level) <= worst.epsilon) continue;
      for (const round of single) {
        const victim = round.levels.findIndex(({ budget }) => budget === all[level]!.budget);
        if (round.trial === trial && victim >= 0) hold(round.levels, victim);
      }
    }
  }
  const { epsilon } = worst;
  const { budget } = worst.levels[worst.victim]!;
  // Of gathered rounds none occurs as it is.
  const real = size === 1 ? worst : firstRound(config, levelCount);
  const attack = shuffledCountEpsilon(
    groupsOf(real.levels, real.victim),
    real.victim,
    privacy.delta,
    epsilon,
  );
  // The level of each training that is nearest to the worst: levels differ by how the budgets were drawn.
  const victims = common.map(({ levels }) => {
    const near = levels.reduce(
      (best, level, i) =>
        Math.abs(level.budget - budget) < Math.abs(levels[best]!.budget - budget) ? i : best,
      0,
    );
    return { groups: groupsOf(levels, near), near, budget: levels[near]!.budget };
  });
  const highest = Math.max(...victims.map((user) => user.budget));
  const curve = CURVE_DELTAS.map((delta) => ({
    delta,
    epsilon: victims.reduce(
      (most, user) => personalizedBlanketEpsilon(user.groups, user.near, delta, { floor: most }),
      0,
    ),
  }));
  const profile = (at: number): Interval => interval(0, chordsAbove(curve, highest, at));
  const user = composedEpsilon([{ profile, count: total }], privacy.userDelta, { relativeWidth: 1e-2 }).upper;
  return {
    dimension: interval(attack, epsilon),
    user: Math.min(user, total * highest),
    note: `the worst of ${counted(rounds, 'round')} of ${counted(trials, 'training')}; over all dimensions: of users at budget ${Number(highest.toPrecision(3))}, the worst in one dimension`,
  };
}

/** The first round of the first training, and a user of its highest level. */
function firstRound(
  config: LearningConfig,
  levelCount: number,
): { readonly levels: readonly BudgetLevel[]; readonly victim: number } {
  const { value } = trainingRounds(config).next();
  const levels = budgetLevels(value!.budgets, levelCount);
  return { levels, victim: levels.length - 1 };
}

/** The victim is there, whether or not every round has a user of its level. */
function withVictim(levels: readonly BudgetLevel[], victim: number): BudgetLevel[] {
  return levels.map(({ budget, users }, i) => ({ budget, users: i === victim ? Math.max(1, users) : users }));
}

/**
 * A curve that is convex in e^epsilon lies below the chords between points above it, and is 0 from the local
 * budget on.
 */
function chordsAbove(
  curve: readonly { readonly delta: number; readonly epsilon: number }[],
  budget: number,
  epsilon: number,
): number {
  if (epsilon >= budget) return 0;
  // Without any other knowledge the divergence at 0 is at most that of the local budget.
  const points = [{ delta: Real.tanh(budget / 2), epsilon: 0 }, ...curve, { delta: 0, epsilon: budget }];
  const next = points.findIndex((point) => point.epsilon > epsilon);
  const right = points[next]!;
  const left = points[next - 1]!;
  const part = Real.expm1(epsilon - left.epsilon) / Real.expm1(right.epsilon - left.epsilon);
  return left.delta + (right.delta - left.delta) * part;
}

type PublishedClaims = Pick<
  FrameworkPrivacy,
  'published' | 'publishedSound' | 'publishedUser' | 'publishedUserDelta'
>;

function publishedClaims(
  { privacy }: LearningConfig,
  spec: FrameworkSpec,
  budgets: Float64Array,
  dimensions: number,
): PublishedClaims {
  if (spec.kind === 'unbiased-clip-laplace')
    return { published: null, publishedSound: null, publishedUser: null, publishedUserDelta: null };
  const shuffled = spec.kind === 'uni-shuffle';
  const bound = personalizedBounds.find(({ name }) => name === (shuffled ? 'uni-shuffle' : 'eon'))!;
  const { epsilon, sound } = evaluatePersonalizedBound(
    bound,
    { budgets, mechanism: shuffled ? 'laplace' : 'clip-laplace', localDelta: 0, clip: 1 },
    { delta: privacy.delta },
  );
  return {
    published: epsilon,
    // What is proved of equal budgets is about messages of the mechanism's law, which those of s-apes lack.
    publishedSound: spec.kind === 's-apes' && sound === true ? 'unproven' : sound,
    ...proposition1(privacy, epsilon, coordinatesThatTell(spec, dimensions)),
  };
}

/** Table 3: twice the dimensions kept by S-APES; all of them once otherwise. */
function coordinatesThatTell({ kind, keptShare }: FrameworkSpec, dimensions: number): number {
  return kind === 's-apes' ? 2 * Math.max(1, Math.round(dimensions * keptShare!)) : dimensions;
}

/**
 * At the user delta that is asked for, where the dimensions' own deltas leave some of it for the composition.
 * Otherwise at that of all dimensions and one more, as long as it is below 1.
 */
function proposition1(
  { delta, userDelta }: LearningConfig['privacy'],
  epsilon: number | null,
  coordinates: number,
): Pick<FrameworkPrivacy, 'publishedUser' | 'publishedUserDelta'> {
  const at = userDelta > coordinates * delta ? userDelta : (coordinates + 1) * delta;
  if (epsilon === null || at >= 1) return { publishedUser: null, publishedUserDelta: null };
  return {
    publishedUser: userLevelEpsilon({ epsilon, delta }, coordinates, at),
    publishedUserDelta: at,
  };
}
