/** The density ratios at both ends of each cell, between which those inside lie. */
import type { LikelihoodAtoms } from '@shuffle-dp/core';

export type CellEnds = NonNullable<LikelihoodAtoms['cellEnds']>;

/** The ends with every column changed, to be taken over; nothing where the atoms are points. */
export function changedEnds(
  ends: CellEnds | undefined,
  change: (ratios: Float64Array) => Float64Array,
): Pick<LikelihoodAtoms, 'cellEnds'> {
  if (!ends) return {};
  return {
    cellEnds: {
      ratio0Start: change(ends.ratio0Start),
      ratio0End: change(ends.ratio0End),
      ratio1Start: change(ends.ratio1Start),
      ratio1End: change(ends.ratio1End),
    },
  };
}

/** The least and the most that the loss can be inside a cell. */
export function extremeLosses(cellEnds: CellEnds, y: number, expEpsilon: number): [number, number] {
  const start0 = cellEnds.ratio0Start[y]!;
  const end0 = cellEnds.ratio0End[y]!;
  const start1 = cellEnds.ratio1Start[y]!;
  const end1 = cellEnds.ratio1End[y]!;
  return [
    Math.min(start0, end0) - expEpsilon * Math.max(start1, end1),
    Math.max(start0, end0) - expEpsilon * Math.min(start1, end1),
  ];
}
