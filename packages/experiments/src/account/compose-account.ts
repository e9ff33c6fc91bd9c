/** The privacy of many shuffled rounds: the bracket, and the composition theorems beside it. */
import {
  exactly,
  interval,
  ParameterError,
  provedBracket,
  requireInteger,
  onceEach,
  requireTarget,
  type Interval,
  type Soundness,
  type StatedBound,
  type Verdict,
  type Target,
  type ParameterValues,
  type MechanismModel,
} from '@shuffle-dp/core';
import {
  advancedCompositionEpsilon,
  basicCompositionEpsilon,
  certifiedDelta,
  certifiedEpsilon,
  composedDelta,
  composedEpsilon,
  gaussianLimitEpsilon,
  knownBlankets,
  localMessagesBound,
  namedComposition,
  pairDominates,
  renyiCompositionEpsilon,
  type CompositionOptions,
  widerCells,
  type CompositionRounds,
  type MechanismRounds,
  type Threats,
} from '@shuffle-dp/accounting';
import { isDear } from './certified-bounds.ts';
import { judged } from './accounted-bound.ts';
import { MOST_ROUNDS, MOST_USERS } from './mechanism-parameters.ts';
import { mechanismModel } from './mechanisms.ts';
import { threatenedModel } from './threatened-model.ts';

/** `rounds` rounds of one mechanism among `users`. */
export interface ScheduledRounds {
  readonly mechanism: string;
  readonly parameters: ParameterValues;
  readonly users: number;
  readonly rounds: number;
}

export interface CompositionBaselines {
  readonly basic: number;
  readonly advanced: number;
  /** Null where a round has no finite local budget, or rounds differ. */
  readonly renyi: number | null;
  /** A heuristic, no bound; null where it has no value. */
  readonly gaussianLimit: number | null;
}

/** A composition theorem at the schedule: what it gives, and its verdicts. */
export interface ComposedBound extends StatedBound {
  readonly reason?: string;
  readonly source: string;
  /** On the value; null where there is none. */
  readonly verdict: Verdict | null;
}

export interface ComposedAccount {
  readonly schedule: readonly ScheduledRounds[];
  readonly rounds: number;
  readonly target: Target;
  /** Absent where all users are honest and stay. */
  readonly threats?: Threats;
  readonly bracket: Interval;
  /**
   * Which bound the upper end is: 'blanket', 'sharp', 'popular-input' or 'two-messages' of the rounds, the
   * name of one of `bounds`, 'variation-ratio' of raw pairs, 'own' of mechanisms with an accounting of their
   * own. Null where it is none of these yet.
   */
  readonly upperBy: string | null;
  /** False or unproven where a raw pair stands for a mechanism that it does not dominate. */
  readonly sound: Soundness;
  readonly reason?: string;
  /** Null where delta is asked for: these theorems give epsilon. */
  readonly baselines: CompositionBaselines | null;
  /** The same with their verdicts; empty where delta is asked for. */
  readonly bounds: readonly ComposedBound[];
  /** Where an end is further out than it might be, and why; absent where none is known to be. */
  readonly coarse?: readonly string[];
}

/**
 * What many shuffled rounds give together: the certified bracket, and the published composition theorems.
 *
 * @param threats users who collude in all rounds, or stay away in every round anew, whatever was seen before
 * @param options `blanketsOnly` leaves out the sharp bound, which may take seconds
 * @throws ParameterError
 * @example composeMechanisms([{ mechanism: 'grr', parameters: { epsilon0: 1, domain: 4 }, users: 1000, rounds: 4 }], { delta: 1e-6 }).bracket // { lower: 0.247282, upper: 0.247366 }
 */
export function composeMechanisms(
  schedule: readonly ScheduledRounds[],
  target: Target,
  threats: Threats = {},
  options: CompositionOptions = {},
): ComposedAccount {
  return [...composeStages(schedule, target, threats, options)].at(-1)!;
}

/**
 * The same account as it sharpens: where epsilon is asked for, first what the composition theorems prove, and
 * then the bracket, which may take a minute where the rounds are continuous.
 * @throws ParameterError
 */
export function* composeStages(
  schedule: readonly ScheduledRounds[],
  target: Target,
  threats: Threats = {},
  options: CompositionOptions = {},
): Generator<ComposedAccount, void, void> {
  requireTarget(target);
  if (schedule.length === 0) throw new ParameterError('schedule', '[]', 'a list of at least one entry');
  const entries = schedule.map((scheduled) => {
    requireInteger('users', scheduled.users, 1, MOST_USERS);
    requireInteger('rounds', scheduled.rounds, 1, MOST_ROUNDS);
    const model = mechanismModel(scheduled.mechanism, scheduled.parameters);
    return { ...scheduled, ...threatenedModel(model, scheduled.users, threats) };
  });
  const raw = entries.some(({ model }) => model.pairOnly);
  // Where every round's pair dominates, so do they together.
  const isProved = entries.every(({ model, users }) => !model.pairOnly || pairDominates({ ...model, users }));
  const theorems = 'delta' in target ? baselines(entries, target.delta) : null;
  const listed = [
    ...(theorems ? listedBounds(theorems, isProved) : []),
    // Of a raw pair no message is known.
    ...(raw ? [] : messagesAlone(entries, target)),
  ];
  const accountOf = (bracket: Interval, upperBy: string | null): ComposedAccount => ({
    schedule: entries.map(({ model, mechanism, rounds }, i) => ({
      mechanism,
      users: schedule[i]!.users,
      rounds,
      parameters: model.parameters,
    })),
    rounds: entries.reduce((sum, { rounds }) => sum + rounds, 0),
    target,
    ...(threats.colluding || threats.dropout ? { threats } : {}),
    bracket,
    upperBy,
    ...(isProved ? { sound: true } : { sound: 'unproven', reason: RAW_PAIR }),
    baselines: theorems,
    // Of a mechanism with a raw pair's parameters nothing is proved.
    bounds: theorems === null ? [] : judged(listed, raw ? interval(0, Infinity) : bracket),
  });
  if (theorems !== null && !raw) {
    const proved = provedBracket(listed, interval(0, Infinity));
    yield accountOf(proved, theoremAt(listed, proved.upper));
  }
  const coarse = new Set<string>();
  const { bracket, by } = composedBracket(entries, target, {
    ...options,
    onCoarse: (note) => coarse.add(note),
  });
  const proved = raw ? bracket : provedBracket(listed, bracket);
  const account = accountOf(proved, proved.upper < bracket.upper ? theoremAt(listed, proved.upper) : by);
  yield coarse.size === 0 ? account : { ...account, coarse: [...coarse] };
}

/** The sound theorem that gives a value. */
function theoremAt(listed: readonly StatedBound[], value: number): string | null {
  return listed.find((bound) => bound.sound === true && bound.value === value)?.name ?? null;
}

const RAW_PAIR = 'a raw pair bounds a mechanism only where it is known to dominate it';

/** The Gaussian limit is not among them: it is an approximation from neither side. */
function listedBounds(
  { basic, advanced, renyi }: CompositionBaselines,
  isProved: boolean,
): Omit<ComposedBound, 'verdict'>[] {
  const verdict = isProved ? ({ sound: true } as const) : ({ sound: 'unproven', reason: RAW_PAIR } as const);
  return [
    {
      name: 'basic',
      direction: 'upper',
      value: basic,
      ...verdict,
      source: 'the sum of the rounds at equal shares of delta',
    },
    {
      name: 'advanced',
      direction: 'upper',
      value: advanced,
      ...verdict,
      source: 'Kairouz et al. 2015, Theorem 3.5, or basic composition where that is smaller',
    },
    {
      name: 'renyi',
      direction: 'upper',
      value: renyi,
      sound: 'unproven',
      reason: 'the proof of its bound of one round was not re-derived here; no violation is known',
      source: 'Girgis et al. 2021 for a round, Canonne et al. 2020',
    },
  ];
}

interface Entry extends ScheduledRounds {
  readonly model: MechanismModel;
}

/** Where some round is of normal noise, which the other bounds say little of at the smallest deltas. */
function messagesAlone(entries: readonly Entry[], target: Target): Omit<ComposedBound, 'verdict'>[] {
  if (entries.every(({ model }) => model.localSeparation === undefined)) return [];
  const rounds = entries.map(({ model, rounds: count }) => ({ ...model, count }));
  return [
    {
      name: 'local-message',
      direction: 'upper',
      value: localMessagesBound(rounds, target),
      sound: true,
      source: 'all messages of one user alone, Dong et al. 2022 for normal noise',
    },
  ];
}

function composedBracket(
  entries: readonly Entry[],
  target: Target,
  options: CompositionOptions,
): { readonly bracket: Interval; readonly by: string } {
  if (entries.some(({ model }) => model.pairOnly)) {
    const curves = entries.map(curveOf);
    const bracket =
      'delta' in target ? composedEpsilon(curves, target.delta) : composedDelta(curves, target.epsilon);
    return entries.every(({ model }) => model.pairOnly)
      ? { bracket, by: 'variation-ratio' }
      : { bracket: interval(0, bracket.upper), by: 'own' };
  }
  const ofOwn = entries.flatMap(({ model: { certified }, users, rounds }) =>
    certified ? [certified(users, target, rounds)] : [],
  );
  if (ofOwn.length > 0 && entries.length === 1) return { bracket: ofOwn[0]!, by: 'own' };
  const { bracket, by } = namedComposition(entries.map(mechanismRounds), target, options);
  if (ofOwn.length === 0) return { bracket, by };
  // Such a lower end belongs to several pairs of data sets, so it does not compose: it is that of its rounds.
  const lower = Math.max(bracket.lower, ...ofOwn.map((own) => own.lower));
  return { bracket: interval(lower, bracket.upper), by: 'own' };
}

function mechanismRounds({ model, users, rounds: count }: Entry): MechanismRounds {
  const { amplification, epsilon0, certifiedUpper } = model;
  const own = certifiedUpper && { ownCurve: onceEach((epsilon: number) => certifiedUpper(users, epsilon)) };
  return { amplification, epsilon0, users, count, ...own };
}

function curveOf({ model, users, rounds: count }: Entry): CompositionRounds {
  const { amplification, certifiedUpper, epsilon0, pairOnly } = model;
  if (pairOnly) return { pair: amplification.variationRatio!, users, count };
  if (certifiedUpper) return { profile: (epsilon) => exactly(certifiedUpper(users, epsilon)), count };
  // Theorems take upper ends only, and those of data sets cost as much.
  const blanket = knownBlankets(amplification).map((atoms) => widerCells(atoms, THEOREM_CELLS));
  const alone = { variationRatio: null, blanket, homogeneous: [] };
  const gap = isDear(blanket) ? { relativeGap: THEOREM_GAP } : {};
  // Theorems share deltas, and each may take a second.
  return {
    profile: (epsilon) => certifiedDelta(alone, users, epsilon, { epsilon0 }),
    epsilonAt: onceEach((delta) => certifiedEpsilon(alone, users, delta, { epsilon0, ...gap })),
    count,
  };
}

/** Theorems ask at many deltas: so many cells of continuous outputs, and this gap, tell a ten-thousandth. */
const [THEOREM_CELLS, THEOREM_GAP] = [512, 1e-3];

function baselines(entries: readonly Entry[], delta: number): CompositionBaselines {
  const curves = entries.map(curveOf);
  const [first] = entries;
  const { epsilon0, pairOnly, othersMayBeAbsent } = first!.model;
  const uniform = entries.length === 1 && Number.isFinite(epsilon0) && !pairOnly && !othersMayBeAbsent;
  return {
    basic: basicCompositionEpsilon(curves, delta),
    advanced: advancedCompositionEpsilon(curves, delta),
    renyi:
      uniform && delta > 0 ? renyiCompositionEpsilon(epsilon0, first!.users, first!.rounds, delta) : null,
    gaussianLimit: gaussianLimit(entries, delta),
  };
}

/** At the data sets that tell most, one for each entry. */
function gaussianLimit(entries: readonly Entry[], delta: number): number | null {
  const rounds = entries.map(({ model, users, rounds: count }) => {
    const candidates = model.amplification.homogeneous
      .filter(({ others }) => !others.includes(0))
      .map((atoms) => ({ atoms, users, count }));
    const limits = candidates.map((candidate) => gaussianLimitEpsilon([candidate], delta));
    return candidates[limits.indexOf(Math.max(...limits))];
  });
  return rounds.every((round) => round !== undefined) ? gaussianLimitEpsilon(rounds, delta) : null;
}
