/** The epsilon at delta 0. */
import { Real, type LikelihoodAtoms, ROUNDOFF } from '@shuffle-dp/core';
import type { End } from './coarse-to-fine.ts';

/**
 * At delta 0 nothing may happen that is e^epsilon times likelier under one input: others hide the victim only
 * where all of them show the likeliest output, which they may.
 */
export function largestLogRatio({ victim0, victim1, others, cellEnds }: LikelihoodAtoms, end: End): number {
  let largest = 1;
  for (let y = 0; y < others.length; y++) {
    // Of a cell that nobody else covers, the ratio inside may be any.
    if (cellEnds && others[y] === 0 && end === 'upper' && victim0[y]! + victim1[y]! > 0) return Infinity;
    const [high0, low0, high1, low1] =
      cellEnds && end === 'upper'
        ? [
            Math.max(cellEnds.ratio0Start[y]!, cellEnds.ratio0End[y]!),
            Math.min(cellEnds.ratio0Start[y]!, cellEnds.ratio0End[y]!),
            Math.max(cellEnds.ratio1Start[y]!, cellEnds.ratio1End[y]!),
            Math.min(cellEnds.ratio1Start[y]!, cellEnds.ratio1End[y]!),
          ]
        : [victim0[y]!, victim0[y]!, victim1[y]!, victim1[y]!];
    if (high0 > 0) largest = Math.max(largest, high0 / low1);
    if (high1 > 0) largest = Math.max(largest, high1 / low0);
  }
  // An unbounded cell may have no ratio at its ends.
  if (Number.isNaN(largest)) return Infinity;
  const outward = end === 'upper' ? 1 : -1;
  // Of the ratio, beside 1 all there is of a small budget, and of its logarithm.
  const log = Real.log(largest) + outward * 8 * ROUNDOFF;
  return largest === 1 ? 0 : Math.max(0, log * (1 + outward * 1e-12));
}
