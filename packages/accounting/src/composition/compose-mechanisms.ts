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
import type { Work } from '../blanket/contour-integral.ts';
import { namedSharpestDelta, namedSharpestEpsilon, type UpperBoundName } from '../sharp/sharpest.ts';
import { requireWidth, type CompositionOptions } from './compose.ts';
import {
  blanketSource,
  homogeneousSources,
  tellingOutputs,
  type MechanismRounds,
} from './mechanism-sources.ts';
import { composeSources, firstGrid, type Grid } from './refined-bracket.ts';
import type { RoundSource } from './round-source.ts';
import { sharpCurve, type Chords } from './sharp-curve.ts';

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

function bothEnds(
  rounds: readonly MechanismRounds[],
  target: Target,
  options: CompositionOptions,
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
  const rough = pass(rounds, target, roughWidth);
  const isWorthIt = !options.blanketsOnly && rough.upper > WORTH_SHARPENING * rough.lower;
  const sharper = isWorthIt ? sharpCurves(rounds, target, rough) : null;
  const upper =
    sharper === null
      ? rough.upper
      : Math.min(rough.upper, upperEnd(rounds, composer(target, roughWidth), sharper));
  if (isWorthIt && rounds.some(({ amplification }, i) => amplification.typed && !sharper?.[i]))
    options.onCoarse?.(LEFT_OUT);
  const unknown = 1 - rough.lower / upper;
  // Work grows like the width to the power of -2/3.
  const affordable = ROUGH_WIDTH * Real.power(rough.sines / MOST_FINE_SINES, 1.5);
  const wanted = Math.max(width, (sharper === null ? UNKNOWN_SHARE : CHORDS_SHARE) * unknown, affordable);
  if (affordable > width && affordable >= wanted) options.onCoarse?.(FEW_POINTS);
  const fine = wanted <= ROUGH_WIDTH / 2 ? pass(rounds, target, wanted, rough, sharper) : rough;
  const bracket = provedInterval(
    'delta' in target ? 'epsilon' : 'delta',
    { name: 'equal users in every round', value: Math.max(rough.lower, fine.lower) },
    { name: 'the blankets and sharp bounds of the rounds', value: Math.min(upper, fine.upper) },
  );
  return { bracket, by: sharper !== null && bracket.upper < rough.upper ? 'sharp' : 'blanket' };
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

/** Both ends, each to a relative width, and the order of the victim's inputs that gives the lower one. */
interface Pass {
  readonly lower: number;
  readonly upper: number;
  readonly worse: Order;
  /** What both cost. */
  readonly sines: number;
}

type Order = 'ahead' | 'behind';

/** Composes rounds to a width, as long as that is affordable, and counts what it costs. */
interface Composer {
  readonly width: number;
  readonly work: Work;
  composed(sources: readonly RoundSource[], known?: () => Grid): Interval;
}

function composer(target: Target, width: number): Composer {
  const work: Work = { sines: 0 };
  const composed = (sources: readonly RoundSource[], known?: () => Grid): Interval => {
    const most = work.sines + MOST_SINES;
    let before = work.sines;
    const mayRefine = (): boolean => {
      const spent = work.sines - before;
      before = work.sines;
      return work.sines + FINER * spent < most;
    };
    return composeSources(sources, target, width, known, mayRefine);
  };
  return { width, work, composed };
}

function upperEnd(
  rounds: readonly MechanismRounds[],
  { width, work, composed }: Composer,
  sharper: SharpCurves | null,
): number {
  return composed(rounds.map((round, i) => blanketSource(round, width, work, sharper?.[i]))).upper;
}

/**
 * @param before a pass that told the order of the victim's inputs that gives the lower end; by default both
 * are looked at
 */
function pass(
  rounds: readonly MechanismRounds[],
  target: Target,
  width: number,
  before?: Pass,
  sharper: SharpCurves | null = null,
): Pass {
  const composing = composer(target, width);
  const { work, composed } = composing;
  const upper = upperEnd(rounds, composing, sharper);
  const worst = rounds.map((round) => tellingOutputs(round, width));
  if (!worst.every((atoms) => atoms !== null)) return { lower: 0, upper, worse: 'ahead', sines: work.sines };
  const pairs = rounds.map((round, i) => homogeneousSources(round, worst[i]!, width, work));
  const sources = {
    ahead: pairs.map(([forward]) => forward),
    behind: pairs.map(([, backward]) => backward),
  };
  const oneOrder = worst.every(({ symmetric }) => symmetric) ? 'ahead' : before?.worse;
  if (oneOrder) {
    const { lower } = composed(sources[oneOrder]);
    return { lower, upper, worse: oneOrder, sines: work.sines };
  }
  const ahead = firstGrid(sources.ahead, target, width, sources.behind);
  const behind = firstGrid(sources.behind, target, width, sources.ahead);
  const grids = { ahead, behind: likeThat(behind, ahead) };
  const lowers = { ahead: 0, behind: 0 };
  for (const order of ordersWorthIt(grids, work))
    lowers[order] = composed(sources[order], () => grids[order]).lower;
  const lower = Math.max(lowers.ahead, lowers.behind);
  return {
    lower: lower > 0 ? lower : ofOneRound([...sources.ahead, ...sources.behind], target),
    upper,
    worse: lowers.ahead >= lowers.behind ? 'ahead' : 'behind',
    sines: work.sines,
  };
}

/** One for each entry, or null where nothing is sharper than its blanket. */
type SharpCurves = readonly (Chords | null)[];

/** What has to lie between the ends for the sharp bound to be worth its seconds. */
const WORTH_SHARPENING = 1.005;

/** Null where no round has any. @param before what the blankets tell */
function sharpCurves(
  rounds: readonly MechanismRounds[],
  target: Target,
  { lower, upper }: Pass,
): SharpCurves | null {
  const blankets = rounds.map((round) => blanketSource(round, ROUGH_WIDTH, { sines: 0 }));
  const variance = blankets.reduce((sum, { count, deviation }) => sum + count * deviation ** 2, 0);
  const total = 'delta' in target ? (lower > 0 && upper === Infinity ? lower : upper) : target.epsilon;
  const curves = blankets.map(({ profile, deviation }, i) =>
    sharpCurve(rounds[i]!, profile, { deviation, mean: (total * deviation ** 2) / variance }),
  );
  return curves.some((chords) => chords !== null) ? curves : null;
}

/** Where a lattice that is affordable tells nothing from below: all rounds show no less than one of them. */
function ofOneRound(sources: readonly RoundSource[], target: Target): number {
  const ends = sources.map(({ epsilonAt, profile }) =>
    'delta' in target ? epsilonAt(target.delta) : profile(target.epsilon),
  );
  return Math.max(...ends.map(({ lower }) => lower));
}

/** Both orders of the victim's inputs, or where they are dear and differ at first sight the worse one. */
function ordersWorthIt({ ahead, behind }: Readonly<Record<Order, Grid>>, { sines }: Work): Order[] {
  const [first, second] = [ahead.estimate ?? Infinity, behind.estimate ?? Infinity];
  if (sines < DEAR || !(Math.abs(first - second) > CLEARLY * first)) return ['ahead', 'behind'];
  return first > second ? ['ahead'] : ['behind'];
}

/**
 * What a pass may have cost up to here for both orders to be looked at in any case, and by how much they may
 * differ in any.
 */
const [DEAR, CLEARLY] = [5e6, 0.02];

/** After so many, a second's work, a bracket is not refined. */
const MOST_SINES = 2e7;
/** By how much a refined bracket is dearer than the one before, about. */
const FINER = 3;
/** What the second pass may cost: its curves are asked for more points, each of more sines. */
const MOST_FINE_SINES = 6e7;

/** Steps that differ by less are taken to be the same, so that both orders look at the same points. */
const ALIKE = 1.3;

function likeThat(own: Grid, other: Grid): Grid {
  const ratio = own.step / other.step;
  return ratio < ALIKE && ratio > 1 / ALIKE ? { ...own, step: other.step } : own;
}
