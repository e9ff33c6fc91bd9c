/**
 * One round's curve from above by the sharp bound: proved at some points, chords between them
 * (docs/composition.md, "The sharp bound in rounds").
 */
import { onceEach, Real, type TypedInputs } from '@shuffle-dp/core';
import { certifiedDelta } from '../one-round.ts';
import type { PrivacyProfile } from '../privacy-profile.ts';
import { pairDelta } from '../sharp/pair-bound.ts';
import { pairHolds, type Served } from '../sharp/pair-holds.ts';
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

/**
 * Upper ends of the largest of all curves of one round, by the sharp bound or the blanket at some points and
 * chords between them. Null where no types are known, or the sharp bound gains nothing.
 * @param blanket upper ends that are proved already
 */
export function sharpCurve(
  { amplification: { typed }, users, epsilon0 = Infinity }: MechanismRounds,
  blanket: PrivacyProfile,
  region: Region,
): Chords | null {
  if (typed === undefined || isExtreme(epsilon0)) return null;
  if (typed.takesLong && epsilon0 < Infinity && epsilon0 > LARGEST_BUDGET) return null;
  const { deviation } = region;
  const upperAt = upperEnds(typed, users, blanket, region);
  if (!(upperAt(deviation) < WORTH_IT * blanket(deviation).upper)) return null;
  const below = (knots: readonly number[]): number[] => knots.filter((epsilon) => epsilon < epsilon0);
  const knots: number[] = [];
  const uppers: number[] = [];
  for (const epsilon of below(knotsOf(region, typed))) {
    knots.push(epsilon);
    uppers.push(upperAt(epsilon));
    if (epsilon > region.mean && !(uppers.at(-1)! < blanket(epsilon).upper)) break;
  }
  if (knots.length === 0) return null;
  // Where losses are few the blanket's chords do, which as a curve takes long where outputs are continuous.
  const far = below(knotsBeyond(knots.at(-1)!, deviation));
  return chordsThrough([...knots, ...far], [...uppers, ...far.map((epsilon) => blanket(epsilon).upper)]);
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

/** The least upper end at an epsilon. Epsilons that follow each other share the parameters that served. */
function upperEnds(
  typed: TypedInputs,
  users: number,
  blanket: PrivacyProfile,
  { deviation, mean }: Region,
): (epsilon: number) => number {
  let served: Served | undefined;
  let share = 1;
  return onceEach((epsilon) => {
    const { upper } = blanket(epsilon);
    // Near zero the victim's grid need be no finer than suits the losses.
    const pairs = typed.pairsNear?.(Math.max(epsilon, deviation)) ?? typed.pairs;
    const { slack, searches: most } = epsilon > mean + FAR_OUT * deviation ? IN_THE_TAIL : IN_THE_BULK;
    let worst = 0;
    let searches = 0;
    for (const pair of pairs) {
      if (worst > 0 && served !== undefined) {
        const still = pairHolds(pair, users, epsilon, worst * slack, served);
        if (still !== null) {
          served = still;
          continue;
        }
      }
      if (searches++ === most) return upper;
      const target = worst > 0 ? worst : share * upper;
      const { value, parameters } = pairDelta(pair, users, epsilon, target, { known: served?.worst });
      worst = Math.max(worst, value);
      if (parameters === null || worst >= upper) return upper;
      served = { others: [], tilt: { theta: 0 }, ...served, worst: parameters };
    }
    if (pairs.length === 0) return upper;
    worst = Math.max(pairs.length > 1 ? worst * slack : worst, ofRest(typed, users, epsilon));
    share = Math.min(1, worst / upper);
    return Math.min(upper, worst);
  });
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
