/**
 * The privacy loss of many rounds, from above (docs/certificates.md): chords between points of one round's
 * curve are the curve of a loss on a grid, whose law is raised to as many copies.
 */
import { ceilDivision, FRACTION_BITS, ONE } from './exact.ts';
import type { LatticeLaw } from './lattice-law.ts';

/** The powers of a ratio r > 1, each rounded down, over 2^FRACTION_BITS. */
export interface LossGrid {
  /** At most r^index, of any sign. */
  power(index: number): bigint;
}

/**
 * The powers of a ratio, each computed once, where it is asked for.
 *
 * @param ratio an integer over 2^massBits
 * @returns null where it is not above 1 and at most 2
 * @example lossGrid('3', 1n)?.power(1) === 3n << 319n // true
 */
export function lossGrid(ratio: string, massBits: bigint): LossGrid | null {
  const scaled = BigInt(ratio) << (FRACTION_BITS - massBits);
  if (scaled <= ONE || scaled > 2n * ONE) return null;
  const rising = [ONE];
  const falling = [ONE];
  return {
    power: (index) => {
      const powers = index < 0 ? falling : rising;
      for (let i = powers.length; i <= Math.abs(index); i++) {
        const last = powers[i - 1]!;
        powers.push(index < 0 ? (last << FRACTION_BITS) / scaled : (last * scaled) >> FRACTION_BITS);
      }
      return powers[Math.abs(index)]!;
    },
  };
}

/**
 * The loss of one round: lattice point j stands for a loss of j log r, `beyond` for an infinite one.
 *
 * @param indices of the points, from 0 on
 * @param deltas at most the divergence at the grid's powers, over 2^FRACTION_BITS
 * @returns null where the grid's powers cannot be told apart
 */
export function roundLoss(
  grid: LossGrid,
  indices: readonly number[],
  deltas: readonly bigint[],
  probabilityBits: bigint,
): LatticeLaw | null {
  const above = indices.map((index, i) => ({ index, at: grid.power(index), value: least(ONE, deltas[i]!) }));
  // Where the ratio is below 1 the other order of the neighbours counts: f(x) = 1 - x + x f(1/x).
  const below = above.slice(1).map(({ index, value }) => {
    const at = grid.power(-index);
    return { index: -index, at, value: ONE - ((at * (ONE - value)) >> FRACTION_BITS) };
  });
  const knots = [{ index: 0, at: 0n, value: ONE }, ...below.toReversed(), ...above];
  if (knots.some(({ at }, i) => i > 0 && at <= knots[i - 1]!.at)) return null;
  /** How fast the chord to the next knot falls. */
  const falls = knots.map(({ at, value }, i) => {
    const next = knots[i + 1];
    return next ? { fall: value - next.value, width: next.at - at } : { fall: 0n, width: 1n };
  });
  const first = knots[1]!.index;
  const last = knots.at(-1)!.index;
  const masses = Array.from({ length: last - first + 1 }, () => 0n);
  for (let i = 1; i < knots.length; i++) {
    const [before, after] = [falls[i - 1]!, falls[i]!];
    const bend = before.fall * after.width - after.fall * before.width;
    if (bend <= 0n) continue;
    masses[knots[i]!.index - first] = ceilDivision(
      (knots[i]!.at * bend) << probabilityBits,
      (before.width * after.width) << FRACTION_BITS,
    );
  }
  const beyond = ceilDivision(knots.at(-1)!.value << probabilityBits, ONE);
  return { first, masses, beyond, most: last };
}

/**
 * E (1 - e^(epsilon - loss))_+ of a law on the grid, from above, over 2^(its bits + FRACTION_BITS).
 *
 * @param growth at most e^epsilon, over 2^FRACTION_BITS
 */
export function excessOfLosses(
  grid: LossGrid,
  { first, masses, beyond }: LatticeLaw,
  growth: bigint,
): bigint {
  let excess = beyond * ONE;
  for (let i = Math.max(0, 1 - first); i < masses.length; i++) {
    const weight = ONE - ((growth * grid.power(-(first + i))) >> FRACTION_BITS);
    if (weight > 0n) excess += masses[i]! * weight;
  }
  return excess;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
