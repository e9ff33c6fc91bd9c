/** Neighbours are compared in both orders: what one order gives away counts, whichever it is. */
import { describe, expect, it } from 'vitest';
import { blanketDivergence, certifiedEpsilon } from '@shuffle-dp/accounting';
import type { LikelihoodAtoms } from '@shuffle-dp/core';

function atoms(victim0: number[], victim1: number[]): LikelihoodAtoms {
  return {
    label: 'by hand',
    victim0: Float64Array.from(victim0),
    victim1: Float64Array.from(victim1),
    others: Float64Array.of(0.1, 0.1),
    symmetric: false,
  };
}

const LISTED = atoms([0.6, 0.4], [0.2, 0.8]);
const TURNED = atoms([0.2, 0.8], [0.6, 0.4]);

describe('pairs that are not symmetric', () => {
  it.each([
    ['as listed', LISTED],
    ['turned', TURNED],
  ])('have the divergence of the worse order: %s', (_, pair) => {
    // One user: (0.6 - 2 * 0.2) + 0 in one order; nothing above e^epsilon in the other.
    const { lower, upper } = blanketDivergence(pair, 1, Math.log(2));
    expect(lower).toBeCloseTo(0.2, 12);
    expect(upper).toBeCloseTo(0.2, 12);
    expect(blanketDivergence(pair, 1, Math.log(2), { ends: 'upper' }).upper).toBeCloseTo(0.2, 12);
  });

  it.each([
    ['as listed', LISTED],
    ['turned', TURNED],
  ])('have the larger of all ratios at delta 0: %s', (_, pair) => {
    const profile = { variationRatio: null, blanket: [pair], homogeneous: [pair] };
    const { lower, upper } = certifiedEpsilon(profile, 3, 0);
    expect(lower).toBeCloseTo(Math.log(3), 11);
    expect(upper).toBeCloseTo(Math.log(3), 11);
  });

  it('exchange the ratios at the ends of cells too', () => {
    // One cell, over which the first victim is three times to once as likely as the others, the second just
    // as likely.
    const cell = (first: number[], second: number[]): LikelihoodAtoms => ({
      label: 'one cell',
      victim0: Float64Array.of(first[2]!),
      victim1: Float64Array.of(second[2]!),
      others: Float64Array.of(0.5),
      symmetric: false,
      cellEnds: {
        ratio0Start: Float64Array.of(first[0]!),
        ratio0End: Float64Array.of(first[1]!),
        ratio1Start: Float64Array.of(second[0]!),
        ratio1End: Float64Array.of(second[1]!),
      },
    });
    const [falling, level] = [
      [3, 1, 1],
      [1, 1, 0.5],
    ];
    const listed = blanketDivergence(cell(falling!, level!), 1, Math.log(2), { ends: 'upper' });
    const turned = blanketDivergence(cell(level!, falling!), 1, Math.log(2), { ends: 'upper' });
    // Losses from 1 - 2 to 3 - 2 with mean 2 - 2: half of the cell's mass on either end, so 0.5 * 0.5 * 1.
    expect(listed.upper).toBeCloseTo(0.25, 10);
    expect(turned.upper).toBeCloseTo(0.25, 10);
  });
});
