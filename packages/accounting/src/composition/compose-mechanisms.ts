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
import { namedSharpestDelta, namedSharpestEpsilon, type UpperBoundName } from '../sharp/sharpest.ts';
import { requireWidth, type CompositionOptions } from './compose.ts';
import {
  composer,
  lowerEnd,
  pass,
  upperEnd,
  type Order,
  type Pass,
  type SharpCurves,
} from './composition-pass.ts';
import { blanketSource, type MechanismRounds } from './mechanism-sources.ts';
import { newCurveMemory, sharpCurve, type CurveMemory } from './sharp/sharp-curve.ts';

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
  readonly upper: number;
  /** With the lower end, which takes as long again and may be a percent further out. */
  bracket(): Interval;
}

/**
 * Compositions of rounds that are much alike, as a calibration meets them: the first takes as long as any,
 * and finds how closely curves are to be looked at, with which parameters and data sets. The others take
 * these over, and are proved like it.
 *
 * @throws ParameterError as `certifiedComposedEpsilon` or `certifiedComposedDelta`
 */
export function nearCompositions(target: Target): (rounds: readonly MechanismRounds[]) => NearComposition {
  const memory: CompositionMemory = { latest: null, curves: [] };
  return (rounds) => {
    const upper = memory.latest
      ? nearUpperEnd(rounds, target, memory.latest, memory)
      : bothEnds(rounds, target, {}, memory).bracket.upper;
    const bracket = (): Interval => {
      const { lower } = lowerEnd(rounds, composer(target, ROUGH_WIDTH), memory.latest?.worse);
      return provedEnds(target, lower, upper);
    };
    return { upper, bracket };
  };
}

function nearUpperEnd(
  rounds: readonly MechanismRounds[],
  target: Target,
  latest: Known,
  memory: CompositionMemory,
): number {
  const sharper = latest.sharpens ? sharpCurves(rounds, target, latest, memory) : null;
  return upperEnd(rounds, composer(target, latest.width), sharper);
}

function provedEnds(target: Target, lower: number, upper: number): Interval {
  return provedInterval(
    'delta' in target ? 'epsilon' : 'delta',
    { name: 'equal users in every round', value: lower },
    { name: 'the blankets and sharp bounds of the rounds', value: upper },
  );
}

/** What a composition leaves to those of rounds much like its own. */
interface CompositionMemory {
  latest: Known | null;
  /** One for each entry, once they were asked for. */
  readonly curves: CurveMemory[];
}

interface Known extends Pick<Pass, 'lower' | 'upper'> {
  readonly width: number;
  readonly worse: Order;
  readonly sharpens: boolean;
}

function bothEnds(
  rounds: readonly MechanismRounds[],
  target: Target,
  options: CompositionOptions,
  memory?: CompositionMemory,
): NamedComposition {
  const width = requireWidth(options);
  if (rounds.length === 0) throw new ParameterError('rounds', '[]', 'a list of at least one round');
  if ('delta' in target && target.delta >= 1) return { bracket: interval(0, 0), by: 'blanket' };
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
  const roughWidth = Math.max(width, ROUGH_WIDTH);
  const rough = pass(rounds, composer(target, roughWidth));
  const isWorthIt = !options.blanketsOnly && rough.upper > WORTH_SHARPENING * rough.lower;
  const sharper = isWorthIt ? sharpCurves(rounds, target, rough, memory) : null;
  const upper =
    sharper === null
      ? rough.upper
      : Math.min(rough.upper, upperEnd(rounds, composer(target, roughWidth), sharper, rough.upper));
  if (isWorthIt && rounds.some(({ amplification }, i) => amplification.typed && !sharper?.[i]))
    options.onCoarse?.(LEFT_OUT);
  const unknown = 1 - rough.lower / upper;
  // Work grows like the width to the power of -2/3.
  const affordable = ROUGH_WIDTH * Real.power(rough.sines / MOST_FINE_SINES, 1.5);
  const wanted = Math.max(width, (sharper === null ? UNKNOWN_SHARE : CHORDS_SHARE) * unknown, affordable);
  if (affordable > width && affordable >= wanted) options.onCoarse?.(FEW_POINTS);
  const isFiner = wanted <= ROUGH_WIDTH / 2;
  // Of many that are alike only upper ends are asked for, mostly.
  const finely = composer(target, wanted);
  const fine = !isFiner
    ? rough
    : memory
      ? { ...rough, upper: upperEnd(rounds, finely, sharper, upper) }
      : pass(rounds, finely, { ...rough, upper }, sharper);
  const bracket = provedEnds(target, Math.max(rough.lower, fine.lower), Math.min(upper, fine.upper));
  const sharpens = sharper !== null && bracket.upper < rough.upper;
  if (memory)
    memory.latest = { ...bracket, width: isFiner ? wanted : roughWidth, worse: fine.worse, sharpens };
  return { bracket, by: sharpens ? 'sharp' : 'blanket' };
}

const LEFT_OUT =
  'the sharp bound takes too long in some rounds, whose upper ends are those of their blankets';
const FEW_POINTS =
  'curves that take long are looked at in few points: either end may be some percent further out than need be';

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

/** Null where no round has any. @param before about what the composition has */
function sharpCurves(
  rounds: readonly MechanismRounds[],
  target: Target,
  { lower, upper }: Pick<Pass, 'lower' | 'upper'>,
  memory?: CompositionMemory,
): SharpCurves | null {
  const blankets = rounds.map((round) => blanketSource(round, ROUGH_WIDTH, { sines: 0, points: 0 }));
  const variance = blankets.reduce((sum, { count, deviation }) => sum + count * deviation ** 2, 0);
  const total = 'delta' in target ? (lower > 0 && upper === Infinity ? lower : upper) : target.epsilon;
  const curves = blankets.map(({ profile, deviation }, i) => {
    const region = { deviation, mean: (total * deviation ** 2) / variance };
    const known = memory && (memory.curves[i] ??= newCurveMemory());
    return sharpCurve(rounds[i]!, profile, region, known);
  });
  return curves.some((chords) => chords !== null) ? curves : null;
}

/** What the second pass may cost: its curves are asked for more points, each of more sines. */
const MOST_FINE_SINES = 6e7;
