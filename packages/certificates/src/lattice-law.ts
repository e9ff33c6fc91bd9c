/**
 * The law of one slot's loss on a lattice, wider than the true one (docs/certificates.md): every atom's loss
 * is split onto two points of the lattice around it. Masses are integers over a power of two, rounded up.
 */
import { ceilDivision, floorDivision, FRACTION_BITS } from './exact.ts';

/** A law on consecutive points of the lattice. */
export interface LatticeLaw {
  /** Lattice index of the first mass. */
  readonly first: number;
  /** Integers over 2^probabilityBits. */
  readonly masses: readonly bigint[];
  /** Mass that lies beyond the points that are kept, on the same scale. */
  readonly beyond: bigint;
  /** No value is above this lattice index, of what lies beyond neither. */
  readonly most: number;
}

/** An atom for one order of the victim's inputs; integers over 2^massBits. */
export interface ExactAtom {
  /** At least the mass under the input whose excess counts, at most that under the other. */
  readonly likelier: bigint;
  readonly unlikelier: bigint;
  readonly others: bigint;
  /** Of a cell: ends of the densities' ratios to that of the others. */
  readonly ratios?: {
    readonly likelier: readonly [bigint, bigint];
    readonly unlikelier: readonly [bigint, bigint];
  };
}

export interface LatticeScale {
  readonly massBits: bigint;
  readonly probabilityBits: bigint;
  /** Over 2^massBits, positive. */
  readonly spacing: bigint;
  /** What the unlikelier masses are multiplied by, over 2^FRACTION_BITS: at most e^epsilon. */
  readonly growth: bigint;
}

export interface SlotLaw {
  readonly law: LatticeLaw;
  /** Excess of the victim where nobody else is sure to show anything, over 2^(massBits + FRACTION_BITS). */
  readonly uncovered: bigint;
}

/** More points than this are refused: nobody needs them. */
const MOST_POINTS = 1 << 21;

/**
 * The law of one slot's loss on a lattice, no less private than stated: in integers, rounded outwards.
 *
 * @returns null where the others' masses exceed 1, or where the lattice has too many points
 */
export function slotLaw(atoms: readonly ExactAtom[], scale: LatticeScale): SlotLaw | null {
  const { massBits, probabilityBits, spacing, growth } = scale;
  const unit = 1n << FRACTION_BITS;
  const points = new Map<number, bigint>();
  const add = (index: bigint, numerator: bigint, denominator: bigint): void => {
    const mass = ceilDivision(numerator << probabilityBits, denominator);
    points.set(Number(index), (points.get(Number(index)) ?? 0n) + mass);
  };
  let silent = 1n << massBits;
  let uncovered = 0n;
  for (const { likelier, unlikelier, others, ratios } of atoms) {
    /** P - e^epsilon Q, from above, over 2^(massBits + FRACTION_BITS). */
    const excess = likelier * unit - growth * unlikelier;
    if (others === 0n) {
      // Within a cell the sign may change: all of the victim's mass counts.
      if (ratios) uncovered += likelier * unit;
      else if (excess > 0n) uncovered += excess;
      continue;
    }
    silent -= others;
    // The loss in units of the spacing: excess / (others * spacing), on the scales of its parts.
    const width = others * spacing * unit;
    const scaled = excess << massBits;
    let low = floorDivision(scaled, width);
    let high = ceilDivision(scaled, width);
    if (ratios) {
      const least = ratios.likelier[0] * unit - growth * ratios.unlikelier[1];
      const most = ratios.likelier[1] * unit - growth * ratios.unlikelier[0];
      const [lowest, highest] = [floorDivision(least, spacing * unit), ceilDivision(most, spacing * unit)];
      if (lowest < low) low = lowest;
      if (highest > high) high = highest;
    }
    if (high - low > BigInt(MOST_POINTS)) return null;
    if (low === high) {
      add(low, others, 1n << massBits);
      continue;
    }
    // Mass and mean stay: the upper point gets others * (loss / spacing - low) / (high - low).
    const span = (spacing * unit * (high - low)) << massBits;
    add(high, scaled - low * width, span);
    add(low, high * width - scaled, span);
  }
  if (silent < 0n) return null;
  if (silent > 0n) add(0n, silent, 1n << massBits);
  const indices = [...points.keys()];
  const first = indices.reduce((least, index) => Math.min(least, index), 0);
  const last = indices.reduce((most, index) => Math.max(most, index), 0);
  if (!(last - first < MOST_POINTS)) return null;
  const masses = Array.from({ length: last - first + 1 }, (_, i) => points.get(first + i) ?? 0n);
  return { law: { first, masses, beyond: 0n, most: last }, uncovered };
}
