/**
 * The three-cell excess of expected-excess.ts for so many users that its sum has millions of terms: E (S)_+
 * of a sum S of independent contributions, each of three values, as the contour integral of
 * blanket/contour-integral.ts, which costs a few hundred points however many users there are.
 */
import { ROUNDOFF, type Interval } from '@shuffle-dp/core';
import { contourIntegral } from '../blanket/contour-integral.ts';
import { saddlePoint } from '../blanket/exponential-tilt.ts';
import type { LossLaw } from '../blanket/loss-law.ts';
import type { ExcessProblem } from './dominating-window.ts';

const RELATIVE_GAP = 1e-7;
/** What rounding may leave open, relative to the excess; where it is more the sum is taken. */
const WIDEST = 1e-5;

/** Of three values at some 170,000 points: a tenth of a second. Usual integrals take hundreds. */
const MOST_SINES = 1.5e6;

/** The excess between e^logScale times `lower` and e^logScale times `upper`. */
export interface ExcessBracket extends Interval {
  readonly logScale: number;
}

/** Null where rounding, the distance to log p, or values of many magnitudes leave too much open. */
export function integratedExcess(problem: ExcessProblem): ExcessBracket | null {
  const bracket = integratedAt(problem, RELATIVE_GAP);
  return bracket && bracket.upper <= bracket.lower * (1 + WIDEST) ? bracket : null;
}

/** Gaps at which less of the line is taken, of which rounding leaves less open. */
const WIDE_GAPS = [1e-4, 1e-3, 0.01, 0.1] as const;

/** The integral that leaves least open; null where none of them tells a digit. */
export function widelyIntegratedExcess(problem: ExcessProblem): ExcessBracket | null {
  let best: ExcessBracket | null = null;
  for (const gap of WIDE_GAPS) {
    const bracket = integratedAt(problem, gap);
    if (!bracket || !(bracket.lower > 0)) continue;
    if (best === null || bracket.upper / bracket.lower < best.upper / best.lower) best = bracket;
  }
  return best;
}

function integratedAt(problem: ExcessProblem, relativeGap: number): ExcessBracket | null {
  if (problem.dConstant !== 0) return null;
  const law = contributions(problem);
  const saddle = saddlePoint(law, problem.users);
  const integral =
    saddle && contourIntegral(law, problem.users, saddle, relativeGap, { sines: 0, most: MOST_SINES });
  return !integral || 'reach' in integral ? null : { logScale: integral.logScale, ...integral.bracket };
}

/**
 * One user's share of S. A value is off by at most 4 units in the last place of its magnitude. That covers
 * what the excess problem says of the errors of its numbers, and cells that are given to some units in the
 * last place: they move the mean by no more than values do that are off by as much of their largest
 * difference, which is 1.
 */
function contributions(problem: ExcessProblem): LossLaw {
  const { cell0, cell1, other, dTelling, dOther, gapTelling, gapError, otherError } = problem;
  const magnitude = 4 + gapError / (4 * ROUNDOFF);
  const second = -(cell0 / (cell0 + cell1) + dTelling);
  const values = [
    { value: second, probability: cell1, magnitude },
    {
      value: -dOther,
      probability: other,
      magnitude: dOther * (4 + otherError / (4 * ROUNDOFF)) + magnitude,
    },
    { value: gapTelling, probability: cell0, magnitude },
  ]
    .filter(({ probability }) => probability > 0)
    .toSorted((a, b) => a.value - b.value);
  return {
    values: Float64Array.from(values, ({ value }) => value),
    probabilities: Float64Array.from(values, ({ probability }) => probability),
    magnitudes: Float64Array.from(values, (entry) => entry.magnitude),
    silent: 0,
  };
}
