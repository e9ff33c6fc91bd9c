/**
 * A Poisson number of slots in place of the fixed one: the counts of the items are independent then. The
 * divergence falls with the number of slots, so a Poisson number that is hardly ever above bounds it from
 * above, and one that is hardly ever below from below.
 */
import { Real, regularizedGammaTail } from '@shuffle-dp/core';
import type { SetPair } from './set-divergence.ts';
import type { SlotSetPair } from './slot-set-pair.ts';

/** Any Poisson mean serves; about two deviations below the number of slots little is lost either way. */
export function fewerSlots(slots: number): { readonly mean: number; readonly probability: number } {
  // Bernstein: Pr[Poisson(N - 4 sqrt N) > N] is below exp(-8).
  if (slots > 1e6) return { mean: slots - 4 * Math.sqrt(slots), probability: 1 - Real.exp(-8) };
  const mean = Math.max(slots - 2 * Math.sqrt(slots), slots / 4);
  return { mean, probability: regularizedGammaTail(slots + 1, mean) * (1 - 1e-9) };
}

/**
 * The same sets among a Poisson number of slots that is hardly ever below theirs, and by how much the
 * divergence of the fixed number may lie below: well below `delta`.
 */
export function poissonSlots(
  { slots, domain, slotProbability, rate, itemsChanged }: SlotSetPair,
  delta: number,
): { readonly sets: SetPair; readonly missed: number } {
  const { mean, missed } = moreSlots(slots, delta);
  return { sets: { rate, blanketsPerItem: (mean * slotProbability) / domain, itemsChanged }, missed };
}

/** A Poisson mean so far above the number of slots that what it misses stays well below delta. */
function moreSlots(slots: number, delta: number): { readonly mean: number; readonly missed: number } {
  for (let deviations = 1; ; deviations *= 1.02) {
    const mean = slots + deviations * Math.sqrt(slots) + (deviations * deviations) / 4;
    // Pr[Poisson(mean) < slots], by its Gaussian bound where there are many.
    const missed =
      slots > 1e6
        ? Real.exp((-(1 - 1e-6) * (mean - slots) ** 2) / (2 * mean))
        : regularizedGammaTail(slots, mean) * (1 + 1e-9);
    if (missed <= delta / 20) return { mean, missed: Math.max(missed, Number.MIN_VALUE) };
  }
}
