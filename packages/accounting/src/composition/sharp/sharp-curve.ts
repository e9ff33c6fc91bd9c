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
import { plannedCurve } from './curve-plan.ts';
import type { LookedAt, Region } from './curve-points.ts';
import { knotsBeyond } from './knots.ts';
import { hasTwoMessagesCurve, twoMessagesCurve } from './two-messages-curve.ts';

/** How a curve is looked at. */
export interface CurveCourse {
  /** What the curve may take: points are the further apart. It adds what it takes. */
  readonly allowance?: Allowance;
  /** Told where points are further apart than they should be, or take too long for any. */
  readonly onCoarse?: ((points: 'few' | 'none') => void) | undefined;
}

/**
 * Upper ends of the largest of all curves of one round, by the sharp bound or the blanket at some points and
 * chords between them. Null where no types are known, or the sharp bound gains nothing.
 * @param blanket upper ends that are proved already
 */
export function sharpCurve(
  rounds: MechanismRounds,
  blanket: PrivacyProfile,
  region: Region,
  { allowance = new Allowance(Infinity), onCoarse }: CurveCourse = {},
): Chords | null {
  const {
    amplification: { typed },
    users,
    epsilon0 = Infinity,
  } = rounds;
  if (typed === undefined || isExtreme(epsilon0)) return null;
  if (region.mean > FURTHEST * region.deviation) {
    onCoarse?.('none');
    return null;
  }
  if (hasTwoMessagesCurve(rounds)) return twoMessagesCurve(rounds, blanket, region);
  const round: LookedAt = {
    typed: withGridsKept(typed.sparser?.() ?? typed),
    users,
    blanket,
    region,
    work: { sines: 0 },
  };
  const below = (knots: readonly number[]): number[] => knots.filter((epsilon) => epsilon < epsilon0);
  const planned = plannedCurve(round, { below, affordable: allowance.left });
  allowance.take(round.work.sines);
  if (planned === null || planned.isCoarse) onCoarse?.(planned ? 'few' : 'none');
  const curve = planned?.curve ?? [];
  if (curve.length === 0) return null;
  // Where losses are few the blanket's chords do, which as a curve takes long where outputs are continuous.
  const far = below(knotsBeyond(curve.at(-1)!.epsilon, region.deviation));
  return chordsThrough(
    [...curve.map(({ epsilon }) => epsilon), ...far],
    [...curve.map(({ upper }) => upper), ...far.map((epsilon) => blanket(epsilon).upper)],
  );
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

/** Losses are not looked for so many deviations out, where even the knots on the way are too many. */
const FURTHEST = 1000;
