/**
 * One round's curve from above by the sharp bound: proved at some points, chords between them
 * (docs/composition.md, "The sharp bound in rounds").
 */
import { onceEach, type TypedInputs } from '@shuffle-dp/core';
import { Allowance } from '../../allowance.ts';
import type { PrivacyProfile } from '../../privacy-profile.ts';
import { isExtreme } from '../../sharp/sharpest.ts';
import type { MechanismRounds } from '../mechanism-sources.ts';
import { chordsThrough, type Chords } from './chords.ts';
import { newCurveMemory, recalledCurve, remember, type CurveMemory } from './curve-memory.ts';
import { plannedCurve } from './curve-plan.ts';
import type { LookedAt, Region, Upper } from './curve-points.ts';
import { knotsBeyond } from './knots.ts';

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
  { memory: kept, allowance = new Allowance(Infinity), ...course }: CurveCourse = {},
): Chords | null {
  if (typed === undefined || isExtreme(epsilon0)) return null;
  const isLost = kept && typed.sparser && epsilon0 < Infinity && epsilon0 > LARGEST_FOLLOWED;
  if (isLost || region.mean > FURTHEST * region.deviation) {
    course.onCoarse?.('none');
    return null;
  }
  const memory = kept ?? newCurveMemory();
  const round: LookedAt = {
    typed: withGridsKept(typed.sparser?.() ?? typed),
    users,
    blanket,
    region,
    work: { sines: 0 },
  };
  const below = (knots: readonly number[]): number[] => knots.filter((epsilon) => epsilon < epsilon0);
  const points = { below, affordable: allowance.left, leadersOnly: course.leadersOnly ?? false };
  const curve = memory.region === null ? anew() : recalled();
  allowance.take(round.work.sines);
  if (curve.length === 0) return null;
  // Where losses are few the blanket's chords do, which as a curve takes long where outputs are continuous.
  const far = below(knotsBeyond(curve.at(-1)!.epsilon, region.deviation));
  return chordsThrough(
    [...curve.map(({ epsilon }) => epsilon), ...far],
    [...curve.map(({ upper }) => upper), ...far.map((epsilon) => blanket(epsilon).upper)],
  );

  function anew(): readonly Upper[] {
    const planned = plannedCurve(round, points);
    if (planned === null || planned.isCoarse) course.onCoarse?.(planned ? 'few' : 'none');
    // What takes too long here may be affordable for a round of a smaller budget: nothing is kept.
    if (planned === null) return [];
    remember(memory, round, planned.curve);
    return planned.curve;
  }

  function recalled(): readonly Upper[] {
    const { curve, isCoarse, isNear } = recalledCurve(round, memory, points);
    if (isCoarse) course.onCoarse?.('few');
    else if (!isNear) remember(memory, round, curve);
    return curve;
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

/**
 * Grids of wider noise change with the range: what led one curve leads no other, and calibrations by it end
 * far from the target.
 */
const LARGEST_FOLLOWED = 2;

/** Losses are not looked for so many deviations out, where even the knots on the way are too many. */
const FURTHEST = 1000;
