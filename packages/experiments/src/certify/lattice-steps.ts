/**
 * The steps of a certificate for one order of the victim's inputs: its lattice, where that may become
 * coarser, and what is kept of the sums.
 */
import type { CentralTarget } from '@shuffle-dp/accounting';
import {
  MOST_PRODUCT_BITS,
  powerSteps,
  slotLaw,
  type CertificateSteps,
  type ExactAtom,
} from '@shuffle-dp/certificates';
import { MASS_BITS } from './certificate-atoms.ts';
import { latticeWindows } from './lattice-windows.ts';

/** Lattice points of the sums; more would take minutes. */
const MOST_POINTS = 2 ** 18;
/** For floating point: the law's masses with so many digits. */
const SEARCH_BITS = 256;
/**
 * At a fineness of 1, points to a standard deviation of one loss, and of the sum before the lattice is made
 * coarser.
 */
const POINTS_OF_ONE = 32;
const POINTS_OF_SUM = 48;

/** In the file's longest form of an integer: every loss is less than one step of it. */
const WIDEST_SPACING = 10n ** 399n;
const FEW_BITS = 64;

/** Where steps are wanted, and how well. */
export interface StepsAsked extends CentralTarget {
  /** e^epsilon or a little less, over 2^FRACTION_BITS. */
  readonly growth: bigint;
  /** Twice as fine a lattice adds a quarter as much to epsilon. */
  readonly fineness: number;
}

export interface PlannedSteps {
  readonly steps: CertificateSteps;
  /** So many digits of probabilities lose nothing that counts. */
  readonly probabilityBits: number;
}

/**
 * @returns null where there would be too many lattice points, or the losses are too far apart for floating
 * point
 */
export function plannedSteps(atoms: readonly ExactAtom[], asked: StepsAsked): PlannedSteps | null {
  const { users, delta, fineness } = asked;
  const deviation = lossDeviation(atoms, Math.exp(asked.epsilon));
  if (!Number.isFinite(deviation)) return stepsWithoutLoss(atoms, asked);
  const spacing = spacingInteger(deviation / (POINTS_OF_ONE * fineness));
  const slot = slotLaw(atoms, {
    massBits: BigInt(MASS_BITS),
    probabilityBits: BigInt(SEARCH_BITS),
    spacing,
    growth: asked.growth,
  });
  if (slot === null) return null;
  const law = {
    first: slot.law.first,
    probabilities: Float64Array.from(slot.law.masses, (mass) => Number(mass) / 2 ** SEARCH_BITS),
  };
  const points = law.probabilities.length;
  const width = Number(spacing) / 2 ** MASS_BITS;
  const largest = Math.max(1, law.first + points - 1) * width;
  const doublings = doublingsOf(deviation / width, users, POINTS_OF_SUM * fineness);
  const windows = latticeWindows(law, users, { worthOfMass: largest / delta, doublings });
  if (windows.some(([low, high]) => high - low > MOST_POINTS)) return null;
  // A unit in the last place of an early step counts for all users.
  const probabilityBits = Math.max(
    FEW_BITS,
    Math.ceil(Math.log2((1e6 * users * points * Math.max(1, largest)) / delta)),
  );
  const longest = windows.reduce((most, [low, high]) => Math.max(most, high - low + 1), points);
  if (4 * probabilityBits * longest > MOST_PRODUCT_BITS) return null;
  return {
    steps: {
      spacing: `${spacing}`,
      doublings: doublings.map(String),
      windows: windows.map(([low, high]) => [`${low}`, `${high}`]),
    },
    probabilityBits,
  };
}

/**
 * Far beyond the local budget no loss is above 0, and any lattice shows that delta is 0. @returns null where
 * one is
 */
function stepsWithoutLoss(
  atoms: readonly ExactAtom[],
  { users, growth }: Pick<StepsAsked, 'users' | 'growth'>,
): PlannedSteps | null {
  const slot = slotLaw(atoms, {
    massBits: BigInt(MASS_BITS),
    probabilityBits: BigInt(FEW_BITS),
    spacing: WIDEST_SPACING,
    growth,
  });
  if (slot === null || slot.law.most > 0) return null;
  const windows = powerSteps(BigInt(users)).map(() => ['0', '1'] as const);
  return {
    steps: { spacing: `${WIDEST_SPACING}`, doublings: [], windows },
    probabilityBits: FEW_BITS,
  };
}

/**
 * The squarings after which the lattice is made coarser: where a deviation of the sum has more than `most`
 * points.
 */
function doublingsOf(pointsOfOne: number, users: number, most: number): number[] {
  const doublings: number[] = [];
  let points = pointsOfOne;
  for (let squaring = 1; 2 ** squaring <= users; squaring++) {
    points *= Math.SQRT2;
    if (points <= most) continue;
    doublings.push(squaring);
    points /= 2;
  }
  return doublings;
}

/** The standard deviation of P - e^epsilon Q over the others' mass, under that mass. */
function lossDeviation(atoms: readonly ExactAtom[], growth: number): number {
  let mean = 0;
  let square = 0;
  for (const { likelier, unlikelier, others } of atoms) {
    if (others === 0n) continue;
    const excess = share(likelier) - growth * share(unlikelier);
    mean += excess;
    square += (excess * excess) / share(others);
  }
  return Math.sqrt(Math.max(square - mean * mean, 1e-30 * square, Number.MIN_VALUE));
}

function share(mass: bigint): number {
  return Number(mass) / 2 ** MASS_BITS;
}

function spacingInteger(spacing: number): bigint {
  // Sixty-four bits of the fraction are more than a double of this size has.
  return BigInt(Math.max(1, Math.round(spacing * 2 ** 64))) << BigInt(MASS_BITS - 64);
}
