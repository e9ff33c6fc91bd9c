/**
 * Analyses of multi-message histograms by their first authors, against the exact laws of the rows and bins.
 */
import { describe, expect, test } from 'vitest';
import {
  ballsIntoBinsBound,
  ballsIntoBinsMessages,
  certifiedEpsilon,
  cheuZhilyaevBound,
  cheuZhilyaevFlip,
  cheuZhilyaevVariance,
  evaluateBound,
  type ShuffleSetting,
} from '@shuffle-dp/accounting';
import type { AmplificationProfile, LikelihoodAtoms } from '@shuffle-dp/core';

function profileOf(rows: readonly (readonly [number, number, number])[]): AmplificationProfile {
  const atoms: LikelihoodAtoms = {
    label: 'blanket messages',
    victim0: Float64Array.from(rows, ([mass]) => mass),
    victim1: Float64Array.from(rows, ([, mass]) => mass),
    others: Float64Array.from(rows, ([, , mass]) => mass),
    symmetric: true,
  };
  return { variationRatio: null, blanket: [atoms], homogeneous: [] };
}

function uniformBins(binsPerValue: number, messages: number): ShuffleSetting {
  const amplification = profileOf([
    [1, 0, 1 / binsPerValue],
    [0, 1, 1 / binsPerValue],
    [0, 0, 1 - 2 / binsPerValue],
  ]);
  return { users: messages + 1, epsilon0: Infinity, amplification };
}

function flippedBits(flip: number, fakeRows: number): ShuffleSetting {
  const keep = 1 - flip;
  const amplification = profileOf([
    [keep * keep, flip * flip, keep * flip],
    [flip * flip, keep * keep, keep * flip],
    [keep * flip, keep * flip, keep * keep],
    [keep * flip, keep * flip, flip * flip],
  ]);
  return { users: fakeRows + 1, epsilon0: Infinity, amplification };
}

function certified({ users, amplification }: ShuffleSetting, delta: number): number {
  return certifiedEpsilon(amplification, users, delta).upper;
}

describe('the original analysis of balls into bins', () => {
  test('its number of messages, as printed', () => {
    expect(ballsIntoBinsMessages(0.5, 1e-6, 16)).toBeCloseTo((32 * Math.log(2e6) * 16) / 0.25, 6);
  });

  test.each([0.01, 0.3, 1, 2])(
    'gives back epsilon = %f, and delta, at the number that it asks for',
    (epsilon) => {
      const messages = Math.ceil(ballsIntoBinsMessages(epsilon, 1e-6, 16));
      const setting = uniformBins(16, messages);
      const value = evaluateBound(ballsIntoBinsBound(16), setting, { delta: 1e-6 });
      expect(value.epsilon! / epsilon).toBeLessThanOrEqual(1);
      expect(value.epsilon! / epsilon).toBeGreaterThan(1 - 1 / messages);
      const inverse = evaluateBound(ballsIntoBinsBound(16), setting, { epsilon });
      expect(Math.log(inverse.delta!) / Math.log(1e-6)).toBeCloseTo(1, 2);
    },
  );

  test('says nothing beyond epsilon = 2', () => {
    const { epsilon, reason } = evaluateBound(ballsIntoBinsBound(16), uniformBins(16, 1000), { delta: 1e-6 });
    expect(epsilon).toBeNull();
    expect(reason).toContain('needs n - 1 >= 8 log(2/delta) d / s, but the two sides are 1000 and 1857');
  });

  test.each([
    [0.1, 1e-6, 16],
    [1, 1e-6, 16],
    [2, 1e-6, 128],
    [2, 0.9, 2],
    [1, 0.5, 2],
    [0.5, 1e-12, 4],
  ])('is above what is certified: epsilon %f, delta %f, %i bins a value', (epsilon, delta, binsPerValue) => {
    const messages = Math.ceil(ballsIntoBinsMessages(epsilon, delta, binsPerValue));
    expect(certified(uniformBins(binsPerValue, messages), delta)).toBeLessThan(epsilon);
  });
});

describe('the original analysis of flipped bits', () => {
  test('the least flips that it allows give back epsilon', () => {
    for (const epsilon of [0.2, 1, 3]) {
      const flip = cheuZhilyaevFlip(50_000, epsilon, 1e-6);
      expect(50_000 * flip * (1 - flip)).toBeCloseTo(cheuZhilyaevVariance(epsilon, 1e-6), 6);
      const bound = cheuZhilyaevBound(flip);
      const value = evaluateBound(bound, flippedBits(flip, 50_000), { delta: 1e-6 });
      expect(value.epsilon).toBeCloseTo(epsilon, 10);
      const inverse = evaluateBound(bound, flippedBits(flip, 50_000), { epsilon: epsilon * (1 + 1e-12) });
      expect(inverse.delta! / 1e-6).toBeCloseTo(1, 6);
    }
  });

  test('has conditions', () => {
    expect(() => cheuZhilyaevFlip(1000, 0.1, 1e-6)).toThrow(
      'The original analysis of flipped bits needs at least 160',
    );
    const few = evaluateBound(cheuZhilyaevBound(0.1), flippedBits(0.1, 1000), { delta: 1e-6 });
    expect(few.epsilon).toBeNull();
    expect(few.reason).toBe('needs (n-1) f (1-f) > 6.6 log(4/delta), but the two sides are 90 and 100.3');
  });

  test.each([
    [0.1, 1e-6, 200_000],
    [1, 1e-6, 2000],
    [1, 1e-6, 200_000],
    [1, 0.9, 185],
    [4, 0.9, 60],
    [8, 1e-3, 10_000],
    [8, 1e-3, 220],
  ])('is above what is certified: epsilon %f, delta %f, %i rows', (epsilon, delta, fakeRows) => {
    const flip = cheuZhilyaevFlip(fakeRows, epsilon, delta);
    expect(certified(flippedBits(flip, fakeRows), delta)).toBeLessThan(epsilon);
  });
});
