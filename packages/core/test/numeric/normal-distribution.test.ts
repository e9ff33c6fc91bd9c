import { describe, expect, it } from 'vitest';
import { normalMass } from '../../src/numeric/normal-distribution.ts';
import { ROUNDOFF } from '../../src/numeric/roundoff.ts';

describe('the mass of a cell under a normal law', () => {
  // By mpmath with 60 digits; masses of differences of tails are off by up to 40,000 roundoffs here.
  it.each([
    [0, 1, 0.5, 0.51, 3.511807828467482085738e-3],
    [0, 1, -0.01, 0.02, 1.196767003153358497722e-2],
    [1, 1e6, -3e6, -2.99e6, 4.498906912079248478903e-5],
    [1, 1e6, 17, 17.5, 1.994711401743778371678e-7],
    [0.3, 0.05, 0.9, 0.901, 3.816248116346208374107e-34],
    [1, 0.05, -0.46, -0.459, 7.699303793732147433495e-188],
    [0, 100, -2.2, -2.1999, 3.98845752438539584219e-7],
    [0.1, 0.2, 1.7, 1.75, 5.428987942807568227643e-16],
    [0, 1, 8.25, 8.4375, 6.298740706236716595216e-17],
  ])('around %f, of deviation %f, from %f to %f has all digits', (centre, deviation, from, to, mass) => {
    expect(Math.abs(normalMass(centre, deviation, from, to) / mass - 1)).toBeLessThanOrEqual(20 * ROUNDOFF);
    const mirrored = normalMass(-centre, deviation, -to, -from);
    expect(Math.abs(mirrored / mass - 1)).toBeLessThanOrEqual(20 * ROUNDOFF);
  });

  it.each([
    [0, 2, -1, 5, 0.6852527959482369684707],
    [0, 1, 2, Infinity, 0.02275013194817920720028],
    [0, 1, -Infinity, Infinity, 1],
  ])(
    'around %f, of deviation %f, from %f to %f is a difference of tails',
    (centre, deviation, from, to, mass) => {
      expect(normalMass(centre, deviation, from, to) / mass).toBeCloseTo(1, 13);
    },
  );
});
