/** The ends of a composition of mechanisms to one width, and what they cost. */
import type { Interval, Target } from '@shuffle-dp/core';
import {
  blanketSource,
  homogeneousSources,
  tellingOutputs,
  type MechanismRounds,
} from './mechanism-sources.ts';
import { composeSources, firstGrid, type Course, type Grid } from './refined-bracket.ts';
import type { RoundSource } from './round-source.ts';
import type { CurveWork } from './sampled-curve.ts';
import type { Chords } from './sharp/chords.ts';

/** Of the victim's inputs. */
export type Order = 'ahead' | 'behind';

/** From below: the order of the victim's inputs that gives it, too. */
export interface LowerEnd {
  readonly lower: number;
  readonly worse: Order;
}

/** Both ends, each to a relative width. */
export interface Pass extends LowerEnd {
  readonly upper: number;
  /** What both cost. */
  readonly sines: number;
}

/** One for each entry, or null where nothing is sharper than its blanket. */
export type SharpCurves = readonly (Chords | null)[];

/** Composes rounds to a width, as long as that is affordable, and counts what it costs. */
export interface Composer {
  readonly target: Target;
  readonly width: number;
  readonly work: CurveWork;
  composed(sources: readonly RoundSource[], course?: OwnCourse): Interval;
}

/** Whether to refine, and what it takes, the composer says itself. */
type OwnCourse = Omit<Course, 'mayRefine' | 'work'>;

export function composer(target: Target, width: number): Composer {
  const work: CurveWork = { sines: 0, points: 0 };
  const composed = (sources: readonly RoundSource[], course: OwnCourse = {}): Interval => {
    const most = work.sines + MOST_SINES;
    let before = work.sines;
    const mayRefine = (): boolean => {
      const spent = work.sines - before;
      before = work.sines;
      return work.sines + FINER * spent < most;
    };
    return composeSources(sources, target, width, { ...course, mayRefine, work });
  };
  return { target, width, work, composed };
}

/** @param ceiling that is proved already */
export function upperEnd(
  rounds: readonly MechanismRounds[],
  { width, work, composed }: Composer,
  sharper: SharpCurves | null = null,
  ceiling?: number,
): number {
  const sources = rounds.map((round, i) => blanketSource(round, width, work, sharper?.[i]));
  return composed(sources, ceiling === undefined ? {} : { ceiling }).upper;
}

/**
 * Of the rounds with a known data set: all rounds show no less than some of them.
 * @param known the order of the victim's inputs that gives the lower end; by default both are looked at
 */
function lowerEnd(
  rounds: readonly MechanismRounds[],
  { target, width, work, composed }: Composer,
  known?: Order,
): LowerEnd {
  const told = rounds.flatMap((round) => {
    const worst = tellingOutputs(round, width);
    return worst ? [{ round, worst }] : [];
  });
  if (told.length === 0) return { lower: 0, worse: 'ahead' };
  const pairs = told.map(({ round, worst }) => homogeneousSources(round, worst, width, work));
  const sources = {
    ahead: pairs.map(([forward]) => forward),
    behind: pairs.map(([, backward]) => backward),
  };
  const oneOrder = told.every(({ worst }) => worst.symmetric) ? 'ahead' : known;
  if (oneOrder) return { lower: composed(sources[oneOrder]).lower, worse: oneOrder };
  const ahead = firstGrid(sources.ahead, target, width, sources.behind);
  const behind = firstGrid(sources.behind, target, width, sources.ahead);
  const grids = { ahead, behind: likeThat(behind, ahead) };
  const lowers = { ahead: 0, behind: 0 };
  for (const order of ordersWorthIt(grids, work))
    lowers[order] = composed(sources[order], { known: () => grids[order] }).lower;
  const lower = Math.max(lowers.ahead, lowers.behind);
  return {
    lower: lower > 0 ? lower : ofOneRound([...sources.ahead, ...sources.behind], target),
    worse: lowers.ahead >= lowers.behind ? 'ahead' : 'behind',
  };
}

/** @param before a pass that told the order of the victim's inputs, and an upper end */
export function pass(
  rounds: readonly MechanismRounds[],
  composing: Composer,
  before?: Pass,
  sharper: SharpCurves | null = null,
): Pass {
  const upper = upperEnd(rounds, composing, sharper, before?.upper);
  const lower = lowerEnd(rounds, composing, before?.worse);
  return { ...lower, upper, sines: composing.work.sines };
}

/** Where a lattice that is affordable tells nothing from below: all rounds show no less than one of them. */
function ofOneRound(sources: readonly RoundSource[], target: Target): number {
  const ends = sources.map(({ epsilonAt, profile }) =>
    'delta' in target ? epsilonAt(target.delta) : profile(target.epsilon),
  );
  return Math.max(...ends.map(({ lower }) => lower));
}

/** Both orders of the victim's inputs, or where they are dear and differ at first sight the worse one. */
function ordersWorthIt({ ahead, behind }: Readonly<Record<Order, Grid>>, { sines }: CurveWork): Order[] {
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

/** Steps that differ by less are taken to be the same, so that both orders look at the same points. */
const ALIKE = 1.3;

function likeThat(own: Grid, other: Grid): Grid {
  const ratio = own.step / other.step;
  return ratio < ALIKE && ratio > 1 / ALIKE ? { ...own, step: other.step } : own;
}
