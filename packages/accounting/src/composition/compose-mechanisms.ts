/**
 * What a user is told about many rounds: the bracket of the privacy of shuffled mechanisms under adaptive
 * composition, replace-one in all rounds at once. From above by the blankets (docs/soundness.md, F1 and F2)
 * and the sharp bound: the largest of all curves bounds each round whatever the earlier ones showed. From
 * below by one pair of data sets per round whose other users all hold one value (F3): the product of these
 * pairs is a pair of histories that can occur.
 */
import {
  interval,
  provedInterval,
  ParameterError,
  Real,
  requireInteger,
  requirePositive,
  requireTarget,
  type Interval,
  type Target,
} from '@shuffle-dp/core';
import { namedSharpestDelta, namedSharpestEpsilon, type UpperBoundName } from '../sharp/sharpest.ts';
import { Allowance } from '../allowance.ts';
import { worstEqualData } from '../one-round.ts';
import { requireWidth, type CompositionOptions } from './compose.ts';
import { composer, pass, upperEnd, type Pass, type SharpCurves } from './composition-pass.ts';
import { blanketSource, type MechanismRounds } from './mechanism-sources.ts';
import { sharpCurve } from './sharp/sharp-curve.ts';
import { hasTwoMessagesCurve } from './sharp/two-messages-curve.ts';

/**
 * Bracket of delta at `epsilon` of the composition. `relativeWidth` is asked of each end's own numerical
 * error; what lies between the ends beyond it is not known.
 * @throws ParameterError for no rounds, users or counts below 1, or epsilon < 0
 */
export function certifiedComposedDelta(
  rounds: readonly MechanismRounds[],
  epsilon: number,
  options: CompositionOptions = {},
): Interval {
  return namedComposition(rounds, { epsilon }, options).bracket;
}

/**
 * Bracket of the smallest epsilon at which the composition is (epsilon, delta)-DP, likewise.
 * @throws ParameterError for no rounds, users or counts below 1, or delta outside [0, 1]
 */
export function certifiedComposedEpsilon(
  rounds: readonly MechanismRounds[],
  delta: number,
  options: CompositionOptions = {},
): Interval {
  return namedComposition(rounds, { delta }, options).bracket;
}

/** A bracket of the composition, and which bound of the rounds its upper end rests on. */
export interface NamedComposition {
  readonly bracket: Interval;
  /** 'sharp' where the curve of some round is below its blanket's. */
  readonly by: UpperBoundName;
}

/**
 * As `certifiedComposedEpsilon` or `certifiedComposedDelta`, by what is given of the target, with the bound
 * that decides from above.
 * @throws ParameterError as those
 */
export function namedComposition(
  rounds: readonly MechanismRounds[],
  target: Target,
  options: CompositionOptions = {},
): NamedComposition {
  requireTarget(target);
  const [only] = rounds;
  if (!only || rounds.length > 1 || only.count > 1) return bothEnds(rounds, target, options);
  const { amplification, users } = only;
  const { blanket, homogeneous } = amplification;
  if (blanket.length === 0) {
    // One round is composed as many are, by what holds for any randomizer, but for its data sets.
    const { bracket, by } = bothEnds(rounds, target, options);
    const lower = homogeneous.length === 0 ? 0 : worstEqualData(homogeneous, users, target, only).value;
    return { bracket: provedEnds(target, Math.max(bracket.lower, lower), bracket.upper), by };
  }
  return 'delta' in target
    ? namedSharpestEpsilon(amplification, users, target.delta, only)
    : namedSharpestDelta(amplification, users, target.epsilon, only);
}

/**
 * An upper end that takes less: that of the blankets, some percent wide.
 * @throws ParameterError as `certifiedComposedEpsilon` or `certifiedComposedDelta`
 */
export function roughUpperEnd(rounds: readonly MechanismRounds[], target: Target): number {
  requireRounds(rounds);
  return upperEnd(rounds, composer(target, ROUGH_WIDTH));
}

/** The least width that takes so many sines, as a first pass tells: they grow like its power of -2/3. */
function affordableWidth({ sines }: Pick<Pass, 'sines'>, most: number): number {
  return ROUGH_WIDTH * Real.power(sines / most, 1.5);
}

/** @throws ParameterError */
function requireRounds(rounds: readonly MechanismRounds[]): void {
  if (rounds.length === 0) throw new ParameterError('rounds', '[]', 'a list of at least one round');
  rounds.forEach(({ amplification, users, epsilon0, ownCurve }) => {
    requireInteger('users', users, 1);
    if (!ownCurve && amplification.blanket.length === 0 && !(epsilon0! < Infinity)) {
      throw new ParameterError(
        'blanket',
        '[]',
        'a list of at least one entry: no local budget bounds the mechanism',
      );
    }
    if (epsilon0 !== undefined && epsilon0 !== Infinity) requirePositive('epsilon0', epsilon0);
  });
}

function provedEnds(target: Target, lower: number, upper: number): Interval {
  return provedInterval(
    'delta' in target ? 'epsilon' : 'delta',
    { name: 'equal users in every round', value: lower },
    { name: 'the blankets and sharp bounds of the rounds', value: upper },
  );
}

function bothEnds(
  rounds: readonly MechanismRounds[],
  target: Target,
  options: CompositionOptions,
): NamedComposition {
  const width = requireWidth(options);
  requireRounds(rounds);
  if ('delta' in target && target.delta >= 1) return { bracket: interval(0, 0), by: 'blanket' };
  const allowance = new Allowance(MOST_SINES);
  const roughWidth = Math.max(width, ROUGH_WIDTH);
  const rough = pass(rounds, composer(target, roughWidth));
  allowance.take(rough.sines);
  const delta = 'delta' in target ? target.delta : rough.upper;
  const isOpen = rough.upper > WORTH_SHARPENING * rough.lower;
  const isWorthIt = !options.blanketsOnly && isOpen && delta >= SMALLEST_TARGET;
  const { onCoarse } = options;
  const sharper = isWorthIt ? sharpCurves(rounds, target, rough, { allowance, onCoarse }) : null;
  const upper =
    sharper === null
      ? rough.upper
      : Math.min(rough.upper, upperEnd(rounds, composer(target, roughWidth), sharper, rough.upper));
  const unknown = 1 - rough.lower / upper;
  const affordable = affordableWidth(rough, Math.min(MOST_FINE_SINES, allowance.left));
  const wanted = Math.max(width, (sharper === null ? UNKNOWN_SHARE : CHORDS_SHARE) * unknown, affordable);
  if (affordable > Math.max(width, WORTH_SAYING) && affordable >= wanted) onCoarse?.(FEW_POINTS);
  const isFiner = wanted <= ROUGH_WIDTH / 2;
  const fine = isFiner ? pass(rounds, composer(target, wanted), { ...rough, upper }, sharper) : rough;
  const bracket = provedEnds(target, Math.max(rough.lower, fine.lower), Math.min(upper, fine.upper));
  const sharpens = sharper !== null && bracket.upper < rough.upper;
  return { bracket, by: sharpens ? nameOf(rounds, sharper) : 'blanket' };
}

const LEFT_OUT = 'the sharp bound takes too long in some rounds: their upper ends come from the blanket';
const FEW_CHORDS =
  'the sharp bound takes long in some rounds and is computed at few points: the upper end may be a percent larger than necessary';
const FEW_POINTS =
  'curves that take long are computed at few points: either end may be some percent further out than necessary';

/** Of the bound that the curves have. */
function nameOf(rounds: readonly MechanismRounds[], curves: SharpCurves): UpperBoundName {
  const sharper = rounds.filter((_, i) => curves[i] !== null);
  return sharper.every(hasTwoMessagesCurve) ? 'two-messages' : 'sharp';
}

/** Ends that are wider by less need no word. */
const WORTH_SAYING = 2e-3;
/**
 * How wide the first pass is: a hundredth of the work of the default. A second one that is hardly narrower
 * tells nothing more.
 */
const ROUGH_WIDTH = 1e-2;
/**
 * Each end may err by this part of what lies between them in any case: to know it better would tell little.
 */
const UNKNOWN_SHARE = 3e-3;
/** Likewise, where chords of the sharp bound leave more open than the lattice does. */
const CHORDS_SHARE = 1e-2;

/** At smaller deltas hardly any curve is below the blanket's. */
const SMALLEST_TARGET = 1e-100;

/** What has to lie between the ends for the sharp bound to be worth its seconds. */
const WORTH_SHARPENING = 1.005;

interface CurvesCourse {
  /** Of the composition. */
  readonly allowance: Allowance;
  readonly onCoarse?: ((note: string) => void) | undefined;
}

/** Null where no round has any. The ends are about those of the composition. */
function sharpCurves(
  rounds: readonly MechanismRounds[],
  target: Target,
  { lower, upper }: Pick<Pass, 'lower' | 'upper'>,
  { allowance, onCoarse }: CurvesCourse,
): SharpCurves | null {
  const blankets = rounds.map((round) => blanketSource(round, ROUGH_WIDTH, { sines: 0, points: 0 }));
  const variance = blankets.reduce((sum, { count, deviation }) => sum + count * deviation ** 2, 0);
  const total = 'delta' in target ? (lower > 0 && upper === Infinity ? lower : upper) : target.epsilon;
  const curves = blankets.map(({ profile, deviation }, i) => {
    const region = { deviation, mean: (total * deviation ** 2) / variance };
    const own = new Allowance((CURVES_SHARE * allowance.left) / (blankets.length - i));
    const onFew = (points: 'few' | 'none'): void => onCoarse?.(points === 'few' ? FEW_CHORDS : LEFT_OUT);
    const course = { allowance: own, onCoarse: onFew };
    const chords = sharpCurve(rounds[i]!, profile, region, course);
    allowance.take(own.sines);
    return chords;
  });
  return curves.some((chords) => chords !== null) ? curves : null;
}

/** What a composition may take in all: some four seconds of work. */
const MOST_SINES = 1.2e8;
/** What of it the second pass may take: its curves are asked for more points, each of more sines. */
const MOST_FINE_SINES = 6e7;
/** What the sharp bounds may take of what the first pass leaves; the second pass has the rest. */
const CURVES_SHARE = 0.75;
