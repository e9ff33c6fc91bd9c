/** The points of one round's curve where none of a round like it is known. */
import { Real } from '@shuffle-dp/core';
import { pairDelta } from '../../sharp/pair-bound.ts';
import { servedBy, type Served } from '../../sharp/pair-holds.ts';
import { carriedBetween } from './carried-parameters.ts';
import { leastCost, MANY_PAIRS, upperEnds, type LookedAt, type Upper } from './curve-points.ts';
import { CLOSE, COARSER, FAR, knotsFrom, type Closeness } from './knots.ts';

/** What a curve's points are looked for with. */
export interface PointsCourse {
  /** The knots that are looked at, of all. */
  readonly below: (knots: readonly number[]) => number[];
  /** Sines of which the points may take about all. */
  readonly affordable: number;
}

/** The points of a curve. */
export interface PlannedCurve {
  /** None where the sharp bound gains nothing. */
  readonly curve: readonly Upper[];
  /** Whether points are further apart than they should be. */
  readonly isCoarse: boolean;
}

/**
 * From the first knot until the blanket is as good beyond the mean. What points have taken so far tells how
 * many more are affordable, and so how far apart; null where hardly any are.
 */
export function plannedCurve(round: LookedAt, course: PointsCourse): PlannedCurve | null {
  // Of many pairs the first point itself tells, which takes no longer where the bound gains nothing.
  const areMany = hasManyPairs(round);
  const known = areMany ? null : firstServed(round);
  return areMany || known !== null ? upperCurve(round, known, course) : { curve: [], isCoarse: false };
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

/** Of the blanket's delta at the first point, or of few pairs one deviation out. */
const WORTH_IT = 0.99;

/**
 * Points between two with parameters of their own share theirs, where those are no further apart, in
 * deviations, or that many times as far as points are where they are closest.
 */
const [SHARED, SHARED_CLOSEST] = [0.6, 2.4];

function upperCurve(
  round: LookedAt,
  known: Served | null,
  { below, affordable }: PointsCourse,
): PlannedCurve | null {
  const { typed, region, work } = round;
  const { mean, deviation } = region;
  const wanted = typed.takesLong || hasManyPairs(round) ? FAR : CLOSE;
  const [start] = below(knotsFrom([], region, wanted));
  if (start === undefined) return { curve: [], isCoarse: false };
  const fewest = below(knotsFrom([], region, COARSER.at(-1)!)).length;
  if (fewest * leastCost(round) > MOST_OVER * affordable) return null;
  const upperAt = upperEnds(round);
  const first = upperAt(start, { known: known ?? undefined });
  if (first.upper >= WORTH_IT * round.blanket(start).upper) return { curve: [], isCoarse: false };
  const costOfFirst = work.sines;
  const curve: Upper[] = [first];
  let [closeness, isCoarse] = [wanted, false];
  for (;;) {
    const last = curve.at(-1)!;
    const later = curve.length - 1;
    const cost = later > 0 ? (work.sines - costOfFirst) / later : LATER_POINTS * costOfFirst;
    const knotsAt = (apart: Closeness): number[] => below(knotsFrom([last.epsilon], region, apart));
    const costOf = (apart: Closeness): number => cost * (knotsAt(apart).length - 1);
    const left = affordable - work.sines;
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
    const here = upperAt(knots[next]!, { known: last.served });
    for (const knot of knots.slice(1, next)) append(between(last, here, knot));
    append(here);
    if (here.epsilon > mean && !(here.upper < round.blanket(here.epsilon).upper)) break;
  }
  return { curve, isCoarse };

  /** A delta falls with epsilon, whatever a search for parameters found. */
  function append(point: Upper): void {
    const { upper } = curve.at(-1)!;
    curve.push(point.upper <= upper ? point : { ...point, upper });
  }

  function between(from: Upper, to: Upper, epsilon: number): Upper {
    const share = (epsilon - from.epsilon) / (to.epsilon - from.epsilon);
    const known = carriedBetween(from.served, to.served, share);
    const expected = from.upper * Real.power(to.upper / from.upper, share);
    return upperAt(epsilon, { known, expected });
  }
}

/** Of the first point's cost, which begins with no parameters: what a later one takes. */
const LATER_POINTS = 0.45;
/** Where the fewest points would take so many times what is left there are none. */
const MOST_OVER = 2;
