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
  requireNonNegative,
  requirePositive,
  requireProbability,
  type Interval,
  type Target,
} from '@shuffle-dp/core';
import {
  namedSharpestDelta,
  namedSharpestEpsilon,
  SMALLEST_TARGET,
  type UpperBoundName,
} from '../sharp/sharpest.ts';
import { Allowance } from '../allowance.ts';
import { requireWidth, type CompositionOptions } from './compose.ts';
import { composer, lowerEnd, pass, upperEnd, type Pass, type SharpCurves } from './composition-pass.ts';
import { blanketSource, type MechanismRounds } from './mechanism-sources.ts';
import { newCurveMemory, type CurveMemory } from './sharp/curve-memory.ts';
import { sharpCurve } from './sharp/sharp-curve.ts';

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
  if ('delta' in target) requireProbability('delta', target.delta);
  else requireNonNegative('epsilon', target.epsilon);
  const [only] = rounds;
  if (!(only && rounds.length === 1 && only.count === 1)) return bothEnds(rounds, target, options);
  const { amplification, users } = only;
  return 'delta' in target
    ? namedSharpestEpsilon(amplification, users, target.delta, only)
    : namedSharpestDelta(amplification, users, target.epsilon, only);
}

/** One of several compositions of rounds that are much alike. */
export interface NearComposition {
  /**
   * About the upper end, seldom above it: of the pairs of inputs alone that led the first composition. Null
   * where blankets decide.
   */
  readonly estimate: (() => number) | null;
  readonly upper: () => number;
  /**
   * With the lower end, which takes as long again and may be a percent further out. The upper one is that of
   * the blankets where `upper` was not asked for.
   */
  readonly bracket: () => Interval;
}

/**
 * Compositions of rounds that are much alike, as a calibration meets them: the first takes as long as any,
 * and finds how closely curves are to be looked at, with which parameters and data sets. The others take
 * these over, and are proved like it.
 *
 * @throws ParameterError as `certifiedComposedEpsilon` or `certifiedComposedDelta`
 */
export function nearCompositions(target: Target): (rounds: readonly MechanismRounds[]) => NearComposition {
  const curves: CurveMemory[] = [];
  let latest: Known | null = null;
  return (rounds) => {
    const { width, worse, sharpens, ...ends } = (latest ??= roughly(rounds, target));
    let known: number | undefined;
    let blankets: number | undefined;
    const byBlankets = (at: number): number => (blankets ??= upperEnd(rounds, composer(target, at)));
    const endOf = (leadersOnly: boolean): number => {
      const course = { memory: curves, allowance: new Allowance(MOST_SINES_OF_MANY), leadersOnly };
      const sharper = sharpens ? sharpCurves(rounds, target, ends, course) : null;
      return sharper ? upperEnd(rounds, composer(target, width), sharper) : byBlankets(width);
    };
    const upper = (): number => (known ??= endOf(false));
    const estimate = sharpens ? (): number => endOf(true) : null;
    const bracket = (): Interval => {
      const { lower } = lowerEnd(rounds, composer(target, ROUGH_WIDTH), worse);
      return provedEnds(target, lower, known ?? byBlankets(ROUGH_WIDTH));
    };
    return { estimate, upper, bracket };
  };
}

/** What a composition leaves to those of rounds much like its own. */
interface Known extends Pick<Pass, 'lower' | 'upper' | 'worse'> {
  readonly width: number;
  readonly sharpens: boolean;
}

/** By the blankets, and how closely those like it are to be looked at. */
function roughly(rounds: readonly MechanismRounds[], target: Target): Known {
  requireRounds(rounds);
  const rough = pass(rounds, composer(target, ROUGH_WIDTH));
  const sharpens = isOpen(rough) && rounds.some(({ amplification }) => amplification.typed !== undefined);
  const unknown = (sharpens ? CHORDS_SHARE : UNKNOWN_SHARE) * (1 - rough.lower / rough.upper);
  const affordable = affordableWidth(rough, MOST_SINES_OF_MANY);
  const width = Math.max(requireWidth({}), unknown, affordable);
  return { ...rough, width: Math.min(width, ROUGH_WIDTH), sharpens };
}

/** The least width that takes so many sines, as a first pass tells: they grow like its power of -2/3. */
function affordableWidth({ sines }: Pick<Pass, 'sines'>, most: number): number {
  return ROUGH_WIDTH * Real.power(sines / most, 1.5);
}

function isOpen({ lower, upper }: Pick<Pass, 'lower' | 'upper'>): boolean {
  return upper > WORTH_SHARPENING * lower;
}

/** @throws ParameterError */
function requireRounds(rounds: readonly MechanismRounds[]): void {
  if (rounds.length === 0) throw new ParameterError('rounds', '[]', 'a list of at least one round');
  rounds.forEach(({ amplification, users, epsilon0 }) => {
    requireInteger('users', users, 1);
    if (amplification.blanket.length === 0 && !(epsilon0! < Infinity)) {
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
  const isWorthIt = !options.blanketsOnly && isOpen(rough) && delta >= SMALLEST_TARGET;
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
  return { bracket, by: sharpens ? 'sharp' : 'blanket' };
}

const LEFT_OUT =
  'the sharp bound takes too long in some rounds, whose upper ends are those of their blankets';
const FEW_CHORDS =
  'the sharp bound takes long in some rounds and is looked at in few points: the upper end may be a percent further out than need be';
const FEW_POINTS =
  'curves that take long are looked at in few points: either end may be some percent further out than need be';

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

/** What has to lie between the ends for the sharp bound to be worth its seconds. */
const WORTH_SHARPENING = 1.005;

interface CurvesCourse {
  /** One for each entry, once they were asked for. */
  readonly memory?: CurveMemory[];
  /** Of the composition. */
  readonly allowance?: Allowance;
  readonly leadersOnly?: boolean;
  readonly onCoarse?: ((note: string) => void) | undefined;
}

/** Null where no round has any. The ends are about those of the composition. */
function sharpCurves(
  rounds: readonly MechanismRounds[],
  target: Target,
  { lower, upper }: Pick<Pass, 'lower' | 'upper'>,
  { memory, allowance, leadersOnly = false, onCoarse }: CurvesCourse,
): SharpCurves | null {
  const blankets = rounds.map((round) => blanketSource(round, ROUGH_WIDTH, { sines: 0, points: 0 }));
  const variance = blankets.reduce((sum, { count, deviation }) => sum + count * deviation ** 2, 0);
  const total = 'delta' in target ? (lower > 0 && upper === Infinity ? lower : upper) : target.epsilon;
  const curves = blankets.map(({ profile, deviation }, i) => {
    const region = { deviation, mean: (total * deviation ** 2) / variance };
    const known = memory && (memory[i] ??= newCurveMemory());
    const own = new Allowance(allowance ? (CURVES_SHARE * allowance.left) / (blankets.length - i) : Infinity);
    const onFew = (points: 'few' | 'none'): void => onCoarse?.(points === 'few' ? FEW_CHORDS : LEFT_OUT);
    const course = { memory: known, allowance: own, leadersOnly, onCoarse: onFew };
    const chords = sharpCurve(rounds[i]!, profile, region, course);
    allowance?.take(own.sines);
    return chords;
  });
  return curves.some((chords) => chords !== null) ? curves : null;
}

/** What a composition may take in all: some three seconds of work. */
const MOST_SINES = 5.7e7;
/** What of it the second pass may take: its curves are asked for more points, each of more sines. */
const MOST_FINE_SINES = 3e7;
/** What one of many may take. */
const MOST_SINES_OF_MANY = 1.9e7;
/** What the sharp bounds may take of what the first pass leaves; the second pass has the rest. */
const CURVES_SHARE = 0.75;
