/**
 * The mean of the excess of one set's outputs, by what the arcs of another set overlap that shares items with
 * it, from what lies before the last shared item and what follows.
 */
import { addProduct, emptyLaws, type Laws } from './overlap-laws.ts';

/** Laws that are overwritten for every place: arrays of their own would cost more than what is in them. */
interface Room {
  readonly own: number;
  readonly excess: Float64Array;
  /** By the number of own items, one law behind the other. */
  readonly gains: Float64Array;
  readonly sums: Float64Array;
  /** By how many shared items are placed. */
  readonly placed: readonly Laws[];
}

export function roomFor(own: number, excess: Float64Array, shared: number): Room {
  const size = (own + 1) * excess.length;
  return {
    own,
    excess,
    gains: new Float64Array(size),
    sums: new Float64Array(size),
    placed: Array.from({ length: shared }, () => emptyLaws(own + 1, excess.length)),
  };
}

/** What follows where the last shared item has its place. Most of its laws are zeros: these are left out. */
export interface Following {
  /** Of that place. */
  readonly mass: number;
  /** Where they are in laws one behind the other. */
  readonly at: Int32Array;
  readonly values: Float64Array;
}

export function nonZero(laws: Laws, mass: number): Following {
  const size = laws[0]!.length;
  const at: number[] = [];
  const values: number[] = [];
  laws.forEach((law, own) => {
    for (let k = 0; k < size; k++) {
      if (!(law[k]! > 0)) continue;
      at.push(own * size + k);
      values.push(law[k]!);
    }
  });
  return { mass, at: Int32Array.from(at), values: Float64Array.from(values) };
}

/** By whether the last shared item is in the cell of the one before it. */
interface LastWeights {
  readonly tied: number;
  readonly apart: number;
}

/**
 * Adds the laws of the overlap of one set's own items, placed before and after, each times the mean of the
 * excess of another set beside the same shared items. The means take one product a law, as what comes before
 * is one for all places of the last item, and so do the sums.
 */
export function addMeans(
  to: Float64Array,
  { own, excess, gains, sums }: Room,
  before: Laws,
  following: readonly Following[],
  { tied, apart }: LastWeights,
): void {
  const size = to.length;
  gains.fill(0);
  sums.fill(0);
  for (let i = 0; i <= own; i++) {
    const law = before[i]!;
    const start = (own - i) * size;
    for (let k = 0; k < size; k++) {
      if (law[k]! > 0) for (let j = 0; j + k < size; j++) gains[start + j]! += law[k]! * excess[j + k]!;
    }
  }
  for (let place = 0; place < following.length; place++) {
    const { mass, at, values } = following[place]!;
    let mean = 0;
    // More own items than there are come last.
    let count = 0;
    for (; count < at.length && at[count]! < gains.length; count++)
      mean += gains[at[count]!]! * values[count]!;
    const weight = mass * mean * (place === 0 ? tied : apart);
    for (let k = 0; k < count; k++) sums[at[k]!]! += weight * values[k]!;
  }
  for (let i = 0; i <= own; i++) {
    addProduct(to, before[i]!, sums.subarray((own - i) * size, (own - i + 1) * size));
  }
}
