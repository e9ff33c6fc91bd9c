/** The certified bracket from all sound bounds: the least upper end, at some cost (docs/sharp-bound.md). */
import {
  interval,
  provedInterval,
  type AmplificationProfile,
  type Interval,
  type TypedInputs,
} from '@shuffle-dp/core';
import { certifiedDelta, certifiedEpsilon, type CertifiedOptions } from '../one-round.ts';
import { popularInputDelta, popularInputEpsilon, type PopularInputHints } from './popular-input.ts';
import type { SharpBound } from './pair-inputs.ts';
import { leastOf } from './pair-bound.ts';
import { sharpDelta } from './sharp-bound.ts';
import { sharpEpsilon } from './sharp-epsilon.ts';
import {
  FEW_USERS,
  sendsTwoMessages,
  twoMessagesDelta,
  twoMessagesEpsilon,
  type TwoMessagesEnds,
} from '../two-messages/two-messages.ts';

/** Upper ends that need every input of the others; null where they say nothing new. */
export interface TypedUppers {
  readonly sharp: SharpBound | null;
  readonly popularInput: number | null;
  /** Where it is known the others are not asked: it is nearly the truth. */
  readonly twoMessages: TwoMessagesEnds | null;
}

/** What a bracket has to leave open, relative to its lower end, for a sharper bound to be looked for. */
const WORTH_IT = 1e-4;

/**
 * Upper ends of epsilon at `delta` by the bounds that know the types of the other users' data; empty where
 * they would not help.
 *
 * @param bracket what is proved without them
 */
export function typedUpperEpsilons(
  profile: AmplificationProfile,
  users: number,
  delta: number,
  bracket: Interval,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): TypedUppers {
  const { typed, blanket } = profile;
  if (!typed || isTight(bracket) || isExtreme(epsilon0)) return NOTHING;
  const others = (): TypedUppers => {
    if (delta < leastTarget(typed)) return NOTHING;
    const popular = isWorthPooling(typed.domain, blanket)
      ? popularInputEpsilon(typed, users, delta, { epsilon0, known: bracket.upper })
      : Infinity;
    const upper = Math.min(bracket.upper, popular);
    return {
      ...NOTHING,
      sharp: mayFillBuffer(blanket, users)
        ? sharpEpsilon(typed, users, delta, { lower: bracket.lower, upper })
        : null,
      popularInput: popular < Infinity ? popular : null,
    };
  };
  const ends = (proved: Interval): TwoMessagesEnds => twoMessagesEpsilon(typed, users, delta, proved);
  return withTwoMessages(typed, users, bracket, { ends, others, enough: ENOUGH_EPSILON });
}

/**
 * Upper ends of delta at `epsilon` by the bounds that know the types of the other users' data; empty where
 * they would not help.
 *
 * @param bracket what is proved without them
 */
export function typedUpperDeltas(
  profile: AmplificationProfile,
  users: number,
  epsilon: number,
  bracket: Interval,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): TypedUppers {
  const { typed, blanket } = profile;
  if (!typed || isTight(bracket) || isExtreme(epsilon0) || bracket.upper < SMALLEST_DELTA) return NOTHING;
  const others = (): TypedUppers => {
    const popular = isWorthPooling(typed.domain, blanket)
      ? popularInputDelta(typed, users, epsilon, { epsilon0 })
      : null;
    const guess = Math.sqrt(Math.max(bracket.lower, SMALLEST_DELTA) * bracket.upper);
    if (bracket.upper < leastTarget(typed)) return { ...NOTHING, popularInput: popular };
    const sharp = sharpDelta(typed, users, epsilon, guess);
    // What is cut off, and the search, go by the guess: where it was far off and much is open, it is made
    // anew.
    const isAnew = sharp.value < FAR_BELOW * guess && sharp.value > MUCH_OPEN * bracket.lower;
    const sharper = isAnew ? leastOf(sharp, sharpDelta(typed, users, epsilon, sharp.value)) : sharp;
    return { ...NOTHING, sharp: sharper, popularInput: popular };
  };
  const ends = (proved: Interval): TwoMessagesEnds => twoMessagesDelta(typed, users, epsilon, proved);
  return withTwoMessages(typed, users, bracket, { ends, others, enough: ENOUGH_DELTA });
}

/** A smaller gap, relative to the lower end, is not worth going through all data sets of two messages. */
const [ENOUGH_EPSILON, ENOUGH_DELTA] = [5e-4, 1e-2];

interface TwoWays {
  readonly ends: (proved: Interval) => TwoMessagesEnds;
  readonly others: () => TypedUppers;
  readonly enough: number;
}

function withTwoMessages(
  typed: TypedInputs,
  users: number,
  bracket: Interval,
  { ends, others, enough }: TwoWays,
): TypedUppers {
  if (!sendsTwoMessages(typed, users)) return others();
  // Among more the sharp bound is asked first: it is often as close, and takes less.
  if (users <= FEW_USERS) {
    const twoMessages = ends(bracket);
    return { ...(twoMessages.upper < Infinity ? NOTHING : others()), twoMessages };
  }
  const known = others();
  const upper = Math.min(bracket.upper, known.sharp?.value ?? Infinity, known.popularInput ?? Infinity);
  const isEnough = upper <= bracket.lower * (1 + enough);
  return isEnough ? known : { ...known, twoMessages: ends(interval(bracket.lower, upper)) };
}

/** Over the guess, and over the lower end. */
const [FAR_BELOW, MUCH_OPEN] = [0.7, 3];

/**
 * Of smaller budgets the atoms keep too few digits of what tells inputs apart; larger ones have no buffer
 * that would serve.
 */
const [SMALLEST_BUDGET, LARGEST_BUDGET] = [1e-5, 30];

/** At smaller deltas a bound takes more than five seconds: such are left to the blanket. */
const SMALLEST_TARGET = 1e-20;

function leastTarget({ leastDelta = SMALLEST_TARGET }: TypedInputs): number {
  return leastDelta;
}

/** Shares of smaller divergences leave the doubles. */
const SMALLEST_DELTA = 1e-290;

/** Whether the sharp bound is of no use whatever the types. */
export function isExtreme(epsilon0: number): boolean {
  return epsilon0 < SMALLEST_BUDGET || (epsilon0 > LARGEST_BUDGET && epsilon0 < Infinity);
}

const NOTHING: TypedUppers = { sharp: null, popularInput: null, twoMessages: null };

function isTight({ lower, upper }: Interval): boolean {
  return upper <= lower * (1 + WORTH_IT);
}

/**
 * Where the blanket shows more messages than this for each user of an input's share, that share never hides
 * more.
 */
const MOST_OUTWEIGHED = 20;

/**
 * Where the blanket is rare, and shows no more messages than this among all users, a buffer is no sharper: it
 * needs a hundred to hide the victim's own.
 */
const [RARE, TOO_FEW] = [0.02, 30];

/** Whether a buffer may have enough messages of the blanket. */
function mayFillBuffer(blanket: AmplificationProfile['blanket'], users: number): boolean {
  const least = Math.min(...blanket.map(massOf));
  return blanket.length === 0 || least > RARE || least * users > TOO_FEW;
}

function massOf({ others }: AmplificationProfile['blanket'][number]): number {
  return others.reduce((sum, mass) => sum + mass, 0);
}

/** Whether an input's share of the users may hide more than the blanket does. */
function isWorthPooling(domain: number | undefined, blanket: AmplificationProfile['blanket']): boolean {
  if (domain === undefined) return false;
  const masses = blanket.map(massOf);
  return masses.length === 0 || domain * Math.min(...masses) < MOST_OUTWEIGHED;
}

/** The divergence that the pigeonhole bound allows at epsilon, 1 where it is never the least. */
export function popularInputAt(
  { typed, blanket }: AmplificationProfile,
  users: number,
  epsilon: number,
  hints: PopularInputHints,
): number {
  if (!typed || !isWorthPooling(typed.domain, blanket)) return 1;
  return popularInputDelta(typed, users, epsilon, hints);
}

/** Which of the proved bounds is an upper end. */
export type UpperBoundName = 'blanket' | 'sharp' | 'popular-input' | 'two-messages';

/** A bracket, and whose upper end it has. */
export interface NamedBracket {
  readonly bracket: Interval;
  readonly by: UpperBoundName;
}

/** As `sharpestEpsilon`, with the name of the least bound. @throws ParameterError likewise */
export function namedSharpestEpsilon(
  profile: AmplificationProfile,
  users: number,
  delta: number,
  options: CertifiedOptions = {},
): NamedBracket {
  const bracket = certifiedEpsilon(profile, users, delta, options);
  return withUppers('epsilon', bracket, typedUpperEpsilons(profile, users, delta, bracket, options));
}

/** As `sharpestDelta`, with the name of the least bound. @throws ParameterError likewise */
export function namedSharpestDelta(
  profile: AmplificationProfile,
  users: number,
  epsilon: number,
  options: CertifiedOptions = {},
): NamedBracket {
  const bracket = certifiedDelta(profile, users, epsilon, options);
  return withUppers('delta', bracket, typedUpperDeltas(profile, users, epsilon, bracket, options));
}

/** As `certifiedEpsilon`, with the least upper end of all bounds. @throws ParameterError likewise */
export function sharpestEpsilon(
  profile: AmplificationProfile,
  users: number,
  delta: number,
  options: CertifiedOptions = {},
): Interval {
  return namedSharpestEpsilon(profile, users, delta, options).bracket;
}

/** As `certifiedDelta`, with the least upper end of all bounds. @throws ParameterError likewise */
export function sharpestDelta(
  profile: AmplificationProfile,
  users: number,
  epsilon: number,
  options: CertifiedOptions = {},
): Interval {
  return namedSharpestDelta(profile, users, epsilon, options).bracket;
}

function withUppers(
  quantity: string,
  { lower, upper }: Interval,
  { sharp, popularInput, twoMessages }: TypedUppers,
): NamedBracket {
  const ends = [
    ['blanket', upper],
    ['popular-input', popularInput ?? Infinity],
    ['sharp', sharp?.value ?? Infinity],
    ['two-messages', twoMessages?.upper ?? Infinity],
  ] as const;
  const [by, least] = ends.reduce((best, end) => (end[1] < best[1] ? end : best));
  const bracket = provedInterval(
    quantity,
    { name: 'data sets, F3 and two messages', value: Math.max(lower, twoMessages?.worst?.value ?? 0) },
    { name: 'the least of all bounds', value: least },
  );
  return { bracket, by };
}
