/**
 * The privacy profile delta(epsilon) of a mechanism, as certified brackets, and its inverse epsilon(delta).
 *
 * A mechanism is (epsilon, delta)-DP for every epsilon >= 0 at which the hockey-stick divergence of its worst
 * pair of neighbours is at most delta (Balle, Barthe and Gaboardi, NeurIPS 2018). The divergence decreases in
 * epsilon, so the smallest epsilon of a given delta is a root. One evaluation may cost milliseconds: the
 * search guesses the root from the Gaussian curve through delta(0), which many users approach, and then
 * follows the secant of log delta.
 */
import {
  exactly,
  gaussianSeparation,
  interval,
  normalPdf,
  normalTail,
  ParameterError,
  requireProbability,
  type Interval,
} from '@shuffle-dp/core';
import { logExcess } from './log-excess.ts';

/** Bracket of delta at an epsilon >= 0; both ends decrease in epsilon. */
export type PrivacyProfile = (epsilon: number) => Interval;

export interface EpsilonSearch {
  /** No larger epsilon is tried; default 700. Beyond it the answer is infinity. */
  readonly epsilonMax?: number;
  /** Where the search stops, relative to epsilon; default 1e-13. The result is certified whatever it is. */
  readonly relativeTolerance?: number;
  /**
   * Where a search that has not ended after twenty evaluations stops, relative to epsilon; default
   * `relativeTolerance`. Such profiles jump: their bounds change method, and no secant leads to the root.
   */
  readonly slowTolerance?: number;
  /**
   * Where a search stops at a jump of either end, relative to epsilon: one that no smooth profile has so near
   * to the root. Default none: it goes on as elsewhere.
   */
  readonly jumpTolerance?: number;
  /** About where the root is, where that is known; in (0, epsilonMax]. */
  readonly near?: number;
}

/** Of the logarithm of delta: smooth profiles change by a quarter of one over a hundredth of epsilon. */
const JUMP = 5;

/** Above this many evaluations a profile is not monotone or not finite. */
const MOST_EVALUATIONS = 300;
/** Smooth profiles take about ten. */
const USUAL_EVALUATIONS = 20;

/**
 * Bracket of the smallest epsilon >= 0 with delta(epsilon) <= `delta`.
 *
 * Upper end: the profile's upper end there is at most `delta`, so the mechanism is (upper, delta)-DP;
 * infinity if that is so nowhere up to `epsilonMax`. Lower end: the profile's lower end there is above
 * `delta`; 0 if it is so nowhere. @throws ParameterError unless delta is in [0, 1], or where the profile is
 * not a number.
 *
 * @example epsilonAtDelta((epsilon) => exactly(gaussianDivergence(0.1, epsilon)), 1e-6) // { lower: 0.396857, upper: 0.396857 }
 */
export function epsilonAtDelta(profile: PrivacyProfile, delta: number, search: EpsilonSearch = {}): Interval {
  requireProbability('delta', delta);
  const { epsilonMax = 700, relativeTolerance = 1e-13, slowTolerance = relativeTolerance } = search;
  const { jumpTolerance = 0 } = search;
  let evaluations = 0;
  const tolerance = (): number => (evaluations > USUAL_EVALUATIONS ? slowTolerance : relativeTolerance);
  const upper = openCurve();
  const lower = openCurve();
  const excessOf = (divergence: number): number => logExcess(divergence, delta, -Infinity);
  const observe = (epsilon: number): void => {
    evaluations++;
    const bracket = bracketAt(profile, epsilon);
    record(upper, epsilon, excessOf(bracket.upper));
    record(lower, epsilon, excessOf(bracket.lower));
  };

  const atZero = bracketAt(profile, 0);
  if (atZero.upper <= delta) return exactly(0);
  record(upper, 0, excessOf(atZero.upper));
  record(lower, 0, excessOf(atZero.lower));

  const start = gaussianStart(atZero.upper, delta);
  let step = Math.min(search.near ?? start.epsilon, epsilonMax);
  observe(step);
  if (upper.above === step) {
    step = Math.min(
      Math.max(step + upper.excessAbove / start.steepness, step * 1.0001),
      2 * step,
      epsilonMax,
    );
    if (step > upper.above) observe(step);
  } else if (upper.excessBelow > -30) {
    step += upper.excessBelow / start.steepness;
    if (step > 0) observe(step);
  }
  while (upper.below === Infinity && upper.above < epsilonMax) {
    observe(Math.min(epsilonMax, Math.max(2 * upper.above, 1e-12)));
  }

  const isAtJump = (curve: Curve): boolean =>
    curve.excessAbove > JUMP && isNarrow(curve, jumpTolerance * curve.below);
  const stopUpper = (): boolean => isNarrow(upper, tolerance() * upper.below) || isAtJump(upper);
  if (upper.below < Infinity) tighten(upper, observe, stopUpper);
  const stopLower = (): boolean =>
    isAtJump(lower) ||
    isNarrow(lower, Math.max(tolerance() * lower.below, 0.05 * (upper.below - lower.above)));
  if (lower.above >= 0 && lower.below < Infinity) tighten(lower, observe, stopLower);
  return interval(Math.max(0, lower.above), upper.below);
}

/** Refuses what is no number: a search that meets one would neither end nor be certified. */
function bracketAt(profile: PrivacyProfile, epsilon: number): Interval {
  const bracket = profile(epsilon);
  if (Number.isNaN(bracket.lower) || Number.isNaN(bracket.upper)) {
    throw new ParameterError(`profile(${epsilon})`, NaN, 'a number');
  }
  return bracket;
}

/** One side of the profile: the tightest known bracket of its root and the two best points for a secant. */
interface Curve {
  /** Largest epsilon seen with value > delta; -1 while there is none. */
  above: number;
  /** log(value / delta) there. */
  excessAbove: number;
  /** Smallest epsilon seen with value <= delta; infinity while there is none. */
  below: number;
  excessBelow: number;
  recent: readonly [epsilon: number, excess: number] | null;
  previous: readonly [epsilon: number, excess: number] | null;
}

function openCurve(): Curve {
  return { above: -1, excessAbove: NaN, below: Infinity, excessBelow: NaN, recent: null, previous: null };
}

function record(curve: Curve, epsilon: number, excess: number): void {
  if (excess > 0 && epsilon > curve.above && epsilon < curve.below) {
    curve.above = epsilon;
    curve.excessAbove = excess;
  } else if (excess <= 0 && epsilon < curve.below && epsilon > curve.above) {
    curve.below = epsilon;
    curve.excessBelow = excess;
  }
  if (!Number.isFinite(excess)) return;
  const { recent, previous } = curve;
  if (!recent || Math.abs(excess) <= Math.abs(recent[1])) {
    curve.previous = recent;
    curve.recent = [epsilon, excess];
  } else if (!previous || Math.abs(excess) < Math.abs(previous[1])) {
    curve.previous = [epsilon, excess];
  }
}

function isNarrow(curve: Curve, tolerance: number): boolean {
  return curve.below - curve.above <= tolerance;
}

function tighten(curve: Curve, observe: (epsilon: number) => void, stop: () => boolean): void {
  for (let evaluation = 0, slow = 0; evaluation < MOST_EVALUATIONS && !stop(); evaluation++) {
    const width = curve.below - curve.above;
    const x = slow >= 3 ? middle(curve) : secantStep(curve);
    if (!(x > curve.above && x < curve.below)) return;
    observe(x);
    slow = curve.below - curve.above > width / 2 ? slow + 1 : 0;
  }
}

/** The secant's root, pushed a little across it, so that the far end of the bracket comes near as well. */
function secantStep(curve: Curve): number {
  const { above, below, recent, previous } = curve;
  if (!recent || !previous || recent[1] === previous[1]) return middle(curve);
  const root = recent[0] - (recent[1] * (recent[0] - previous[0])) / (recent[1] - previous[1]);
  const nearest = recent[1] > 0 ? above : below;
  const move = Math.abs(root - nearest);
  const push = Math.max(0.01 * move, 3e-14 * root);
  const x = recent[1] > 0 ? root + push : root - push;
  return x > above && x < below ? x : middle(curve);
}

function middle({ above, below }: Curve): number {
  if (above <= 0) return below / 8;
  return below > 4 * above ? Math.sqrt(above) * Math.sqrt(below) : above + (below - above) / 2;
}

/**
 * Where the Gaussian mechanism with the same delta(0) has this delta, and how fast its log delta falls there:
 * delta = mu (pdf(t) - t tail(t)) with t = epsilon / mu, for small mu.
 */
function gaussianStart(deltaAtZero: number, delta: number): { epsilon: number; steepness: number } {
  const mu = gaussianSeparation(deltaAtZero);
  let low = 0;
  let high = 40;
  for (let step = 0; step < 40; step++) {
    const t = (low + high) / 2;
    if (mu * gaussianLoss(t) > delta) low = t;
    else high = t;
  }
  return { epsilon: mu * high, steepness: Math.max(1, high * 0.8) / mu };
}

/** E (Z - t)_+ for a standard normal Z. */
function gaussianLoss(t: number): number {
  if (t > 6) return (normalPdf(t) / (t * t)) * (1 - 3 / (t * t));
  return normalPdf(t) - t * normalTail(t);
}
