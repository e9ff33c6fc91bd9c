/** Atoms of rows of bits against the sums that define them, in sixty digits (mpmath). */
import { ROUNDOFF } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { rowBlanket, rowVariation } from '../../src/item-sets/row-atoms.ts';

const disjoint = (items: number) => [
  { count: items, first: true, second: false, others: false },
  { count: items, first: false, second: true, others: false },
];

describe('rows about two disjoint sets', () => {
  // Masses under either set and in the blanket, of an atom with some numbers of ones. By logarithms of a
  // hundred nats and more they were off by as many roundoffs.
  it.each([
    [5, 2, 300, 0.4, 8.6101151677972925038e-66, 8.6101151677972925038e-66],
    [5, 2, 300, 5.7400767785315283359e-66, 5.7400767785315283359e-66, 1.2355680533788833075e-130],
    [5, 2, 300, 4.1185601779296110249e-131, 2.0592800889648055125e-131, 4.4326596821847074626e-196],
    [5, 2, 300, 1.4775532273949024875e-196, 1.4775532273949024875e-196, 1.5902379318025864898e-261],
    [16, 5, 300, 3.2176251390075086132e-130, 1.6088125695037543066e-130, 1.2697723047924943252e-194],
    // The blanket's is below the smallest double, and e^(-5 epsilon0 / 2) before a one is held.
    [16, 5, 300, 8.2824892281384713011e-262, 0, 0],
    [9, 4, 1, 0.12753177075089664958, 0.11355644241664610957, 0.099581114082395569558],
    [9, 4, 1, 0.00053178228503173778888, 0.00053178228503173778888, 0.0003405881505174895525],
    [64, 16, 3, 0.031801854702230186115, 0.029547962511546447864, 0.027294070320862709613],
    [64, 16, 3, 4.2332988255843612338e-24, 4.2332988255843612338e-24, 1.8237156066478111532e-24],
  ])('padded to %d, %d items, epsilon0 %d: an atom of %d', (paddedSize, items, epsilon0, ...masses) => {
    const { victim0, victim1, others } = rowBlanket('two sets', disjoint(items), { epsilon0, paddedSize });
    const nearest = victim0.reduce(
      (best, mass, i) =>
        distance([mass, victim1[i]!, others[i]!], masses) <
        distance([victim0[best]!, victim1[best]!, others[best]!], masses)
          ? i
          : best,
      0,
    );
    const found = [victim0[nearest]!, victim1[nearest]!, others[nearest]!];
    // A roundoff or so for each own item.
    masses.forEach((mass, i) => {
      if (mass === 0) expect(found[i]).toBeLessThan(1e-320);
      else expect(Math.abs(found[i]! / mass - 1) / ROUNDOFF).toBeLessThan(4 + items);
    });
  });

  // Differences of masses near each other kept 1e-16 / epsilon0 of themselves, and lay below.
  it.each([
    [2, 1, 1e-6, 1.2499999999999739018e-7],
    [4, 2, 1e-9, 9.3750000000000005839e-11],
    [9, 4, 1, 0.061116119321693256273],
    [5, 2, 300, 0.4],
  ])(
    'padded to %d, %d items, epsilon0 %d: total variation from above',
    (paddedSize, items, epsilon0, truth) => {
      const bound = rowVariation(disjoint(items), { epsilon0, paddedSize });
      expect(bound).toBeGreaterThanOrEqual(truth);
      expect(bound / truth - 1).toBeLessThan(100 * ROUNDOFF);
    },
  );
});

/** Of the logarithms, where there are any. */
function distance(found: readonly number[], masses: readonly number[]): number {
  return masses.reduce(
    (sum, mass, i) => sum + (mass === 0 ? found[i]! : Math.abs(Math.log(found[i]! / mass))),
    0,
  );
}
