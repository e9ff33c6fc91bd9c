/**
 * From where the blanket meets a target on to where the least of all proved bounds does: a few looks at the
 * target itself, where an account would look for the epsilon. The divergence of equal users, which is quick,
 * leads: the sharp bound is nearly a constant multiple of it.
 */
import { onceEach } from '@shuffle-dp/core';
import { blanketDivergence } from '../blanket/privacy-blanket.ts';
import { popularInputAt, type UpperBoundName } from '../sharp/sharpest.ts';
import type { Axis } from './axis.ts';
import { logExcess, type AccountedMessage } from './message-accounting.ts';
import { newLookMemory, sharpLook, type LookMemory } from './sharp-look.ts';

export interface MetTarget {
  /** Of the parameter: meets the target. */
  readonly value: number;
  /** By this bound. */
  readonly by: UpperBoundName;
}

interface Target {
  readonly users: number;
  readonly epsilon: number;
  readonly delta: number;
  /** As it was asked of the blanket's divergences: less is then looked for besides. */
  readonly relativeGap?: number;
}

/**
 * In positions: what is not worth a look, and how closely the last one ends; where each takes seconds, ten
 * times that.
 */
const [WORTH_A_LOOK, CLOSE] = [3e-4, 1e-4];
/** Beyond this budget most looks take a second and are in vain; there has to be more to gain. */
const [LARGE_BUDGET, WORTH_IF_LARGE] = [5, 0.02];
/** Looks at one target, and those of them that find the bound of no use. */
const [MOST_LOOKS, MOST_IN_VAIN] = [5, 2];
/**
 * Of no use: so far above the target, in logarithms of delta, that the lower curve says nothing of where it
 * is met.
 */
const IN_VAIN = 2;
/** The first look: how far below what is refuted, as a share of what is open, and at most. */
const [FIRST_SHARE, MOST_BELOW] = [0.1, 0.006];
/** How far below the target the second look aims, in logarithms of delta; each later one twice as far. */
const HAIR = 0.002;
/**
 * Of the lower curve: brackets of divergences, steps of its secants, and where they end, in logarithms of
 * delta.
 */
const [LOWER_GAP, MOST_STEPS, LOWER_CLOSE] = [1e-4, 12, 1e-4];
/** Of one step along the axis, and for the first slope. */
const [LONGEST_STEP, NEARBY] = [0.3, 0.01];

/**
 * The least private value that a few looks prove to meet the target, and by which bound: that of `from` where
 * they prove no more.
 *
 * @param axis positions are logarithms of the value, up to their sign
 * @param from position that meets the target by the blanket
 * @param messageAt the message at a value of the parameter
 */
export function sharplyMet(
  axis: Axis,
  from: number,
  messageAt: (value: number) => AccountedMessage,
  target: Target,
): MetTarget {
  const at = onceEach((position) => messageAt(axis.valueAt(position)));
  const byBlanket: MetTarget = { value: axis.valueAt(from), by: 'blanket' };
  if (at(from).amplification.typed === undefined) return byBlanket;
  const lower = onceEach((position) => equalUsers(at(position), target));
  const limit = crossing(lower, axis, from);
  const open = limit - from;
  const scale = at(from).amplification.typed!.takesLong ? 10 : 1;
  const close = Math.max(scale * CLOSE, target.relativeGap ?? 0);
  const { epsilon0 } = at(from);
  const worth = epsilon0 > LARGE_BUDGET && epsilon0 < Infinity ? WORTH_IF_LARGE : scale * WORTH_A_LOOK;
  if (open <= Math.max(worth, 10 * (target.relativeGap ?? 0))) return byBlanket;
  const memory = newLookMemory();
  let best = { position: from, by: byBlanket.by };
  let [missed, inVain] = [limit, 0];
  let last: Seen | null = null;
  let position = limit - Math.min(FIRST_SHARE * open, MOST_BELOW);
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { excess, by } = look(at(position), target, memory);
    if (excess <= 0) best = { position, by };
    else missed = position;
    if (excess > IN_VAIN && ++inVain === MOST_IN_VAIN) break;
    const hair = HAIR * 2 ** looks;
    const aim = excess > IN_VAIN ? missed : nextAim({ position, above: excess - lower(position) + hair });
    if (aim <= best.position + close || missed - best.position <= close) break;
    position = aim < missed ? aim : (best.position + missed) / 2;
  }
  return { value: axis.valueAt(best.position), by: best.by };

  /**
   * Where the lower curve, with what the bound is above it, meets the target: as at the last look, or growing
   * as from the one before.
   */
  function nextAim(seen: Seen): number {
    const before = last;
    last = seen;
    const steepness =
      before === null ? 0 : Math.max(0, (seen.above - before.above) / (seen.position - before.position));
    const curve = (at: number): number => lower(at) + seen.above + steepness * (at - seen.position);
    return crossing(curve, axis, seen.position);
  }
}

/** A look: by how much the bound is above the lower curve, in logarithms of delta. */
interface Seen {
  readonly position: number;
  readonly above: number;
}

/** By how much the least bound that needs the types exceeds the target, in logarithms of delta. */
function look(
  message: AccountedMessage,
  { users, epsilon, delta }: Target,
  memory: LookMemory,
): { readonly excess: number; readonly by: UpperBoundName } {
  const { amplification, epsilon0 } = message;
  const popular = popularInputAt(amplification, users, epsilon, epsilon0);
  if (popular <= delta) return { excess: logExcess(popular, delta), by: 'popular-input' };
  const sharp = sharpLook(amplification, { users, epsilon, delta, epsilon0 }, memory);
  return sharp <= popular
    ? { excess: logExcess(sharp, delta), by: 'sharp' }
    : { excess: logExcess(popular, delta), by: 'popular-input' };
}

/** What data of equal users exceed the target by, in logarithms of delta. */
function equalUsers(
  { amplification, epsilon0 }: AccountedMessage,
  { users, epsilon, delta }: Target,
): number {
  if (epsilon >= epsilon0) return logExcess(0, delta);
  const lower = amplification.homogeneous.map(
    (atoms) => blanketDivergence(atoms, users, epsilon, { ends: 'lower', relativeGap: LOWER_GAP }).lower,
  );
  return logExcess(Math.max(0, ...lower), delta);
}

/** Where a curve crosses 0, about; at most the least private position. */
function crossing(curve: (position: number) => number, axis: Axis, start: number): number {
  let last = start;
  let position = Math.min(axis.leastPrivate, start + NEARBY);
  for (let step = 0; step < MOST_STEPS && position !== last; step++) {
    const [here, before] = [curve(position), curve(last)];
    if (Math.abs(here) <= LOWER_CLOSE) break;
    const slope = (here - before) / (position - last);
    const move = slope > 0 ? -here / slope : here > 0 ? -NEARBY : NEARBY;
    last = position;
    position = Math.min(
      axis.leastPrivate,
      Math.max(axis.mostPrivate, position + Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, move))),
    );
  }
  return position;
}
