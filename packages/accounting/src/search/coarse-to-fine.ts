/**
 * One end of the epsilon at a delta, where a bound of the divergence is dear at a narrow gap and ten times
 * cheaper at a wide one: the cheap curve tells where to look and how steep it is there, and the dear one is
 * asked three times or four.
 */
import { exactly, Real } from '@shuffle-dp/core';
import { epsilonAtDelta, type EpsilonSearch } from '../privacy-profile.ts';

/** A bound of the divergence from one side, falling in epsilon. */
export type DivergenceEnd = (epsilon: number) => number;

export type End = 'upper' | 'lower';

/**
 * One bound at two gaps. Each is proved; where the sum's law has heavy tails the wider gap may give the
 * better end.
 */
export interface TwoGaps {
  readonly fine: DivergenceEnd;
  readonly coarse: DivergenceEnd;
}

/**
 * Where the search of the cheap curve stops at first, relative to epsilon: the dear one is about a thousandth
 * away.
 */
const COARSE_TOLERANCE = 5e-4;
/** Smooth curves are nearer to delta where their search stops. */
const SMOOTH = 0.98;
/**
 * By how much log delta falls while epsilon doubles: at most where curves are smooth, and about so much where
 * they are not, as gains of heavy tails decide.
 */
const [STEEPEST, USUAL_STEEPNESS] = [200, 6];
/** Smooth curves take three or four steps; where a bound jumps no secant leads to the root. */
const USUAL_STEPS = 6;
const MOST_STEPS = 40;

/**
 * Upper: an epsilon at which one of the bounds is at most `delta`. Lower: one at which one of them is above,
 * or 0.
 *
 * @param search its tolerance is what may be left open
 */
export function refinedEpsilon(
  { fine, coarse }: TwoGaps,
  delta: number,
  end: End,
  search: EpsilonSearch & { readonly relativeTolerance: number },
): number {
  const { relativeTolerance: tolerance } = search;
  const known = new Map<number, number>();
  const cheap = (epsilon: number): number => {
    const value = known.get(epsilon) ?? coarse(epsilon);
    known.set(epsilon, value);
    return value;
  };
  const rootOf = (bound: DivergenceEnd, relativeTolerance: number): number =>
    epsilonAtDelta((epsilon) => exactly(bound(epsilon)), delta, { ...search, relativeTolerance })[end];
  const guess = rootOf(cheap, COARSE_TOLERANCE);
  if (!(guess > 0 && guess < Infinity)) return rootOf(fine, tolerance);
  // The search has stopped at a jump, where a finer one would only look for its place.
  if (search.jumpTolerance !== undefined && end === 'upper' && cheap(guess) < SMOOTH * delta) return guess;
  const isProof = (excess: number): boolean => (end === 'upper' ? excess <= 0 : excess > 0);
  // A lower end that breaks off at the wide gap may go on at the narrow one.
  if (end === 'lower' && cheap(guess * (1 + 2 * COARSE_TOLERANCE)) < delta / 2) {
    const room = Math.min(search.epsilonMax ?? 700, 2 * guess) - guess;
    if ([0.1, 0.3, 0.6].some((share) => fine(guess + share * room) > delta)) return rootOf(fine, tolerance);
  }
  const atGuess = fine(guess);
  const first = Real.log(atGuess / delta);
  // The dear curve proves less than the cheap one, or the same.
  if (!isProof(first) || isSame(atGuess, cheap(guess))) return rootOf(cheap, tolerance);

  // Towards larger proofs: an upper end is to become smaller, a lower end larger.
  const inward = end === 'upper' ? -1 : 1;
  const { slowTolerance = tolerance, epsilonMax = 700 } = search;
  let slope = slopeAround(known, guess);
  // A cheap curve that jumps there tells nothing of the dear one's slope.
  if (-slope * guess > STEEPEST) slope = -USUAL_STEEPNESS / guess;
  /** Proves, and its neighbour inwards that does not. */
  let best = guess;
  let beyond = NaN;
  let last = { epsilon: guess, excess: first };
  for (let step = 0; step < MOST_STEPS; step++) {
    const move = -last.excess / slope;
    if (last.epsilon === best && slope < 0 && Math.abs(move) <= tolerance * best) break;
    if (step >= USUAL_STEPS && Math.abs(beyond - best) <= slowTolerance * best) break;
    const epsilon = nextStep(
      last.epsilon + move - 0.3 * inward * tolerance * best,
      slope < 0 && step < 2 * USUAL_STEPS,
    );
    if (!(epsilon > 0 && epsilon <= epsilonMax) || epsilon === best || epsilon === beyond) break;
    const excess = Real.log(fine(epsilon) / delta);
    if (isProof(excess)) best = epsilon;
    else beyond = epsilon;
    // Of points too near to each other the secant is rounding.
    if (Math.abs(epsilon - last.epsilon) > 1e-6 * epsilon)
      slope = (excess - last.excess) / (epsilon - last.epsilon);
    last = { epsilon, excess };
  }
  return best;

  /** The secant's step where it lies between what is known; else the middle, or on by a little. */
  function nextStep(secant: number, trusted: boolean): number {
    if (trusted && inward * (secant - best) > 0 && !(inward * (secant - beyond) >= 0)) return secant;
    return Number.isNaN(beyond) ? best * (1 + inward * COARSE_TOLERANCE) : (best + beyond) / 2;
  }
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * b;
}

/**
 * The slope of the log of a curve through the two known points nearest to where it is looked at; NaN where
 * there are none.
 */
function slopeAround(known: ReadonlyMap<number, number>, epsilon: number): number {
  const near = [...known]
    .filter(([, value]) => value > 0)
    .toSorted(([a], [b]) => Math.abs(a - epsilon) - Math.abs(b - epsilon));
  const second = near.find(([at]) => Math.abs(at - near[0]![0]) > 1e-5 * epsilon);
  if (second === undefined) return NaN;
  const [at, value] = near[0]!;
  return (Real.log(second[1]) - Real.log(value)) / (second[0] - at);
}
