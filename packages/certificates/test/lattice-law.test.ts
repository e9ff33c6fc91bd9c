import { expect, it } from 'vitest';
import { FRACTION_BITS } from '../src/exact.ts';
import { slotLaw } from '../src/lattice-law.ts';

/** Masses over 16, a lattice of steps of one half, and e^epsilon = 2. */
const scale = { massBits: 4n, probabilityBits: 4n, spacing: 8n, growth: 2n << FRACTION_BITS };
const covered = { likelier: 8n, unlikelier: 4n, others: 12n };

it.each([
  ['counts its excess in full', { likelier: 8n, unlikelier: 2n, others: 0n }, 4n],
  ['counts nothing where it speaks for the other input', { likelier: 3n, unlikelier: 2n, others: 0n }, 0n],
])('an output that nobody else sends %s', (_, alone, excess) => {
  const slot = slotLaw([covered, alone], scale)!;
  expect(slot.uncovered).toBe(excess << FRACTION_BITS);
  // The rest of the others' messages shows nothing: 4 of 16, beside the atom without excess.
  expect(slot.law).toEqual({ first: 0, masses: [16n], beyond: 0n, most: 0 });
});

it('refuses others who would send more than everything', () => {
  expect(slotLaw([covered, { ...covered, others: 5n }], scale)).toBeNull();
});

it('splits a loss between the points around it, and keeps its mean', () => {
  // (10 - 2 * 2) / 12 is one half of mass 12: on the point 1. (5 - 0) / 4 lies between 2 and 3 halves.
  const slot = slotLaw(
    [
      { likelier: 10n, unlikelier: 2n, others: 12n },
      { likelier: 5n, unlikelier: 0n, others: 4n },
    ],
    scale,
  )!;
  expect(slot.law).toEqual({ first: 0, masses: [0n, 12n, 2n, 2n], beyond: 0n, most: 3 });
});
