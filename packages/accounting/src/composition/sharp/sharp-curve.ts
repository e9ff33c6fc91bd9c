/**
 * One round's curve from above by the sharp bound: proved at some points, chords between them
 * (docs/composition.md, "The sharp bound in rounds").
 */
import { onceEach, Real, type TypedInputs } from '@shuffle-dp/core';
import { Allowance } from '../../allowance.ts';
import type { PrivacyProfile } from '../../privacy-profile.ts';
import { pairDelta } from '../../sharp/pair-bound.ts';
import { servedBy, type Served } from '../../sharp/pair-holds.ts';
import { isExtreme } from '../../sharp/sharpest.ts';
import {
  leastCost,
  MANY_PAIRS,
  upperEnds,
  type Leader,
  type LookedAt,
  type Region,
  type Upper,
} from './curve-points.ts';
import type { MechanismRounds } from '../mechanism-sources.ts';
import { carriedBetween, movedTo } from './carried-parameters.ts';
import { chordsThrough, type Chords } from './chords.ts';
import { CLOSE, COARSER, FAR, knotsBeyond, knotsFrom, type Closeness } from './knots.ts';

/** What one curve leaves to those of rounds much like it: with whatever parameters, a bound is one. */
export interface CurveMemory {
  region: Region | null;
  /** At the knots, from the first; empty where the sharp bound gained nothing. */
  served: readonly Served[];
  /** Of the blanket's curve at the knots. */
  shares: readonly number[];
  leaders: readonly Leader[];
  /** Where the knots are, in deviations. */
  places: readonly number[];
}

/**
 * Before the first curve.
 *
 * @example newCurveMemory().region // null
 */
export function newCurveMemory(): CurveMemory {
  return { region: null, served: [], shares: [], leaders: [], places: [] };
}

/** How a curve is looked at. */
export interface CurveCourse {
  /** Of a round like this one; is written to. */
  readonly memory?: CurveMemory | undefined;
  /** What the curve may take: points are the further apart. It adds what it takes. */
  readonly allowance?: Allowance;
  /**
   * Whether only the pairs and inputs that led are looked at, those of the memory if it has any: what is
   * found is then no upper end, and seldom above one.
   */
  readonly leadersOnly?: boolean;
  /** Told where points are further apart than they should be, or take too long for any. */
  readonly onCoarse?: ((points: 'few' | 'none') => void) | undefined;
}

/**
 * Upper ends of the largest of all curves of one round, by the sharp bound or the blanket at some points and
 * chords between them. Null where no types are known, or the sharp bound gains nothing.
 * @param blanket upper ends that are proved already
 */
export function sharpCurve(
  { amplification: { typed }, users, epsilon0 = Infinity }: MechanismRounds,
  blanket: PrivacyProfile,
  region: Region,
  { memory = newCurveMemory(), allowance = new Allowance(Infinity), ...course }: CurveCourse = {},
): Chords | null {
  if (typed === undefined || isExtreme(epsilon0)) return null;
  if (typed.takesLong && epsilon0 < Infinity && epsilon0 > LARGEST_BUDGET) {
    course.onCoarse?.('none');
    return null;
  }
  const { mean, deviation } = region;
  if (mean > FURTHEST * deviation) {
    course.onCoarse?.('none');
    return null;
  }
  const round = {
    typed: withGridsKept(typed.sparser?.() ?? typed),
    users,
    blanket,
    region,
    work: { sines: 0 },
  };
  const below = (knots: readonly number[]): number[] => knots.filter((epsilon) => epsilon < epsilon0);
  let curve: readonly Upper[];
  if (memory.region === null) {
    const { leadersOnly } = course;
    // Of many pairs the first point itself tells, which takes no longer where the bound gains nothing.
    const areMany = hasManyPairs(round);
    const known = areMany ? null : firstServed(round);
    const gains = areMany || known !== null;
    const planned = gains
      ? upperCurve(round, below, { known, affordable: allowance.left, leadersOnly })
      : null;
    allowance.take(round.work.sines);
    curve = planned?.curve ?? [];
    if (gains && (planned === null || planned.isCoarse)) course.onCoarse?.(planned ? 'few' : 'none');
  } else {
    const scale = memory.region.deviation / deviation;
    const isNear = Math.abs(Real.log(scale)) < NEAR;
    const upperAt = upperEnds(round);
    curve = below(memory.places.map((place) => place * deviation)).map((epsilon, i) =>
      upperAt(epsilon, {
        known: scaledBy(memory.served[i], scale),
        expected: isNear || course.leadersOnly ? memory.shares[i]! * blanket(epsilon).upper : undefined,
        within: CLOSELY,
        only: course.leadersOnly ? memory.leaders[i]! : undefined,
      }),
    );
    allowance.take(round.work.sines);
    if (isNear) return chordsOf(curve);
  }
  memory.region = region;
  memory.served = curve.map(({ served }) => served!);
  memory.shares = curve.map(({ epsilon, upper }) => upper / blanket(epsilon).upper);
  // Estimates are to be compared: their leaders stay.
  if (memory.leaders.length === 0) memory.leaders = curve.map(({ leader }) => leader);
  memory.places = curve.map(({ epsilon }) => epsilon / deviation);
  return chordsOf(curve);

  function chordsOf(upper: readonly Upper[]): Chords | null {
    if (upper.length === 0) return null;
    // Where losses are few the blanket's chords do, which as a curve takes long where outputs are continuous.
    const far = below(knotsBeyond(upper.at(-1)!.epsilon, deviation));
    return chordsThrough(
      [...upper.map(({ epsilon }) => epsilon), ...far],
      [...upper.map((point) => point.upper), ...far.map((epsilon) => blanket(epsilon).upper)],
    );
  }
}

/** Grids take long, and several are asked for more than once. */
function withGridsKept(typed: TypedInputs): TypedInputs {
  const { pairsNear, rest, takesLong } = typed;
  if (pairsNear === undefined) return typed;
  const pairs = onceEach(() => typed.pairs);
  return {
    get pairs() {
      return pairs(0);
    },
    pairsNear: onceEach((epsilon) => pairsNear(epsilon)),
    ...(rest && { rest }),
    ...(takesLong !== undefined && { takesLong }),
  };
}

function hasManyPairs({ typed, region: { deviation } }: LookedAt): boolean {
  return (typed.pairsNear?.(deviation) ?? typed.pairs).length > MANY_PAIRS;
}

/** Parameters with which a pair's bound is below the blanket, one deviation out; null for none. */
function firstServed({ typed, users, blanket, region: { deviation } }: LookedAt): Served | null {
  const [first] = typed.pairsNear?.(deviation) ?? typed.pairs;
  if (first === undefined) return null;
  const { upper } = blanket(deviation);
  const { value, parameters } = pairDelta(first, users, deviation, upper, { isBrief: true });
  return parameters !== null && value < WORTH_IT * upper ? servedBy(parameters) : null;
}

/** Parameters of a round like this one suit it where they give no more than so many times as much. */
const CLOSELY = 1.03;

/** For losses of another deviation: tilts go by its inverse. @param scale the earlier one over it */
function scaledBy(served: Served | undefined, scale: number): Served | undefined {
  if (served === undefined) return undefined;
  const worst = { ...served.worst, theta: scale * served.worst.theta };
  return { ...movedTo(served, worst), worst };
}

/** Deviations of rounds whose parameters may be taken over as they are, in logarithms. */
const NEAR = 0.05;

/**
 * Points between two with parameters of their own share theirs, where those are no further apart, in
 * deviations, or that many times as far as points are where they are closest.
 */
const [SHARED, SHARED_CLOSEST] = [0.6, 2.4];

/** The points of a curve. */
interface Planned {
  readonly curve: readonly Upper[];
  /** Whether points are further apart than they should be. */
  readonly isCoarse: boolean;
}

/**
 * From the first knot until the blanket is as good beyond the mean. What points have taken so far tells how
 * many more are affordable, and so how far apart; null where hardly any are.
 */
function upperCurve(
  round: LookedAt,
  below: (knots: readonly number[]) => number[],
  {
    known,
    affordable,
    leadersOnly = false,
  }: {
    readonly known: Served | null;
    readonly affordable: number;
    readonly leadersOnly?: boolean | undefined;
  },
): Planned | null {
  const { typed, region, work } = round;
  const { mean, deviation } = region;
  const wanted = typed.takesLong || hasManyPairs(round) ? FAR : CLOSE;
  const [start] = below(knotsFrom([], region, wanted));
  if (start === undefined) return { curve: [], isCoarse: false };
  const fewest = below(knotsFrom([], region, COARSER.at(-1)!)).length;
  if (!leadersOnly && fewest * leastCost(round) > MOST_OVER * affordable) return null;
  const upperAt = upperEnds(round);
  // Where losses are the most the leader of all points is found.
  const centre = leadersOnly ? upperAt(Math.max(start, mean), { known: known ?? undefined }) : null;
  const only = centre?.leader;
  const first = upperAt(start, { known: centre?.served ?? known ?? undefined, only });
  if (first.upper >= WORTH_IT * round.blanket(start).upper) return { curve: [], isCoarse: false };
  const costOfFirst = work.sines;
  const curve: Upper[] = [first];
  let [closeness, isCoarse] = [wanted, false];
  for (;;) {
    const last = curve.at(-1)!;
    const later = curve.length - 1;
    const isMeasured = later > 0 && !leadersOnly;
    const cost = isMeasured ? (work.sines - costOfFirst) / later : LATER_POINTS * costOfFirst;
    const knotsAt = (apart: Closeness): number[] => below(knotsFrom([last.epsilon], region, apart));
    const costOf = (apart: Closeness): number => cost * (knotsAt(apart).length - 1);
    const left = affordable - (leadersOnly ? cost * curve.length : work.sines);
    closeness = [wanted, ...COARSER.filter(({ closest }) => closest > wanted.closest)].find(
      (apart, i, { length }) => costOf(apart) <= left || i === length - 1,
    )!;
    isCoarse ||= closeness !== wanted;
    if (later === 0 && costOf(closeness) > MOST_OVER * left) return null;
    const knots = knotsAt(closeness);
    const shared = deviation * Math.max(SHARED, SHARED_CLOSEST * closeness.closest);
    const next = Math.max(
      1,
      knots.findLastIndex((knot) => knot <= last.epsilon + shared),
    );
    if (next >= knots.length) break;
    const here = upperAt(knots[next]!, { known: last.served, only });
    for (const knot of knots.slice(1, next)) curve.push(between(last, here, knot));
    curve.push(here);
    if (here.epsilon > mean && !(here.upper < round.blanket(here.epsilon).upper)) break;
  }
  return { curve, isCoarse };

  function between(from: Upper, to: Upper, epsilon: number): Upper {
    const share = (epsilon - from.epsilon) / (to.epsilon - from.epsilon);
    const known = carriedBetween(from.served, to.served, share);
    const expected = from.upper * Real.power(to.upper / from.upper, share);
    return upperAt(epsilon, { known, expected, only });
  }
}

/** Of the first point's cost, which begins with no parameters: what a later one takes. */
const LATER_POINTS = 0.45;
/** Where the fewest points would take so many times what is left there are none. */
const MOST_OVER = 2;

/** Losses are not looked for so many deviations out, where even the knots on the way are too many. */
const FURTHEST = 1000;

/** Of mechanisms whose bound takes long: a curve takes minutes above it. */
const LARGEST_BUDGET = 2;

/** Of the blanket's delta at the first point, or of few pairs one deviation out. */
const WORTH_IT = 0.99;
