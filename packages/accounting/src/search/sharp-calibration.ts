/**
 * From where the blanket meets a target on to where the least of all proved bounds does: a few looks at the
 * target itself, where an account would look for the epsilon. The divergence of equal users, which is quick,
 * leads: the sharp bound is nearly a constant multiple of it.
 */
import { onceEach, Real, type LikelihoodAtoms } from '@shuffle-dp/core';
import { blanketDivergence } from '../blanket/privacy-blanket.ts';
import { popularInputAt, type UpperBoundName } from '../sharp/sharpest.ts';
import type { Axis, Calibrated, Excess } from './axis.ts';
import { crossing } from './curve-crossing.ts';
import { logExcess, type AccountedMessage } from './message-accounting.ts';
import { newLookMemory, sharpLook, type LookMemory, type LookTarget } from './sharp-look.ts';
import { smoothLead } from './smooth-lead.ts';

export interface MetTarget {
  /** Of the parameter: meets the target. */
  readonly value: number;
  /** By this bound. */
  readonly by: UpperBoundName;
}

/** A central privacy target among so many users. */
export interface CentralTarget {
  readonly users: number;
  readonly epsilon: number;
  readonly delta: number;
}

/** By how much the least bound exceeds a target, in logarithms of delta. */
export interface TargetLook {
  readonly excess: number;
  readonly by: UpperBoundName;
  /** Where it is below: whether that is proved. Default true. */
  readonly isProved?: boolean;
}

/** How a search ends. */
export interface LookOptions {
  /** As it was asked of the blanket's divergences: less is then looked for besides. */
  readonly relativeGap?: number;
  /** So near to a value that does not meet the target, relative to it. By default none is looked for. */
  readonly tolerance?: number;
  /**
   * What is looked at; by default the bounds that need the types, at the target's epsilon.
   * @param far further below the target, in logarithms of delta, nothing need be proved
   */
  readonly look?: (value: number, far?: number) => TargetLook;
}

/**
 * In positions: what is not worth a look, and how closely the last one ends; where each takes seconds, ten
 * times that.
 */
const [WORTH_A_LOOK, CLOSE] = [3e-4, 1e-4];
/** Beyond this budget most looks take a second and are in vain; there has to be more to gain. */
const [LARGE_BUDGET, WORTH_IF_LARGE] = [5, 0.02];
/**
 * Looks at one target, and those of them that find the bound of no use. A search for a value that does not
 * meet the target goes on, but each further look leaves three times as much open.
 */
const [MOST_LOOKS, MOST_IN_VAIN, WIDER] = [5, 2, 3];
/**
 * Of no use: so far above the target, in logarithms of delta, that the lower curve says nothing of where it
 * is met; and so far that the next look is where the blanket has ended.
 */
const [IN_VAIN, HOPELESS] = [2, 4];
/** The first look: how far below what is refuted, as a share of what is open, and at most. */
const [FIRST_SHARE, MOST_BELOW] = [0.1, 0.006];
/**
 * How far below the target the second look aims, in logarithms of delta, or as a share of the way to a value
 * that does not meet it; each later one twice as far.
 */
const [HAIR, OF_THE_WAY] = [0.002, 0.3];
/** Of the lower curve, which is to be as smooth as a look is close, where there are many atoms. */
const LOWER = { ends: 'lower', relativeGap: 1e-4, mostGains: 160 } as const;
/**
 * Of the lower curve, how steep it is as a rule, and where its secants end: in logarithms of delta, and where
 * they lead to a look, as a share of how far below the target that is to be.
 */
const [USUAL_SLOPE, LOWER_CLOSE, OF_THE_HAIR] = [20, 2e-4, 0.2];
/** For slopes, in positions. */
const NEARBY = 0.01;

/**
 * The least private value that a few looks prove to meet the target, and by which bound: that of `from` where
 * they prove no more. With a tolerance, `next` is a value beside it that a look, or equal users, show not to
 * meet the target; null at the end of the range.
 *
 * @param axis positions are logarithms of the value, up to their sign; with a tolerance any
 * @param from position that meets the target by the blanket
 * @param messageAt the message at a value of the parameter
 */
export function sharplyMet(
  axis: Axis,
  from: number,
  messageAt: (value: number) => AccountedMessage,
  target: CentralTarget,
  options: LookOptions = {},
): MetTarget & Calibrated {
  const at = onceEach((position) => messageAt(axis.valueAt(position)));
  const { typed } = at(from).amplification;
  const byBlanket = { value: axis.valueAt(from), by: 'blanket', next: null } as const;
  if (typed === undefined) return byBlanket;
  const { relativeGap = 0, tolerance } = options;
  const isClosed = tolerance !== undefined;
  const exact = equalUsers(at, target, from);
  const lower = smoothLead(exact);
  const crossed = crossing({ at: lower, slope: USUAL_SLOPE }, axis, from, LOWER_CLOSE);
  const slope = Math.max(1, (lower(crossed) - lower(crossed - NEARBY)) / NEARBY);
  // On the far side of it.
  const limit = Math.min(axis.leastPrivate, crossed + (2 * LOWER_CLOSE) / slope);
  const scale = typed.takesLong ? 10 : 1;
  const isWorthIt = limit - from > Math.max(worthALook(at(from), scale), 10 * relativeGap);
  if (!isWorthIt && !isClosed) return byBlanket;
  const memory = newLookMemory();
  const { look = (value: number, far?: number) => targetLook(messageAt(value), { ...target, far }, memory) } =
    options;
  const close = isClosed ? tolerance / slopeAt(axis, from) : Math.max(scale * CLOSE, relativeGap);
  const { best, missed } = ledBy(lower, look, {
    axis,
    from,
    limit: isClosed && exact(limit) <= 0 ? Infinity : limit,
    first: isWorthIt ? limit - Math.min(FIRST_SHARE * (limit - from), MOST_BELOW) : from + close,
    depth: -Real.log(target.delta),
    close,
    slope,
    hair: isClosed ? OF_THE_WAY * close * slope : HAIR,
    isClosed,
  });
  const next = missed < Infinity ? axis.valueAt(missed) : null;
  return { value: axis.valueAt(best.position), by: best.by, next };
}

/** In positions. */
function worthALook({ epsilon0 }: AccountedMessage, scale: number): number {
  return epsilon0 > LARGE_BUDGET && epsilon0 < Infinity ? WORTH_IF_LARGE : scale * WORTH_A_LOOK;
}

/** By how much the logarithm of the value changes along the axis. */
function slopeAt(axis: Axis, position: number): number {
  return Math.abs(Real.log(axis.valueAt(position) / axis.valueAt(position - NEARBY))) / NEARBY;
}

interface Course {
  readonly axis: Axis;
  /** Meets the target by the blanket. */
  readonly from: number;
  /** Does not meet it, or is the furthest that is looked at. */
  readonly limit: number;
  readonly first: number;
  /** Of the target, below 0, in logarithms of delta. */
  readonly depth: number;
  readonly close: number;
  /** Of the lower curve at the limit. */
  readonly slope: number;
  /** In logarithms of delta. */
  readonly hair: number;
  /** Whether it ends only next to what does not meet the target. */
  readonly isClosed: boolean;
}

/**
 * A look need not prove what is so many hairs below the target, but so many times in a row at most, and next
 * to what does not meet it, within so many steps.
 */
const [FAR_HAIRS, MOST_UNPROVED, NEXT_TO] = [2, 3, 1.5];
/** Beyond rounding. */
const SURELY = 1 + 1e-9;

/** A position that was looked at, and what it exceeds the target by; NaN where it was not. */
interface Seen {
  readonly position: number;
  readonly excess: number;
}

interface Hit extends Seen {
  readonly by: UpperBoundName;
}

interface Ended {
  readonly best: Hit;
  readonly missed: number;
}

function ledBy(
  lower: Excess,
  look: (value: number, far?: number) => TargetLook,
  { axis, from, limit, first, depth, close, slope, hair, isClosed }: Course,
): Ended {
  let best: Hit = { position: from, excess: NaN, by: 'blanket' };
  let missed: Seen = { position: limit, excess: NaN };
  /** Below the target by a look that proves nothing. */
  let low: Seen = { position: from, excess: NaN };
  let [position, step, looks, misses, inVain, unproved] = [first, close, 0, 0, 0, 0];
  const isOpen = (): boolean =>
    missed.position - best.position > SURELY * step && best.position < axis.leastPrivate;
  while (isOpen()) {
    const isLast = missed.position - position <= NEXT_TO * step || unproved === MOST_UNPROVED;
    const seen = look(axis.valueAt(position), isLast ? Infinity : FAR_HAIRS * hair);
    const { excess, by, isProved = true } = seen;
    if (excess > 0) [missed, misses] = [{ position, excess }, misses + 1];
    else if (isProved) [best, unproved] = [{ position, excess, by }, 0];
    else [low, unproved] = [{ position, excess }, unproved + 1];
    if (isProved) looks++;
    if (excess > IN_VAIN) inVain += isClosed && excess > HOPELESS ? MOST_IN_VAIN : 1;
    if (!isClosed && (inVain === MOST_IN_VAIN || looks === MOST_LOOKS)) break;
    if (looks > MOST_LOOKS) step *= WIDER;
    const inner = low.position > best.position ? low : best;
    const aim =
      excess > IN_VAIN
        ? missed.position
        : (between(inner, missed, hair) ?? nextAim(excess, position, hair * 2 ** Math.max(0, misses - 1)));
    const isNear =
      aim <= best.position + (isClosed ? OF_THE_WAY : 1) * close ||
      (inVain >= MOST_IN_VAIN && best.by === 'blanket');
    if (isNear && !isClosed) break;
    if (isNear) position = Math.min(axis.leastPrivate, best.position + step);
    else if (aim > inner.position && aim < missed.position) position = aim;
    else position = (inner.position + missed.position) / 2;
  }
  return { best, missed: missed.position };

  /**
   * Where the lower curve, with what the bound is above it, is so far below the target: that grows about as
   * the root of the curve's logarithm.
   */
  function nextAim(excess: number, at: number, below: number): number {
    const above = excess - lower(at);
    const growth = above / (2 * Math.max(1, depth - lower(at)));
    const curve = (next: number): number => lower(next) + above + growth * (lower(at) - lower(next)) + below;
    return crossing({ at: curve, slope }, axis, at, OF_THE_HAIR * below);
  }
}

/**
 * Between two looks of which one meets the target: so far below it as the line through both says, or the
 * middle where the bound jumps. Null where one of them is none, or they are far apart.
 */
function between(best: Seen, missed: Seen, below: number): number | null {
  const rise = missed.excess - best.excess;
  if (Number.isNaN(rise)) return null;
  const width = missed.position - best.position;
  const share = (-best.excess - below) / rise;
  if (missed.excess > IN_VAIN) return best.position + width / 2;
  if (rise > JUMP * width) return best.position + width * Math.min(0.8, Math.max(0.2, share));
  if (width > STRAIGHT) return null;
  return best.position + width * share;
}

/**
 * Steeper, in logarithms of delta along the axis, than a bound is but where it jumps; and how far it is about
 * straight.
 */
const [JUMP, STRAIGHT] = [60, 2e-3];

/**
 * By how much the least bound that needs the types exceeds the target: at most 0 only where that is an upper
 * bound for every pair.
 *
 * @param memory is written to
 */
export function targetLook(
  { amplification, epsilon0 }: AccountedMessage,
  { users, epsilon, delta, far, isEnough }: CentralTarget & Pick<LookTarget, 'far' | 'isEnough'>,
  memory: LookMemory,
): TargetLook {
  const popular = popularInputAt(amplification, users, epsilon, epsilon0);
  if (popular <= delta) return { excess: logExcess(popular, delta), by: 'popular-input' };
  const { value, isProved } = sharpLook(
    amplification,
    { users, epsilon, delta, epsilon0, far, isEnough },
    memory,
  );
  return value <= popular
    ? { excess: logExcess(value, delta), by: 'sharp', isProved }
    : { excess: logExcess(popular, delta), by: 'popular-input' };
}

/**
 * What data of equal users exceed the target by, in logarithms of delta, along the axis: by those atoms that
 * do so the most at a position, which hardly changes along it.
 */
function equalUsers(
  at: (position: number) => AccountedMessage,
  { users, epsilon, delta }: CentralTarget,
  first: number,
): Excess {
  const excess = (atoms: LikelihoodAtoms): number =>
    logExcess(blanketDivergence(atoms, users, epsilon, LOWER).lower, delta);
  const all = at(first).amplification.homogeneous;
  const excesses = all.length > 1 ? all.map(excess) : [0];
  const worst = excesses.indexOf(Math.max(...excesses));
  return onceEach((position) => {
    const { amplification, epsilon0 } = at(position);
    const { homogeneous } = amplification;
    return epsilon < epsilon0 ? excess(homogeneous[worst] ?? homogeneous[0]!) : logExcess(0, delta);
  });
}
