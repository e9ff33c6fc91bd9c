/** The lattices that a certificate's losses are split onto, what they add to delta in floating point, and the steps that exact integers take. */
import { expectedPositiveSum } from '@shuffle-dp/accounting';
import {
  exactAtom,
  exponential,
  decimalValue,
  FRACTION_BITS,
  slotLaw,
  type ExactAtom,
  type SlotLaw,
} from '@shuffle-dp/certificates';
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { MASS_BITS, type AtomsOfPair } from './certificate-atoms.ts';
import { latticeWindows, type IndexedLaw } from './lattice-windows.ts';

/** One order of the victim's inputs of one pair, and the spacing of its losses. */
export interface Lattice {
  readonly pair: number;
  readonly atoms: readonly ExactAtom[];
  readonly spacing: number;
}

/** Lattice points of the sums; more would take minutes. */
const MOST_POINTS = 2 ** 19;
/** For floating point: the law's masses with so many digits. */
const SEARCH_BITS = 256;

/** @param fineness lattice points to a standard deviation of one loss at this epsilon */
export function latticesOf(pairs: readonly AtomsOfPair[], epsilon: number, fineness: number): Lattice[] {
  return pairs.flatMap(({ atoms, masses, isSymmetric }, pair) =>
    (isSymmetric ? [false] : [false, true]).map((isExchanged) => ({
      pair,
      atoms: atoms.map((atom) => exactAtom(atom, isExchanged)),
      spacing: lossDeviation(masses, epsilon, isExchanged) / fineness,
    })),
  );
}

function lossDeviation(
  { victim0, victim1, others }: LikelihoodAtoms,
  epsilon: number,
  isExchanged: boolean,
): number {
  const [likelier, unlikelier] = isExchanged ? [victim1, victim0] : [victim0, victim1];
  const growth = Math.exp(epsilon);
  let mean = 0;
  let square = 0;
  for (let y = 0; y < others.length; y++) {
    if (others[y] === 0) continue;
    const excess = likelier[y]! - growth * unlikelier[y]!;
    mean += excess;
    square += (excess * excess) / others[y]!;
  }
  return Math.sqrt(Math.max(square - mean * mean, 1e-30 * square, Number.MIN_VALUE));
}

/** F1 on the lattice, in floating point: what the exact steps will find but for what they cut and round. */
export function latticeDivergence(lattice: Lattice, users: number, epsilon: number): number {
  const slot = slotOf(lattice, epsilon, SEARCH_BITS);
  if (slot === null) return 1;
  const { first, probabilities } = indexed(slot, SEARCH_BITS);
  const kept = [...probabilities.keys()].filter((i) => probabilities[i]! > 0 && first + i !== 0);
  const values = Float64Array.from(kept, (i) => (first + i) * lattice.spacing);
  const { logScale, bracket } = expectedPositiveSum(
    {
      values,
      probabilities: Float64Array.from(kept, (i) => probabilities[i]!),
      magnitudes: values.map(Math.abs),
    },
    users,
    1e-5,
    'dilation',
  );
  return Math.min(1, Math.exp(logScale - Math.log(users)) * bracket.upper + uncoveredOf(slot));
}

export interface PlannedSteps {
  readonly spacing: string;
  readonly windows: readonly (readonly [number, number])[];
  readonly probabilityBits: number;
}

/** @returns null where there would be too many lattice points */
export function stepsOf(
  lattice: Lattice,
  users: number,
  epsilon: number,
  delta: number,
): PlannedSteps | null {
  const slot = slotOf(lattice, epsilon, SEARCH_BITS);
  if (slot === null) return null;
  const law = indexed(slot, SEARCH_BITS);
  const points = law.probabilities.length;
  const largest = Math.max(1, law.first + points - 1) * lattice.spacing;
  const windows = latticeWindows(law, users, largest / delta);
  if (windows.some(([low, high]) => high - low > MOST_POINTS)) return null;
  // A unit in the last place of an early step counts for all users.
  const probabilityBits = Math.max(
    64,
    Math.ceil(Math.log2((1e6 * users * points * Math.max(1, largest)) / delta)),
  );
  return { spacing: `${spacingInteger(lattice)}`, windows, probabilityBits };
}

function slotOf(lattice: Lattice, epsilon: number, probabilityBits: number): SlotLaw | null {
  return slotLaw(lattice.atoms, {
    massBits: BigInt(MASS_BITS),
    probabilityBits: BigInt(probabilityBits),
    spacing: spacingInteger(lattice),
    growth: exponential(decimalValue(`${epsilon}`)!).lower,
  });
}

function spacingInteger({ spacing }: Lattice): bigint {
  // Sixty-four bits of the fraction are more than a double of this size has.
  return BigInt(Math.max(1, Math.round(spacing * 2 ** 64))) << BigInt(MASS_BITS - 64);
}

function indexed({ law }: SlotLaw, bits: number): IndexedLaw {
  return {
    first: law.first,
    probabilities: Float64Array.from(law.masses, (mass) => Number(mass) / 2 ** bits),
  };
}

function uncoveredOf({ uncovered }: SlotLaw): number {
  return Number(uncovered >> FRACTION_BITS) / 2 ** MASS_BITS;
}
