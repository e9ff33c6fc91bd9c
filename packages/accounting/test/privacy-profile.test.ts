import { describe, expect, it } from 'vitest';
import { exactly, interval, normalTail, relativeWidth } from '@shuffle-dp/core';
import { epsilonAtDelta, type PrivacyProfile } from '@shuffle-dp/accounting';

/** Laplace mechanism: delta = 1 - e^((epsilon - local) / 2), zero from `local` on. */
const laplace =
  (local: number): PrivacyProfile =>
  (epsilon) =>
    exactly(epsilon >= local ? 0 : -Math.expm1((epsilon - local) / 2));

const gaussian =
  (mu: number): PrivacyProfile =>
  (epsilon) =>
    exactly(
      Math.max(0, normalTail(epsilon / mu - mu / 2) - Math.exp(epsilon) * normalTail(epsilon / mu + mu / 2)),
    );

function counted(profile: PrivacyProfile): { profile: PrivacyProfile; calls: () => number } {
  let calls = 0;
  const wrapped: PrivacyProfile = (epsilon) => {
    calls++;
    return profile(epsilon);
  };
  return { profile: wrapped, calls: () => calls };
}

describe('epsilonAtDelta', () => {
  it('ends at a delta of 0, which a divergence of 0 meets', () => {
    expect(epsilonAtDelta((epsilon) => exactly(epsilon < 2 ? 0.1 : 0), 0).upper).toBeGreaterThanOrEqual(2);
    expect(epsilonAtDelta((epsilon) => exactly(epsilon < 2 ? 0.1 : 0), 0).upper).toBeLessThan(2.001);
  });

  it('does not take a value next to delta for one that meets it', () => {
    for (const delta of [0.01, 1e-3, 1e-6, 0.4]) {
      const above = delta * (1 + Number.EPSILON);
      expect(above).toBeGreaterThan(delta);
      const jumping: PrivacyProfile = (epsilon) => exactly(epsilon < 1 ? above : 0);
      expect(epsilonAtDelta(jumping, delta).upper).toBeGreaterThanOrEqual(1);
    }
  });

  it('stops at a jump where it is told to, on the proved side', () => {
    const jumping: PrivacyProfile = (epsilon) =>
      epsilon < 0.7 ? exactly(0.4) : exactly(gaussian(0.1)(epsilon).upper / 2);
    const whole = counted(jumping);
    const exact = epsilonAtDelta(whole.profile, 1e-6, { relativeTolerance: 1e-9 });
    expect(exact.upper).toBeCloseTo(0.7, 7);
    const stopped = counted(jumping);
    const { upper } = epsilonAtDelta(stopped.profile, 1e-6, { relativeTolerance: 1e-9, jumpTolerance: 0.05 });
    expect(upper).toBeGreaterThanOrEqual(0.7);
    expect(upper).toBeLessThan(0.7 * 1.06);
    expect(stopped.calls()).toBeLessThan(whole.calls() / 2);
    // A smooth curve is followed to its root.
    const smooth = { relativeTolerance: 1e-9, jumpTolerance: 0.05 };
    expect(relativeWidth(epsilonAtDelta(gaussian(0.1), 1e-6, smooth))).toBeLessThan(1e-8);
  });

  it('inverts the Laplace curve to the last digits', () => {
    for (const [local, delta] of [
      [1, 1e-6],
      [1, 0.3],
      [8, 1e-3],
      [1e-4, 1e-9],
      [1e-6, 1e-8],
    ] as const) {
      const { lower, upper } = epsilonAtDelta(laplace(local), delta);
      const exact = local + 2 * Math.log1p(-delta);
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-12));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
      expect((upper - lower) / exact).toBeLessThan(2e-13);
    }
  });

  it('finds the root of a Gaussian curve in a dozen evaluations', () => {
    for (const mu of [1e-6, 0.01, 0.3]) {
      const { profile, calls } = counted(gaussian(mu));
      const delta = 1e-3 * mu;
      const bracket = epsilonAtDelta(profile, delta, { relativeTolerance: 1e-9 });
      expect(gaussian(mu)(bracket.upper).upper).toBeLessThanOrEqual(delta);
      expect(gaussian(mu)(bracket.lower).lower).toBeGreaterThan(delta);
      expect(relativeWidth(bracket)).toBeLessThan(2e-9);
      expect(calls()).toBeLessThanOrEqual(14);
    }
  });

  it('keeps each end on its own side of a profile that is only bracketed', () => {
    const inner = laplace(2);
    const wide: PrivacyProfile = (epsilon) => {
      const { lower } = inner(epsilon);
      return interval(lower * 0.9, lower * 1.2);
    };
    const { lower, upper } = epsilonAtDelta(wide, 0.01);
    expect(upper).toBeCloseTo(2 + 2 * Math.log1p(-0.01 / 1.2), 12);
    expect(lower).toBeLessThan(2 + 2 * Math.log1p(-0.01 / 0.9));
    expect(lower).toBeGreaterThan(2 + 2 * Math.log1p(-0.01 / 0.9) - 0.002);
  });

  it('answers zero where delta(0) is already small enough', () => {
    expect(epsilonAtDelta(laplace(1), 1)).toEqual({ lower: 0, upper: 0 });
    expect(epsilonAtDelta(laplace(1), 0.5)).toEqual({ lower: 0, upper: 0 });
  });

  it('answers the end of the curve for delta = 0', () => {
    const { lower, upper } = epsilonAtDelta(laplace(1.5), 0);
    expect(upper).toBeGreaterThanOrEqual(1.5);
    expect(upper).toBeLessThan(1.5 + 3e-13);
    expect(lower).toBeGreaterThan(1.5 - 1e-12);
  });

  it('says infinity where delta stays above the target', () => {
    const floor: PrivacyProfile = (epsilon) => exactly(1e-4 + 0.5 * Math.exp(-epsilon));
    expect(epsilonAtDelta(floor, 1e-5, { epsilonMax: 100 })).toEqual({ lower: 100, upper: Infinity });
    const reached = epsilonAtDelta(floor, 1e-3);
    expect(reached.upper).toBeCloseTo(Math.log(0.5 / 9e-4), 10);
  });

  it('has no lower end where the profile has none', () => {
    const oneSided: PrivacyProfile = (epsilon) => interval(0, laplace(1)(epsilon).upper);
    expect(epsilonAtDelta(oneSided, 1e-3).lower).toBe(0);
  });

  it('takes a value that rounding left below zero for none', () => {
    const rounded: PrivacyProfile = (epsilon) => {
      const { upper } = laplace(1)(epsilon);
      return exactly(upper === 0 ? -1e-18 : upper);
    };
    expect(epsilonAtDelta(rounded, 0.01).upper).toBeCloseTo(1 + 2 * Math.log1p(-0.01), 12);
    expect(epsilonAtDelta((epsilon) => exactly(epsilon === 0 ? 0.5 : -1), 1e-9).upper).toBeLessThan(1e-6);
  });

  it('refuses a profile that is not a number', () => {
    const nothing: PrivacyProfile = () => ({ lower: NaN, upper: NaN });
    expect(() => epsilonAtDelta(nothing, 1e-6)).toThrow('profile(0) = NaN: must be a number');
    const broken: PrivacyProfile = (epsilon) => ({ lower: 0, upper: epsilon === 0 ? 0.5 : NaN });
    expect(() => epsilonAtDelta(broken, 1e-6)).toThrow('= NaN: must be a number');
  });

  it('refuses what is no delta', () => {
    expect(() => epsilonAtDelta(laplace(1), 1.5)).toThrow('delta = 1.5: must be in [0, 1]');
    expect(() => epsilonAtDelta(laplace(1), NaN)).toThrow('delta = NaN');
  });
});
