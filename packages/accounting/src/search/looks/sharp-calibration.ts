/**
 * From where the blanket meets a target on to where the least of all proved bounds does: a few looks at the
 * target itself, where an account would look for the epsilon. The divergence of equal users, which is quick,
 * leads: the sharp bound is nearly a constant multiple of it.
 */
import { interval, onceEach, Real, type LikelihoodAtoms } from '@shuffle-dp/core';
import { blanketDivergence } from '../../blanket/privacy-blanket.ts';
import { popularInputAt, type UpperBoundName } from '../../sharp/sharpest.ts';
import type { Axis, Calibrated, Excess } from '../axis.ts';
import { crossing } from './curve-crossing.ts';
import { logExcess } from '../../log-excess.ts';
import type { AccountedMessage } from '../message-accounting.ts';
import {
  newLookMemory,
  sharpLook,
  type CentralTarget,
  type LookMemory,
  type LookTarget,
} from './sharp-look.ts';
import { areQuick, twoMessagesDelta } from '../../two-messages/two-messages.ts';
import { ledBy, OF_THE_WAY, type TargetLook } from './led-looks.ts';
import { smoothLead } from './smooth-lead.ts';

export interface MetTarget {
  /** Of the parameter: meets the target. */
  readonly value: number;
  /** By this bound. */
  readonly by: UpperBoundName;
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
 * The first look: how far below what is refuted, as a share of what is open, and at most; where looks take
 * long there is more between both, unless users are few: there it says little.
 */
const [FIRST_SHARE, MOST_BELOW, MOST_BELOW_IF_LONG, FEW_USERS] = [0.1, 0.006, 0.02, 5000];
/** How far below the target the second look aims, in logarithms of delta. */
const HAIR = 0.002;
/** Of the lower curve, which is to be as smooth as a look is close, where there are many atoms. */
const LOWER = { ends: 'lower', relativeGap: 1e-4, mostGains: 160 } as const;
/** Of the lower curve, how steep it is as a rule, and where its secants end, in logarithms of delta. */
const [USUAL_SLOPE, LOWER_CLOSE] = [20, 2e-4];
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
  const mostBelow = typed.takesLong && target.users >= FEW_USERS ? MOST_BELOW_IF_LONG : MOST_BELOW;
  const isWorthIt = limit - from > Math.max(worthALook(at(from), scale), 10 * relativeGap);
  if (!isWorthIt && !isClosed) return byBlanket;
  const memory = newLookMemory();
  const { look = (value: number, far?: number) => targetLook(messageAt(value), { ...target, far }, memory) } =
    options;
  const close = isClosed ? tolerance / slopeAt(axis, from) : Math.max(scale * CLOSE, relativeGap);
  const last = typesEnd(at, from, limit, close);
  const below = isWorthIt ? limit - Math.min(FIRST_SHARE * (limit - from), mostBelow) : from + close;
  const { best, missed } = ledBy(lower, look, {
    axis,
    from,
    limit: last ? last.outside : isClosed && exact(limit) <= 0 ? Infinity : limit,
    first: last ? last.inside : below,
    depth: -Real.log(target.delta),
    close,
    slope,
    hair: isClosed ? OF_THE_WAY * close * slope : HAIR,
    isClosed,
  });
  const next = missed < Infinity ? axis.valueAt(missed) : null;
  return { value: axis.valueAt(best.position), by: best.by, next };
}

/**
 * The last position that has types and the first that has none, `close` to each other: where a mechanism has
 * them for small parameters only, a bound jumps there. Null where there are some at the limit.
 */
function typesEnd(
  at: (position: number) => AccountedMessage,
  from: number,
  limit: number,
  close: number,
): { readonly inside: number; readonly outside: number } | null {
  const hasTypes = (position: number): boolean => at(position).amplification.typed !== undefined;
  if (!(limit < Infinity) || hasTypes(limit)) return null;
  let [inside, outside] = [from, limit];
  while (outside - inside > close) {
    const middle = (inside + outside) / 2;
    if (hasTypes(middle)) inside = middle;
    else outside = middle;
  }
  return { inside, outside };
}

/** In positions. */
function worthALook({ epsilon0 }: AccountedMessage, scale: number): number {
  return epsilon0 > LARGE_BUDGET && epsilon0 < Infinity ? WORTH_IF_LARGE : scale * WORTH_A_LOOK;
}

/** By how much the logarithm of the value changes along the axis. */
function slopeAt(axis: Axis, position: number): number {
  return Math.abs(Real.log(axis.valueAt(position) / axis.valueAt(position - NEARBY))) / NEARBY;
}

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
  const { typed, homogeneous } = amplification;
  if (typed && areQuick(typed, users, epsilon0)) {
    const equal = homogeneous.map((atoms) => blanketDivergence(atoms, users, epsilon, LOWER).lower);
    const { upper } = twoMessagesDelta(typed, users, epsilon, interval(Math.max(0, ...equal), 1));
    if (upper < Infinity) return { excess: logExcess(upper, delta), by: 'two-messages' };
  }
  const popular = popularInputAt(amplification, users, epsilon, { epsilon0, target: delta });
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
