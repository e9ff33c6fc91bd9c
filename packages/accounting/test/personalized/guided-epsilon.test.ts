import { assert, double, property } from 'fast-check';
import { expect, it } from 'vitest';
import { gaussianDivergence, interval } from '@shuffle-dp/core';
import { guidedEpsilon } from '../../src/personalized/blanket/guided-epsilon.ts';
import type { PrivacyProfile } from '../../src/privacy-profile.ts';

const DELTA = 1e-6;
const SEARCH = { epsilonMax: 50, relativeTolerance: 1e-6, closeEnough: 0.998, unless: Infinity };

/** Its divergence, times a factor that grows with epsilon by a power. */
function normal(separation: number, factor = 1, power = 0): PrivacyProfile {
  return (epsilon) =>
    interval(0, Math.min(1, factor * Math.exp(power * epsilon) * gaussianDivergence(separation, epsilon)));
}

it('meets delta nearly, by few evaluations, however wrong its guide is', () => {
  assert(
    property(
      double({ min: 0.01, max: 1.5, noNaN: true }),
      double({ min: 0.2, max: 5, noNaN: true }),
      double({ min: -0.2, max: 0.2, noNaN: true }),
      (separation, factor, power) => {
        let evaluations = 0;
        const exact = normal(separation);
        const profile: PrivacyProfile = (epsilon) => (evaluations++, exact(epsilon));
        const guide = normal(separation, factor, power);
        const epsilon = guidedEpsilon({ profile, guide }, DELTA, SEARCH, { ratio: 1 });
        expect(exact(epsilon).upper).toBeLessThanOrEqual(DELTA);
        expect(exact(epsilon).upper).toBeGreaterThan(0.998 * DELTA);
        expect(evaluations).toBeLessThanOrEqual(5);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

it('is certified where the guide leads astray', () => {
  const profile = normal(0.5);
  for (const guide of [normal(0.01), normal(3), () => interval(0, 1), () => interval(0, 0)]) {
    const epsilon = guidedEpsilon({ profile, guide }, DELTA, SEARCH, { ratio: 1 });
    expect(profile(epsilon).upper).toBeLessThanOrEqual(DELTA);
    expect(profile(epsilon).upper).toBeGreaterThan(0.99 * DELTA);
  }
});

it('knows the ratio of guide and profile when it searches again', () => {
  const guidance = { ratio: 1 };
  let evaluations = 0;
  const profile: PrivacyProfile = (epsilon) => (evaluations++, normal(0.5)(epsilon));
  guidedEpsilon({ profile, guide: normal(0.5, 3) }, DELTA, SEARCH, guidance);
  expect(guidance.ratio).toBeCloseTo(3, 2);
  evaluations = 0;
  guidedEpsilon({ profile, guide: normal(0.5, 3) }, DELTA, SEARCH, guidance);
  expect(evaluations).toBe(1);
});

it('does not look for what is no less than another epsilon', () => {
  const profile = normal(0.5);
  const root = guidedEpsilon({ profile, guide: profile }, DELTA, SEARCH, { ratio: 1 });
  const among = (unless: number): number =>
    guidedEpsilon({ profile, guide: normal(0.5, 1.02) }, DELTA, { ...SEARCH, unless }, { ratio: 1 });
  expect(among(0.9 * root)).toBe(Infinity);
  expect(among(1.001 * root)).toBeCloseTo(root, 3);
});
