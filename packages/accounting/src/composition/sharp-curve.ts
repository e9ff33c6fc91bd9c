/**
 * One round's curve from above by the sharp bound: proved at some points, chords between them
 * (docs/composition.md, "The sharp bound in rounds").
 */
import { onceEach, Real, type TypedInputs } from '@shuffle-dp/core';
import { certifiedDelta } from '../one-round.ts';
import type { PrivacyProfile } from '../privacy-profile.ts';
import { pairDelta } from '../sharp/pair-bound.ts';
import { pairHolds, servedBy, type Served } from '../sharp/pair-holds.ts';
import { pairDeltaAt } from '../search/sharp-look.ts';
import { isExtreme } from '../sharp/sharpest.ts';
import type { MechanismRounds } from './mechanism-sources.ts';

/** Where a round's curve matters to a composition. */
export interface Region {
  /** Standard deviation of one round's loss, about. */
  readonly deviation: number;
  /**
   * Mean of it after tilting by what the whole composition is tilted by: that of the losses that make up
   * delta.
   */
  readonly mean: number;
}

/** Upper ends of a curve at every epsilon up to some, and null beyond. */
export type Chords = (epsilon: number) => number | null;

/** What one curve leaves to those of rounds much like it: with whatever parameters, a bound is one. */
export interface CurveMemory {
  region: Region | null;
  /** At the knots, from the first; empty where the sharp bound gained nothing. */
  served: readonly Served[];
}

/**
 * Before the first curve.
 *
 * @example newCurveMemory().region // null
 */
export function newCurveMemory(): CurveMemory {
  return { region: null, served: [] };
}

/**
 * Upper ends of the largest of all curves of one round, by the sharp bound or the blanket at some points and
 * chords between them. Null where no types are known, or the sharp bound gains nothing.
 * @param blanket upper ends that are proved already
 * @param memory of a round like this one; is written to
 */
export function sharpCurve(
  { amplification: { typed }, users, epsilon0 = Infinity }: MechanismRounds,
  blanket: PrivacyProfile,
  region: Region,
  memory: CurveMemory = newCurveMemory(),
): Chords | null {
  if (typed === undefined || isExtreme(epsilon0)) return null;
  if (typed.takesLong && epsilon0 < Infinity && epsilon0 > LARGEST_BUDGET) return null;
  const { deviation } = region;
  const round = { typed, users, blanket, region };
  const below = (knots: readonly number[]): number[] => knots.filter((epsilon) => epsilon < epsilon0);
  let curve: Upper[];
  if (memory.region === null) {
    curve = mayGain(round) ? upperCurve(round, below(knotsOf(region, typed))) : [];
  } else {
    const isNear = Math.abs(Real.log(deviation / memory.region.deviation)) < NEAR;
    const centred = { deviation, mean: (memory.region.mean / memory.region.deviation) * deviation };
    const knots = below(knotsOf(centred, typed).slice(0, memory.served.length));
    const upperAt = upperEnds(round);
    curve = knots.map((epsilon, i) => upperAt(epsilon, memory.served[i], isNear));
    if (isNear) return chordsOf(curve);
  }
  memory.region = region;
  memory.served = curve.map(({ served }) => served!);
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

/** Whether the bound of one pair is below the blanket, one deviation out. */
function mayGain({ typed, users, blanket, region: { deviation } }: LookedAt): boolean {
  const [first] = typed.pairsNear?.(deviation) ?? typed.pairs;
  if (first === undefined) return false;
  const { upper } = blanket(deviation);
  return pairDelta(first, users, deviation, upper).value < WORTH_IT * upper;
}

/** Deviations of rounds whose parameters may be taken over as they are, in logarithms. */
const NEAR = 0.05;

/** One round whose curve is looked for. */
interface LookedAt {
  readonly typed: TypedInputs;
  readonly users: number;
  readonly blanket: PrivacyProfile;
  readonly region: Region;
}

/** A point of the curve or above it, and with which parameters: none where it is the blanket's. */
interface Upper {
  readonly epsilon: number;
  readonly upper: number;
  readonly served: Served | undefined;
}

/**
 * Points between two with parameters of their own share theirs, where those are no further apart, in
 * deviations.
 */
const SHARED = 0.6;
/**
 * A bound beyond so many times what is between the two, in logarithms as they fall, has unsuited parameters.
 */
const UNSUITED = 1.1;

/** From the first knot until the blanket is as good beyond the mean. */
function upperCurve(round: LookedAt, knots: readonly number[]): Upper[] {
  const { mean, deviation } = round.region;
  const upperAt = upperEnds(round);
  const curve: Upper[] = [];
  for (let i = 0; i < knots.length;) {
    const last = curve.at(-1);
    const here = upperAt(knots[i]!, last?.served);
    for (let j = curve.length; j < i; j++) curve.push(between(last!, here, knots[j]!));
    curve.push(here);
    if (here.epsilon > mean && !(here.upper < round.blanket(here.epsilon).upper)) break;
    const furthest = knots.findLastIndex((knot) => knot <= here.epsilon + SHARED * deviation);
    i = Math.max(i + 1, furthest);
  }
  return curve;

  function between(from: Upper, to: Upper, epsilon: number): Upper {
    const share = (epsilon - from.epsilon) / (to.epsilon - from.epsilon);
    const served = servedBetween(from.served, to.served, share);
    const point = upperAt(epsilon, served, true);
    const usual = from.upper * Real.power(to.upper / from.upper, share);
    if (point.upper <= UNSUITED * usual) return point;
    const searched = upperAt(epsilon, from.served);
    return searched.upper < point.upper ? searched : point;
  }
}

function servedBetween(from: Served | undefined, to: Served | undefined, share: number): Served | undefined {
  if (from === undefined || to === undefined) return from ?? to;
  const between = (a: number, b: number): number => (a > 0 && b > 0 ? a * Real.power(b / a, share) : a);
  const [a, b] = [from.worst, to.worst];
  const worst = {
    buffer: Math.round(between(a.buffer, b.buffer)),
    kappa: between(a.kappa, b.kappa),
    theta: between(a.theta, b.theta),
  };
  return { worst, others: [...to.others, ...from.others] };
}

/** Of mechanisms whose bound takes long: a curve takes minutes above it. */
const LARGEST_BUDGET = 2;

/** Of the blanket's delta one deviation out. */
const WORTH_IT = 0.99;

/**
 * Distance of the points where losses are the most, in deviations: where there are many pairs, and where
 * those take long.
 */
const [CLOSE, FAR, FURTHER] = [1 / 8, 1 / 5, 1 / 4];
const MANY_PAIRS = 4;
/** No two points are further apart, and they end so far beyond the mean: in deviations. */
const [WIDEST, REACH] = [1 / 2, 2.4];
/** Distances grow with the third root of what losses are fewer: e^(z^2 / 6) of a normal law. */
const THIRD_OF_HALF = 1 / 6;

function knotsOf({ deviation, mean }: Region, { pairs, takesLong }: TypedInputs): number[] {
  const closest = takesLong ? FURTHER : pairs.length > MANY_PAIRS ? FAR : CLOSE;
  const centre = mean / deviation;
  const widthAt = (z: number): number =>
    Math.min(WIDEST, closest * Real.exp((z - centre) ** 2 * THIRD_OF_HALF));
  const knots: number[] = [];
  for (let z = widthAt(0) / 2; z <= centre + REACH + WIDEST; z += widthAt(z)) knots.push(z * deviation);
  return knots;
}

/** So many at the widest distance. */
const BEYOND = 12;

function knotsBeyond(last: number, deviation: number): number[] {
  return Array.from({ length: BEYOND }, (_, i) => last + (i + 1) * WIDEST * deviation);
}

/**
 * The least upper end at an epsilon. Epsilons that follow each other share the parameters that served, unless
 * others are given: as they are, where they suit it already.
 */
function upperEnds({
  typed,
  users,
  blanket,
  region: { deviation, mean },
}: LookedAt): (epsilon: number, known?: Served, suited?: boolean) => Upper {
  let share = 1;
  const pairsNear = onceEach((epsilon) => typed.pairsNear?.(epsilon) ?? typed.pairs);
  const isOneGrid = pairsNear(deviation).length <= MANY_PAIRS;
  return (epsilon, known, suited = false) => {
    const { upper } = blanket(epsilon);
    const trivial = { epsilon, upper, served: known };
    // Near zero the victim's grid need be no finer than suits the losses.
    const pairs = pairsNear(isOneGrid ? deviation : Math.max(epsilon, deviation));
    const { slack, searches: most } = epsilon > mean + FAR_OUT * deviation ? IN_THE_TAIL : IN_THE_BULK;
    let served = known;
    let worst = 0;
    let searches = 0;
    for (const pair of pairs) {
      if (worst > 0 && served !== undefined) {
        const still = pairHolds(pair, users, epsilon, worst * slack, served).served;
        if (still !== null) {
          served = still;
          continue;
        }
      }
      if (searches++ === most) return trivial;
      const target = worst > 0 ? worst : share * upper;
      const asKnown =
        suited && known && searches === 1 ? pairDeltaAt(pair, users, epsilon, target, known.worst) : null;
      const { value, parameters } = asKnown?.parameters
        ? asKnown
        : pairDelta(pair, users, epsilon, target, { known: served?.worst });
      worst = Math.max(worst, value);
      if (parameters === null || worst >= upper) return trivial;
      served = servedBy(parameters, served);
    }
    if (pairs.length === 0) return trivial;
    worst = Math.max(pairs.length > 1 ? worst * slack : worst, ofRest(typed, users, epsilon));
    share = Math.min(1, worst / upper);
    return { epsilon, upper: Math.min(upper, worst), served };
  };
}

/**
 * By how much other pairs may be above the worst, and how many searches a point may cost: where many pairs
 * are worse than those before, the grid of the victim's values does not suit the epsilon, and searches take a
 * minute. The tail begins so many deviations beyond the mean.
 */
const IN_THE_BULK = { slack: 1.002, searches: 4 };
const IN_THE_TAIL = { slack: 1.1, searches: 1 };
const FAR_OUT = 1;

function ofRest({ rest = [] }: TypedInputs, users: number, epsilon: number): number {
  if (rest.length === 0) return 0;
  return certifiedDelta({ variationRatio: null, blanket: rest, homogeneous: [] }, users, epsilon).upper;
}

/**
 * Chords in e^epsilon through upper ends of a convex curve, and so above it. It is symmetric, f(x) =
 * 1 - x + x f(1/x): the first point has a mirror image below x = 1, and the chord between the two leads
 * through epsilon = 0.
 * @param knots increasing, above 0
 */
export function chordsThrough(knots: readonly number[], uppers: readonly number[]): Chords {
  const first = knots[0]!;
  // Of small epsilons e^epsilon - 1 keeps its digits.
  const points = [
    { x: Real.expm1(-first), upper: Real.exp(-first) * uppers[0]! - Real.expm1(-first) },
    ...knots.map((knot, i) => ({ x: Real.expm1(knot), upper: uppers[i]! })),
  ];
  return (epsilon) => {
    const next = knots.findIndex((knot) => epsilon <= knot);
    if (next < 0) return null;
    const [from, to] = [points[next]!, points[next + 1]!];
    const along = (Real.expm1(epsilon) - from.x) / (to.x - from.x);
    return Math.min(1, ((1 - along) * from.upper + along * to.upper) * (1 + ROUNDING));
  };
}

const ROUNDING = 1e-12;
