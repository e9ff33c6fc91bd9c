/** What one curve leaves to those of rounds much like it: with whatever parameters, a bound is one. */
import { Real } from '@shuffle-dp/core';
import type { Served } from '../../sharp/pair-holds.ts';
import { movedTo } from './carried-parameters.ts';
import { MOST_OVER, type PointsCourse } from './curve-plan.ts';
import { upperEnds, type Leader, type LookedAt, type Region, type Upper } from './curve-points.ts';

/** Of the latest curve. */
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

/** Writes to a memory what served a curve. */
export function remember(memory: CurveMemory, { region, blanket }: LookedAt, curve: readonly Upper[]): void {
  memory.region = region;
  memory.served = curve.map(({ served }) => served!);
  memory.shares = curve.map(({ epsilon, upper }) => upper / blanket(epsilon).upper);
  // Estimates are to be compared: their leaders stay.
  if (memory.leaders.length === 0) memory.leaders = curve.map(({ leader }) => leader);
  memory.places = curve.map(({ epsilon }) => epsilon / region.deviation);
}

/** Points at the places of a memory. */
export interface RecalledCurve {
  readonly curve: readonly Upper[];
  /** Whether points are left out, as they would take too long. */
  readonly isCoarse: boolean;
  /** Whether the memory's round is so much like this one that its parameters serve as they are. */
  readonly isNear: boolean;
}

/** A curve begun with what served at the places of a memory, which has one. */
export function recalledCurve(
  round: LookedAt,
  memory: CurveMemory,
  { below, affordable, leadersOnly }: PointsCourse,
): RecalledCurve {
  const { region, blanket, work } = round;
  const scale = memory.region!.deviation / region.deviation;
  const isNear = Math.abs(Real.log(scale)) < NEAR;
  const upperAt = upperEnds(round);
  const places = below(memory.places.map((place) => place * region.deviation));
  const points: (Upper | undefined)[] = [];
  for (const i of farApartFirst(places.length)) {
    // What was affordable for a round before may not be for this one: chords do without a point.
    if (work.sines > MOST_OVER * affordable) break;
    points[i] = upperAt(places[i]!, {
      known: scaledBy(memory.served[i], scale),
      expected: isNear || leadersOnly ? memory.shares[i]! * blanket(places[i]!).upper : undefined,
      within: CLOSELY,
      only: leadersOnly ? memory.leaders[i]! : undefined,
    });
  }
  const curve = points.filter((point) => point !== undefined);
  return { curve, isCoarse: curve.length < places.length, isNear };
}

/** Numbers below a count, the ends first and then those between ever fewer others. */
function farApartFirst(count: number): number[] {
  const order = new Set(count > 0 ? [0, count - 1] : []);
  for (let stride = 2 ** Math.ceil(Math.log2(Math.max(1, count))); stride >= 1; stride /= 2)
    for (let i = 0; i < count; i += stride) order.add(i);
  return [...order];
}

/** Parameters of a round like this one suit it where they give no more than so many times as much. */
const CLOSELY = 1.03;

/** Deviations of rounds whose parameters may be taken over as they are, in logarithms. */
const NEAR = 0.05;

/** For losses of another deviation: tilts go by its inverse. @param scale the earlier one over it */
function scaledBy(served: Served | undefined, scale: number): Served | undefined {
  if (served === undefined) return undefined;
  const worst = { ...served.worst, theta: scale * served.worst.theta };
  return { ...movedTo(served, worst), worst };
}
