/** The law of the loss G of formula F1 (docs/soundness.md), as sorted distinct values. */
import { compensatedSum, interval, type Interval, type LikelihoodAtoms, ROUNDOFF } from '@shuffle-dp/core';
import { extremeLosses } from './cell-ends.ts';

/**
 * G takes values[i] with probabilities[i], and 0 with all that remains up to 1 (which may be negative by
 * rounding: it enters nowhere).
 */
export interface LossLaw {
  /** Increasing. */
  readonly values: Float64Array;
  readonly probabilities: Float64Array;
  /** (P + e^eps Q) / W: what rounding errors of the value are relative to. */
  readonly magnitudes: Float64Array;
  /**
   * Probability of 0 beside them, where it is known with all its digits; else what they leave of 1, to their
   * rounding.
   */
  readonly silent?: number;
}

/**
 * Probability of 0 beside the values. Where it is not known by itself it is what they leave of 1, from below
 * and from above: masses are rounded, and a rest as small as that may be nothing, or all that a rare gain is
 * seen beside.
 */
export function silentMass({ probabilities, silent }: LossLaw): Interval {
  if (silent !== undefined) return interval(silent, silent);
  const left = 1 - compensatedSum(probabilities);
  const rounding = (probabilities.length + 8) * ROUNDOFF;
  return interval(Math.max(0, left - rounding), Math.max(0, left) + rounding);
}

/** Values in the order in which they come, at most as many as there is room for. */
export class Losses {
  readonly #values: Float64Array;
  readonly #probabilities: Float64Array;
  readonly #magnitudes: Float64Array;
  #count = 0;

  constructor(room: number) {
    this.#values = new Float64Array(room);
    this.#probabilities = new Float64Array(room);
    this.#magnitudes = new Float64Array(room);
  }

  add(value: number, probability: number, magnitude: number): void {
    this.#values[this.#count] = value;
    this.#probabilities[this.#count] = probability;
    this.#magnitudes[this.#count++] = magnitude;
  }

  /** In no order but for the largest value, which is the last. */
  unsorted(silent?: number): LossLaw {
    const columns = {
      values: this.#values.subarray(0, this.#count),
      probabilities: this.#probabilities.subarray(0, this.#count),
      magnitudes: this.#magnitudes.subarray(0, this.#count),
    };
    let largest = 0;
    for (let i = 1; i < this.#count; i++) if (columns.values[i]! > columns.values[largest]!) largest = i;
    for (const column of Object.values(columns)) {
      const last = column[this.#count - 1]!;
      column[this.#count - 1] = column[largest]!;
      column[largest] = last;
    }
    return { ...columns, ...(silent !== undefined && { silent }) };
  }

  /**
   * Sorted, with values that agree to the last few bits taken together.
   * @param of the atoms whose losses these are, one each
   */
  law(silent?: number, of?: LikelihoodAtoms): LossLaw {
    const order = increasing(this.#values.subarray(0, this.#count), of && latestOrders.get(of));
    if (of && order) latestOrders.set(of, order);
    const values = new Float64Array(this.#count);
    const probabilities = new Float64Array(this.#count);
    const magnitudes = new Float64Array(this.#count);
    let last = -1;
    for (let i = 0; i < this.#count; i++) {
      const from = order === null ? i : order[i]!;
      const value = this.#values[from]!;
      const probability = this.#probabilities[from]!;
      const magnitude = this.#magnitudes[from]!;
      if (last >= 0 && areAlike(value - values[last]!, magnitudes[last]!, magnitude)) {
        probabilities[last]! += probability;
        magnitudes[last] = Math.max(magnitudes[last]!, magnitude);
        continue;
      }
      values[++last] = value;
      probabilities[last] = probability;
      magnitudes[last] = magnitude;
    }
    return {
      values: values.subarray(0, last + 1),
      probabilities: probabilities.subarray(0, last + 1),
      magnitudes: magnitudes.subarray(0, last + 1),
      ...(silent !== undefined && { silent }),
    };
  }
}

/** Where the values stand in increasing order, equal ones as they come; null where they do as they are. */
function increasing(values: Float64Array, near?: Uint32Array): Uint32Array | null {
  let [rises, falls] = [true, true];
  for (let i = 1; i < values.length; i++) {
    rises &&= values[i - 1]! <= values[i]!;
    falls &&= values[i - 1]! > values[i]!;
  }
  if (rises) return null;
  const order = Uint32Array.from({ length: values.length }, (_, i) => i);
  if (falls) return order.reverse();
  const turned = values[0]! > values.at(-1)! ? order.toReversed() : order;
  return nearlyInOrder(values, near ?? turned) ?? order.sort((a, b) => values[a]! - values[b]!);
}

/** Moves for each value that a sort is worth. */
const MOST_MOVES = 4;

/** The order of values that are almost in that of `near`, as ends of cells are, in few moves; else null. */
function nearlyInOrder(values: Float64Array, near: Uint32Array): Uint32Array | null {
  const order = new Uint32Array(values.length);
  let left = MOST_MOVES * values.length;
  for (let count = 0; count < values.length; count++) {
    const added = near[count]!;
    const value = values[added]!;
    let place = count;
    while (place > 0) {
      const before = order[place - 1]!;
      if (values[before]! < value || (values[before] === value && before < added)) break;
      order[place] = before;
      place--;
    }
    order[place] = added;
    left -= count - place;
    if (left < 0) return null;
  }
  return order;
}

/** Losses of the same atoms are at the next epsilon nearly in the order of the one before. */
const latestOrders = new WeakMap<LikelihoodAtoms, Uint32Array>();

/**
 * One value per atom: exact for points; for cells of continuous outputs a coarsening, hence a lower bound.
 */
export function pointLosses(atoms: LikelihoodAtoms, expEpsilon: number): LossLaw {
  return lossesAt(atoms, expEpsilon).law(atoms.silent, atoms);
}

/** The same in no order but for the largest value, which is the last: enough for a tilt, and found sooner. */
export function unsortedLosses(atoms: LikelihoodAtoms, expEpsilon: number): LossLaw {
  return lossesAt(atoms, expEpsilon).unsorted(atoms.silent);
}

function lossesAt({ victim0, victim1, others }: LikelihoodAtoms, expEpsilon: number): Losses {
  const losses = new Losses(others.length);
  for (let y = 0; y < others.length; y++) {
    const probability = others[y]!;
    if (probability === 0) continue;
    const value = (victim0[y]! - expEpsilon * victim1[y]!) / probability;
    const magnitude = (victim0[y]! + expEpsilon * victim1[y]!) / probability;
    losses.add(value, probability, magnitude);
  }
  return losses;
}

/**
 * What the victim shows where nobody else is sure to show anything. Of cells of continuous outputs, whose
 * ratio may cross e^eps inside, all of the victim's mass.
 */
export function uncoveredExcess(atoms: LikelihoodAtoms, expEpsilon: number): Interval {
  const { victim0, victim1, others, cellEnds } = atoms;
  let lower = 0;
  let upper = 0;
  for (let y = 0; y < others.length; y++) {
    const covered = others[y]! > 0;
    const gain = victim0[y]!;
    const loss = expEpsilon * victim1[y]!;
    // Where there is a loss the difference may have lost digits of both.
    const rounding = loss > 0 ? 4 * ROUNDOFF * (gain + loss) : 0;
    if (!covered) lower += Math.max(0, gain - loss - rounding);
    if (!covered || isUnbounded(atoms, y, expEpsilon))
      upper += cellEnds ? gain : Math.max(0, gain - loss + rounding);
  }
  // The smallest double is what numbers near the end of the doubles round by.
  return interval(
    Math.max(0, lower * (1 - 1e-14) - Number.MIN_VALUE),
    upper > 0 ? upper * (1 + 1e-14) + Number.MIN_VALUE : 0,
  );
}

/** Shares of smaller masses lose their digits, which ratios as large as a mass is small would make seen. */
const LEAST_COVER = 1e-290;

/**
 * A cell whose ratios have no bound, or whose losses leave the doubles, is treated as uncovered, and so is
 * one that is hardly covered: a smaller blanket, which is as sound.
 */
function isUnbounded(
  { cellEnds, victim0, victim1, others }: LikelihoodAtoms,
  y: number,
  expEpsilon: number,
): boolean {
  if (!cellEnds) return false;
  if (others[y]! < LEAST_COVER) return true;
  const { ratio0Start, ratio0End, ratio1Start, ratio1End } = cellEnds;
  const ends = ratio0Start[y]! + ratio0End[y]! + expEpsilon * (ratio1Start[y]! + ratio1End[y]!);
  const mean = (victim0[y]! + expEpsilon * victim1[y]!) / others[y]!;
  return !(ends + mean < Infinity);
}

/**
 * Cells of continuous outputs split onto the losses at their two ends, mass and mean kept: larger in the
 * convex order than the true law, since the loss stays between the ends.
 */
export function edgeLosses(atoms: LikelihoodAtoms, expEpsilon: number): LossLaw {
  const { victim0, victim1, others, cellEnds } = atoms;
  if (!cellEnds) return pointLosses(atoms, expEpsilon);
  const losses = new Losses(2 * others.length);
  let leftOut = 0;
  for (let y = 0; y < others.length; y++) {
    const w = others[y]!;
    if (w === 0) continue;
    if (isUnbounded(atoms, y, expEpsilon)) {
      leftOut += w;
      continue;
    }
    const mean = (victim0[y]! - expEpsilon * victim1[y]!) / w;
    const magnitude = (victim0[y]! + expEpsilon * victim1[y]!) / w;
    // Each ratio is monotone, not their difference: the largest and smallest loss that the ends allow.
    const [low, high] = extremeLosses(cellEnds, y, expEpsilon);
    const least = Math.min(low, mean);
    const most = Math.max(high, mean);
    const share = most > least ? (mean - least) / (most - least) : 1;
    if (share < 1) losses.add(least, w * (1 - share), magnitude);
    if (w * share > 0) losses.add(most, w * share, magnitude);
  }
  return losses.law(atoms.silent === undefined ? undefined : atoms.silent + leftOut);
}

/**
 * Within the rounding of the values, which the caller's error bound covers. Not of magnitudes far apart: a
 * rare atom of a huge one would make all of the mass uncertain.
 */
function areAlike(difference: number, magnitude: number, other: number): boolean {
  const [small, large] = [Math.min(magnitude, other), Math.max(magnitude, other)];
  return difference <= 2 ** -52 * large && large <= 16 * small;
}

/** Whether sums of so many copies leave the doubles: nothing is known of them then, nor a saddle point. */
export function sumsLeaveDoubles({ magnitudes }: LossLaw, count: number): boolean {
  return magnitudes.some((magnitude) => !(count * magnitude < Infinity));
}
