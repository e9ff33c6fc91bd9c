/**
 * One round's curve from above by the sharp bound: proved at some points, chords between them
 * (docs/composition.md, "The sharp bound in rounds").
 */
import { Real, type TypedInputs } from '@shuffle-dp/core';
import type { PrivacyProfile } from '../../privacy-profile.ts';
import { pairDelta } from '../../sharp/pair-bound.ts';
import { MOST_OTHERS, type Served } from '../../sharp/pair-holds.ts';
import { isExtreme } from '../../sharp/sharpest.ts';
import { MANY_PAIRS, upperEnds, type LookedAt, type Region, type Upper } from './curve-points.ts';
import type { MechanismRounds } from '../mechanism-sources.ts';

/** Upper ends of a curve at every epsilon up to some, and null beyond. */
export type Chords = (epsilon: number) => number | null;

/** What one curve leaves to those of rounds much like it: with whatever parameters, a bound is one. */
export interface CurveMemory {
  region: Region | null;
  /** At the knots, from the first; empty where the sharp bound gained nothing. */
  served: readonly Served[];
  /** Of the blanket's curve at the knots. */
  shares: readonly number[];
}

/**
 * Before the first curve.
 *
 * @example newCurveMemory().region // null
 */
export function newCurveMemory(): CurveMemory {
  return { region: null, served: [], shares: [] };
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
    curve = knots.map((epsilon, i) => {
      const expected = isNear ? memory.shares[i]! * blanket(epsilon).upper : undefined;
      return upperAt(epsilon, memory.served[i], expected);
    });
    if (isNear) return chordsOf(curve);
  }
  memory.region = region;
  memory.served = curve.map(({ served }) => served!);
  memory.shares = curve.map(({ epsilon, upper }) => upper / blanket(epsilon).upper);
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
    const usual = from.upper * Real.power(to.upper / from.upper, share);
    const point = upperAt(epsilon, served, usual);
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
  return { worst, others: [...new Set([...to.others, ...from.others])].slice(0, MOST_OTHERS) };
}

/** Of mechanisms whose bound takes long: a curve takes minutes above it. */
const LARGEST_BUDGET = 2;

/** Of the blanket's delta one deviation out. */
const WORTH_IT = 0.99;

/** Distance of the points where losses are the most, in deviations; far where there are many pairs. */
const [CLOSE, FAR] = [1 / 8, 1 / 4];
/** No two points are further apart, and they end so far beyond the mean: in deviations. */
const [WIDEST, REACH] = [1 / 2, 2.4];
/** Distances grow with the third root of what losses are fewer: e^(z^2 / 6) of a normal law. */
const THIRD_OF_HALF = 1 / 6;

function knotsOf({ deviation, mean }: Region, { pairs, takesLong }: TypedInputs): number[] {
  const closest = takesLong || pairs.length > MANY_PAIRS ? FAR : CLOSE;
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
