/**
 * The bracket of a composition: the step and the range of the lattice are refined until it is as narrow as
 * asked.
 */
import { interval, normalTail, provedInterval, Real, type Interval, type Target } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { basicEpsilon, countOf } from './composition-theorems.ts';
import { composeOnLattice, tiltForDelta, tiltForEpsilon, type ComposedCurve } from './lattice-composition.ts';
import { latticeRound, type LatticeRound } from './loss-moments.ts';
import { privacyLossDistribution, type Side } from './privacy-loss-distribution.ts';
import type { RoundSource } from './round-source.ts';
import { LARGEST_LOSS, type CurvePair } from './sampled-curve.ts';

/** Where the curves of the rounds are looked at. */
export interface Grid {
  readonly step: number;
  /**
   * What may be left of each curve beyond its last point; it counts as infinite loss from above, as none from
   * below.
   */
  readonly tail: number;
  /**
   * About the tilt of the composition: which losses are its bulk. Without it every point of the curves is
   * looked at.
   */
  readonly tilt?: number;
  /** About what is asked for, as far as the first look tells. */
  readonly estimate?: number;
}

/** A delta smaller than this is not resolved: little more is left of the doubles. */
const SMALLEST_TAIL = 1e-290;
const MOST_REFINEMENTS = 5;
/** A bracket so many times as wide as asked was not expected of the first grid. */
const UNLIKE = 4;
/** Where a step is too short for the losses of all rounds. */
const COARSER = 8;
/** Steps per standard deviation of one round in the first look, which only finds out where to look. */
const FIRST_LOOK = 4;
/** Steps of the first look, where a few losses lie far beyond the deviation. */
const LONGEST_FIRST_LOOK = 400;

/** How a composition is looked for. */
export interface Course {
  /** Where to look at first: by default what a first look tells. */
  readonly known?: () => Grid;
  /** Asked after each bracket: a wider one is as sound. */
  readonly mayRefine?: () => boolean;
  /** What is known to be above it; by default basic composition tells. */
  readonly ceiling?: number;
  /** To which lattices add what they take. */
  readonly work?: Work;
}

/**
 * The bracket of epsilon or delta for the product of these rounds, forward direction. Refining stops when it
 * is narrower than `relativeWidth` or narrows no more.
 */
export function composeSources(
  sources: readonly RoundSource[],
  target: Target,
  relativeWidth: number,
  course: Course = {},
): Interval {
  const { known = () => firstGrid(sources, target, relativeWidth), mayRefine = () => true, work } = course;
  const count = countOf(sources);
  if ('delta' in target && target.delta >= 1) return interval(0, 0);
  if ('delta' in target && (target.delta === 0 || count === 1)) return sumOfBudgets(sources, target.delta);
  if ('epsilon' in target && count === 1) return sources[0]!.profile(target.epsilon);
  const ceiling = course.ceiling ?? basicBound(sources, count, target);
  if (ceiling === 0) return interval(0, 0);
  if (isOutOfReach(sources, target)) return interval(0, ceiling);

  const onlyUpper = sources.some(({ proved }) => proved === 'upper');
  let grid = known();
  let bracket = interval(0, ceiling);
  for (let refinement = 0; refinement < MOST_REFINEMENTS; refinement++) {
    const { step, tail, tilt } = grid;
    const closeness = tilt === undefined ? 'everywhere' : { tilt };
    const curves = sources.map((source) => source.curves(step, tail, closeness));
    const upper = composed(sources, curves, target, { step, side: 'pessimistic', work });
    const lower = upper && composed(sources, curves, target, { step, side: 'optimistic', work });
    if (upper === null || lower === null) {
      if (widthOf(bracket) < 1) break;
      grid = { ...grid, step: COARSER * grid.step };
      continue;
    }
    const high = Math.min(bracket.upper, valueAt(upper, target));
    const optimistic = valueAt(lower, target);
    // Made up where only upper ends are proved: it tells how far the lattice is from enough, and contradicts
    // nothing, nor does that of a lattice before.
    const narrower = Math.max(bracket.lower, optimistic);
    const low = onlyUpper ? Math.min(narrower, high) : narrower;
    const [before, gain] = [widthOf(bracket), 1 - high / bracket.upper];
    bracket = provedInterval(
      'delta' in target ? 'epsilon' : 'delta',
      { name: 'the optimistic lattice', value: low },
      { name: 'the pessimistic lattice', value: high },
    );
    const width = widthOf(bracket);
    const isLast = width < 1 || refinement > 1 || grid.tail === SMALLEST_TAIL;
    const stands = width > 0.9 * before && isLast && grid.tilt === undefined;
    // Where the other end is made up, and of curves with bends says little, only this one's gain tells.
    const isEnough = onlyUpper && refinement > 0 && gain <= relativeWidth;
    if (width <= relativeWidth || stands || isEnough || !mayRefine()) break;
    grid = finer(
      grid,
      tailFor('delta' in target ? target.delta : low, count, relativeWidth),
      width / relativeWidth,
      sources.some(({ isBroken }) => isBroken),
    );
  }
  return bracket;
}

/**
 * Whether losses that count as infinite have more than delta, and no lower end is proved that would have to
 * be found.
 */
function isOutOfReach(sources: readonly RoundSource[], target: Target): boolean {
  if (!('delta' in target) || sources.some(({ proved }) => proved === 'both')) return false;
  const finite = sources.reduce(
    (log, { count, profile }) => log + count * Real.log1p(-profile(LARGEST_LOSS).upper),
    0,
  );
  return -Real.expm1(finite) > target.delta;
}

/**
 * Where the range was the fault, the step stays.
 * @param isBroken whether bends are those of chords, which points everywhere find no sooner
 */
function finer({ step, tail, tilt }: Grid, tailNeeded: number, tooWide: number, isBroken: boolean): Grid {
  // Losses that lie in few places, or in others than the tilt says, are found by looking everywhere.
  const isUnlike = tilt !== undefined && tooWide > UNLIKE && !isBroken;
  const attention = isUnlike || tilt === undefined ? {} : { tilt };
  if (tailNeeded < 1e-3 * tail) return { step, tail: tailNeeded, ...attention };
  return {
    step: step * Math.max(0.25, 0.8 / Math.sqrt(tooWide)),
    tail: Math.max(SMALLEST_TAIL, 0.1 * tail),
    ...attention,
  };
}

/** Exact for one round, and at delta = 0, where the largest losses add up. */
function sumOfBudgets(sources: readonly RoundSource[], delta: number): Interval {
  let lower = 0;
  let upper = 0;
  for (const source of sources) {
    const budget = source.epsilonAt(delta);
    lower += source.count * budget.lower;
    upper += source.count * budget.upper;
  }
  return interval(lower, upper);
}

/** The simplest upper bound: every round an equal share of delta, or of epsilon. */
function basicBound(sources: readonly RoundSource[], count: number, target: Target): number {
  if ('delta' in target) return basicEpsilon(sources, target.delta);
  const share = target.epsilon / count;
  return Math.min(
    1,
    sources.reduce((sum, source) => sum + source.count * source.profile(share).upper, 0),
  );
}

/**
 * From a look at few points.
 * @param others that are looked at as well, at the same points
 */
export function firstGrid(
  sources: readonly RoundSource[],
  target: Target,
  relativeWidth: number,
  others: readonly RoundSource[] = [],
): Grid {
  const count = countOf(sources);
  const variance = sources.reduce((sum, { count: rounds, deviation }) => sum + rounds * deviation ** 2, 0);
  const tail = tailFor(
    'delta' in target ? target.delta : gaussianDelta(variance, target.epsilon),
    count,
    relativeWidth,
  );
  const range = Math.max(...[...sources, ...others].map((source) => rangeOf(source, tail)));
  const coarse = {
    step: Math.max(Math.sqrt(variance / count) / FIRST_LOOK, range / LONGEST_FIRST_LOOK),
    tail,
  };
  const curves = sources.map((source) => source.curves(coarse.step, coarse.tail, 'near zero'));
  const look = composed(sources, curves, target, { step: coarse.step, side: 'pessimistic' });
  if (look === null) return { ...coarse, step: COARSER * coarse.step };
  const value = valueAt(look, target);
  // Chords add about step^2 to the variance of each round's loss, and half of that times the steepness to
  // epsilon.
  const epsilonError =
    'delta' in target
      ? relativeWidth * (value < Infinity ? value : look.centre)
      : relativeWidth / look.steepness;
  const step = Math.sqrt((1.2 * Math.max(0, epsilonError)) / (count * look.steepness));
  const delta = 'delta' in target ? target.delta : value;
  return {
    step: Math.min(coarse.step, step > 0 ? step : Infinity),
    tail: Math.min(coarse.tail, tailFor(delta, count, relativeWidth)),
    tilt: look.steepness,
    estimate: value,
  };
}

/** Where no more than `tail` is left of delta beside infinite losses, to a factor of two. */
function rangeOf({ profile, deviation }: RoundSource, tail: number): number {
  const infinite = profile(LARGEST_LOSS).upper;
  let range = deviation;
  while (range < LARGEST_LOSS && profile(range).upper > infinite * (1 + 1e-6) + tail) range *= 2;
  return range;
}

/** About the delta of losses of this total variance. */
function gaussianDelta(variance: number, epsilon: number): number {
  return normalTail(epsilon / Math.sqrt(variance) - Math.sqrt(variance) / 2);
}

function tailFor(delta: number, count: number, relativeWidth: number): number {
  return Math.max(SMALLEST_TAIL, (0.02 * relativeWidth * delta) / count);
}

interface LatticeOptions {
  readonly step: number;
  readonly side: Side;
  readonly work?: Work | undefined;
}

/** What transforms take for each loss of a window. */
const SINES_PER_LOSS = 6;

function composed(
  sources: readonly RoundSource[],
  curves: readonly CurvePair[],
  target: Target,
  { step, side, work }: LatticeOptions,
): ComposedCurve | null {
  // Between losses so far apart nothing is told, and e to a few of them leaves the doubles.
  if (step > LARGEST_LOSS) return null;
  const rounds: readonly LatticeRound[] = sources.map(({ count }, i) => {
    const [forward, backward] = curves[i]!;
    return latticeRound(privacyLossDistribution(forward, backward, step, side), count);
  });
  const composedAt = (tilt: number): ComposedCurve | null => {
    const curve = composeOnLattice(rounds, tilt);
    if (work && curve) work.sines += SINES_PER_LOSS * curve.size;
    return curve;
  };
  if ('epsilon' in target) return composedAt(tiltForEpsilon(rounds, target.epsilon));
  const first = composedAt(tiltForDelta(rounds, target.delta));
  if (first === null) return null;
  const epsilon = first.epsilonAt(target.delta);
  const isNear = Math.abs(epsilon - first.centre) <= 3 * first.deviation;
  return isNear || !(epsilon > 0 && epsilon < Infinity) ? first : composedAt(tiltForEpsilon(rounds, epsilon));
}

function valueAt(curve: ComposedCurve, target: Target): number {
  return 'delta' in target ? curve.epsilonAt(target.delta) : curve.deltaAt(target.epsilon);
}

function widthOf({ lower, upper }: Interval): number {
  if (upper === lower) return 0;
  return upper === Infinity ? 1 : (upper - lower) / upper;
}
