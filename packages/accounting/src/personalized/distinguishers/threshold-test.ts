/**
 * Threshold tests on shuffled counts: the number of messages among the outputs that gain most, an exact sum
 * of coins. They tell more than the likelihood ratio on a lattice where the victim's noise is wider than
 * everyone else's.
 */
import { Real } from '@shuffle-dp/core';
import { cloneCountLaw } from '../clone-count.ts';
import type { Contest } from './contest.ts';

/** Shares of the victim's mass in the events of the tests: 1/2 down to 1e-6. */
const EVENT_SHARES = /* @__PURE__ */ Array.from({ length: 47 }, (_, k) => 0.5 * Real.power(0.75, k));
/** Among more messages than this, the likelihood ratio tells as much. */
const MOST_EXPECTED = 1000;
const SMALLEST_COUNT_MASS = 1e-40;
/** Of the masses of sets and of counts, relative. */
const ROUNDING = 1e-10;

/** delta(epsilon) of the number of messages among the highest gains, from below, for several such sets. */
export function thresholdProfiles(
  { first, second, others }: Contest,
  gains: Float64Array,
): ((epsilon: number) => number)[] {
  // Infinities compare as equal.
  const order = Uint32Array.from(gains, (_, y) => y).sort((a, b) =>
    gains[a] === gains[b] ? 0 : gains[b]! - gains[a]!,
  );
  return EVENT_SHARES.flatMap((share) => {
    let event = 1;
    let p = first[order[0]!]!;
    while (event < order.length && p + first[order[event]!]! <= share) p += first[order[event++]!]!;
    const inside = order.subarray(0, event);
    const outside = order.subarray(event);
    // Both summed: beside 1 a small mass outside would be lost, which e^epsilon may make large.
    const pOutside = massOf(outside, first);
    const q = massOf(inside, second);
    const qOutside = massOf(outside, second);
    const coins = others.map(({ users, masses }) => ({
      coins: users,
      probability: massOf(inside, masses),
      complement: massOf(outside, masses),
    }));
    const expected = coins.reduce((sum, group) => sum + group.coins * group.probability, 0);
    if (expected > MOST_EXPECTED) return [];
    const law = cloneCountLaw(coins, SMALLEST_COUNT_MASS);
    // Masses that leave the doubles are not nothing: e^epsilon may make them large.
    const lost = (2 * second.length + 8) * Number.MIN_VALUE;
    const profile = (epsilon: number): number => {
      const expEpsilon = Real.exp(epsilon);
      let total = 0;
      for (let i = 0; i <= law.masses.length; i++) {
        const below = law.masses[i - 1] ?? 0;
        const here = law.masses[i] ?? 0;
        const mass = p * below + pOutside * here;
        const other = q * below + qOutside * here;
        total += Math.max(0, mass * (1 - ROUNDING) - expEpsilon * (other * (1 + ROUNDING) + lost));
      }
      // Masses left out may have entered with either sign.
      return Math.max(0, Math.min(1, total) - 2 * (1 + expEpsilon) * law.omitted);
    };
    return [profile];
  });
}

function massOf(cells: Uint32Array, masses: Float64Array): number {
  return Math.min(
    1,
    cells.reduce((sum, y) => sum + masses[y]!, 0),
  );
}
