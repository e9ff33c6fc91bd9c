import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { expect, it } from 'vitest';
import { pointLosses } from '../../src/blanket/loss-law.ts';
import { heavyMoments } from '../../src/sharp/gains/heavy-moments.ts';
import { FINEST, MinimumMoments } from '../../src/sharp/gains/minimum-moments.ts';
import { NormalMoments } from '../../src/sharp/gains/normal-moments.ts';

/** Gains of which one is rare and sixty times as large as the others. */
const HEAVY: LikelihoodAtoms = {
  label: 'heavy',
  victim0: Float64Array.of(0.5, 0.494, 0.006),
  victim1: Float64Array.of(0.45, 0.5499, 0.0001),
  others: Float64Array.of(0.45, 0.5499, 0.0001),
  symmetric: true,
};
const TILT = 0.045;

it('moments of heavy gains follow the bound where normal ones do not', () => {
  const law = pointLosses(HEAVY, 1.02);
  const heavy = heavyMoments(law, 8000, TILT, FINEST);
  const normal = new NormalMoments(law, 8000, TILT);
  const off: number[] = [];
  for (const count of [7200, 7900, 8002, 8800]) {
    const bound = new MinimumMoments(law, count, TILT, FINEST);
    for (const share of [0.8, 1, 1.2]) {
      const exact = bound.logAt(share * TILT);
      expect(Math.abs(heavy.of(count).logAt(share * TILT) - exact)).toBeLessThan(0.02);
      off.push(Math.abs(normal.of(count).logAt(share * TILT) - exact));
    }
  }
  expect(Math.max(...off)).toBeGreaterThan(0.1);
});
