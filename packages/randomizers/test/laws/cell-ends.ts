/** What the cells of a continuous output space promise. */
import { expect } from 'vitest';
import type { LikelihoodAtoms } from '@shuffle-dp/core';

/**
 * The average of a density ratio over a cell lies between the ratios at its ends, between which it is
 * monotone.
 */
export function expectRatiosBetweenEnds({ victim0, victim1, others, cellEnds }: LikelihoodAtoms): void {
  const { ratio0Start, ratio0End, ratio1Start, ratio1End } = cellEnds!;
  const within = (ratio: number, a: number, b: number): void => {
    expect(ratio).toBeGreaterThanOrEqual(Math.min(a, b) * (1 - 1e-10));
    expect(ratio).toBeLessThanOrEqual(Math.max(a, b) * (1 + 1e-10));
  };
  others.forEach((mass, y) => {
    if (mass === 0) return;
    within(victim0[y]! / mass, ratio0Start[y]!, ratio0End[y]!);
    within(victim1[y]! / mass, ratio1Start[y]!, ratio1End[y]!);
  });
}
