/** Likelihood atoms, written one after the other, as the columns that accountants read. */
import type { LikelihoodAtoms } from '@shuffle-dp/core';

/** One atom: its mass under the victim's two inputs and under every other user. */
export type Atom = readonly [victim0: number, victim1: number, others: number];

/**
 * Atoms without mass anywhere are left out; of a longer one its first three masses are read.
 * @throws RangeError as `requireMasses`
 * @param silent what the others' masses leave of 1, with all its digits, where that is known
 */
export function likelihoodAtoms(
  label: string,
  atoms: readonly (Atom | readonly [...Atom, number])[],
  symmetric = true,
  silent?: number,
): LikelihoodAtoms {
  for (const [p, q, w] of atoms) requireMasses(label, [p, q, w]);
  const kept = atoms.filter(([p, q, w]) => p > 0 || q > 0 || w > 0);
  return Object.freeze({
    label,
    victim0: Float64Array.from(kept, ([p]) => p),
    victim1: Float64Array.from(kept, ([, q]) => q),
    others: Float64Array.from(kept, ([, , w]) => w),
    symmetric,
    ...(silent !== undefined && { silent }),
  });
}

/** What is left of a difference of shares that are equal. */
const ROUNDED_AWAY = -1e-12;

/** @throws RangeError where one is no number, or negative by more than rounding */
export function requireMasses(label: string, masses: readonly number[]): void {
  if (!masses.every((mass) => mass > ROUNDED_AWAY))
    throw new RangeError(`masses of an atom of "${label}" are ${masses.join(', ')}`);
}
