/**
 * Bounds of L by a few moments of the tilted gains, against the integral summed densely, and by a coin's
 * sums.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomialPmf } from '@shuffle-dp/core';
import { saddlePoint, tilt } from '../../src/blanket/exponential-tilt.ts';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import {
  COARSE,
  FINE,
  FINEST,
  MinimumMoments,
  ROUGH,
  SKETCHY,
} from '../../src/sharp/gains/minimum-moments.ts';
import { chosenNoise, logMomentBound, modulusCurves } from '../../src/sharp/gains/moment-bound.ts';
import { scaledTail } from '../../src/sharp/gains/tail-table.ts';
import { uniform } from '../../../core/test/uniform.ts';

/** |M(t + iv) / M(t)|^2. */
function squaredModulus({ values, probabilities }: LossLaw, t: number): (v: number) => number {
  const weights = probabilities.map((p, i) => p * Math.exp(t * values[i]!));
  const mean = weights.reduce((sum, weight) => sum + weight, 0);
  return (v) => {
    let [re, im] = [1, 0];
    weights.forEach((weight, i) => {
      re -= ((2 * weight) / mean) * Math.sin((v * values[i]!) / 2) ** 2;
      im += (weight / mean) * Math.sin(v * values[i]!);
    });
    return re * re + im * im;
  };
}

/**
 * log L(t) with noise, by the trapezoidal rule over all that the noise leaves: of steps so fine that the
 * images are e^-25 of it.
 */
function denselySummed(law: LossLaw, count: number, t: number, noise: number): number {
  const { values, probabilities } = law;
  const weights = probabilities.map((p, i) => p * Math.exp(t * values[i]!));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = weights.reduce((sum, weight, i) => sum + (weight * values[i]!) / total, 0);
  const variance = weights.reduce((sum, weight, i) => sum + (weight * (values[i]! - mean) ** 2) / total, 0);
  const step = Math.min(0.05 / Math.sqrt(count * variance), t / 4);
  const modulus = squaredModulus(law, t);
  let sum = 0.5 / (t * t);
  for (let v = step; v < 7 / noise; v += step) {
    const damped = (count / 2) * Math.log(modulus(v)) - (noise * noise * v * v) / 2;
    sum += Math.exp(damped) / (t * t + v * v);
  }
  let logMean = 0;
  values.forEach((g, i) => (logMean += probabilities[i]! * Math.expm1(t * g)));
  logMean = Math.log1p(logMean);
  return count * logMean + (noise * noise * t * t) / 2 + Math.log((2 * t * step * sum) / Math.PI);
}

function lawOf(gains: readonly (readonly [value: number, weight: number])[]): LossLaw {
  const sorted = gains.toSorted((a, b) => a[0] - b[0]);
  const total = sorted.reduce((sum, [, weight]) => sum + weight, 0);
  return {
    values: Float64Array.from(sorted, ([value]) => value),
    probabilities: Float64Array.from(sorted, ([, weight]) => weight / total),
    magnitudes: Float64Array.from(sorted, ([value]) => Math.abs(value)),
  };
}

describe('the bound by moments', () => {
  const gains = fc.array(fc.tuple(uniform(-2, 1.2), uniform(0.01, 1)), { minLength: 2, maxLength: 7 });
  const rare = fc.tuple(uniform(-25, 12), uniform(0.0005, 0.01));

  it('is above the integral with its noise, and by no more than it says', () => {
    fc.assert(
      fc.property(
        gains,
        rare,
        fc.constantFrom(300, 2000, 10_000),
        uniform(0.5, 3),
        (usual, one, count, factor) => {
          const law = lawOf([...usual, one]);
          fc.pre(new Set(law.values).size === law.values.length && law.values.at(-1)! > 0.1);
          const { theta } = saddlePoint(law, count)!;
          const chosen = chosenNoise(law, count, tilt(law, theta));
          fc.pre(chosen !== null && chosen.noise > 0);
          const { noise, loss } = chosen!;
          for (const t of [theta, factor * theta]) {
            const bound = logMomentBound(law, count, noise, t);
            const exact = denselySummed(law, count, t, noise);
            expect(bound).toBeGreaterThan(exact - 1e-7);
            // The noise itself is a part of what is lost.
            if (t === theta) expect(bound).toBeLessThan(exact + 1.1 * loss + 1e-4);
          }
        },
      ),
      { numRuns: 25, seed: 11 },
    );
  });

  it('rests on curves that no modulus is above, and the whole one meets it near 0', () => {
    fc.assert(
      fc.property(gains, rare, uniform(0, 0.4), (usual, one, t) => {
        const law = lawOf([...usual, one]);
        fc.pre(new Set(law.values).size === law.values.length);
        const modulus = squaredModulus(law, t);
        const told = modulusCurves(law, 1e5, tilt(law, t));
        fc.pre(told !== null);
        const { curves, reaches } = told!;
        const q = (i: number, v: number): number => v * v * (curves[i]!.bend - v * v * curves[i]!.fourth);
        for (let k = 1; k <= 60; k++)
          curves.forEach((_, i) => {
            const v = (reaches.at(-1)! * k) / 60;
            expect(1 - 2 * q(i, v)).toBeGreaterThan(modulus(v) - 1e-9);
          });
        const small = 0.05 * reaches[0]!;
        expect((1 - modulus(small)) / (2 * q(curves.length - 1, small))).toBeLessThan(1.001);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('is above a million coins, of which it loses next to nothing', () => {
    const coin = lawOf([
      [-1, 0.5025],
      [1, 0.4975],
    ]);
    const { theta } = saddlePoint(coin, 1_000_000)!;
    const { noise } = chosenNoise(coin, 1_000_000, tilt(coin, theta))!;
    const exact = denselySummed(coin, 1_000_000, theta, noise);
    const bound = logMomentBound(coin, 1_000_000, noise, theta);
    expect(bound).toBeGreaterThan(exact - 1e-8);
    expect(bound).toBeLessThan(exact + 1e-4);
  });

  it('loses a few thousandths of ten thousand coins, and less of more', () => {
    const losses = [1000, 10_000, 1_000_000].map((count) => {
      // Five deviations above the mean.
      const coin = lawOf([
        [-1, 0.5 + 2.5 / Math.sqrt(count)],
        [1, 0.5 - 2.5 / Math.sqrt(count)],
      ]);
      const { theta } = saddlePoint(coin, count)!;
      return chosenNoise(coin, count, tilt(coin, theta))!.loss;
    });
    expect(losses[1]).toBeLessThan(0.01);
    expect(losses[2]).toBeLessThan(1e-4);
    expect(losses.toSorted((a, b) => b - a)).toEqual(losses);
  });

  it('says little of forty copies of a rare gain, nothing of two, nor of a gain that is always the same', () => {
    const theta = 0.01;
    const law = lawOf([
      [-1, 0.9999],
      [900, 0.0001],
    ]);
    expect(chosenNoise(law, 40, tilt(law, theta))!.loss).toBeGreaterThan(1);
    expect(chosenNoise(law, 2, tilt(law, theta))).toBeNull();
    expect(logMomentBound(law, 2, 0.1, theta)).toBe(Infinity);
    const same = lawOf([
      [1, 0.5],
      [1 + 1e-9, 0.5],
    ]);
    expect(chosenNoise(same, 1000, tilt(same, theta))).toBeNull();
  });
});

describe('a table of any resolution', () => {
  const [up, down, chance] = [1.5, -0.9, 0.35];
  const law = lawOf([
    [down, 1 - chance],
    [up, chance],
  ]);

  it.each([
    ['finest', FINEST, 400],
    ['fine', FINE, 400],
    ['fine', FINE, 6000],
    ['coarse', COARSE, 400],
    ['coarse', COARSE, 6000],
    ['sketchy', SKETCHY, 400],
    ['sketchy', SKETCHY, 6000],
    ['rough', ROUGH, 6000],
  ])('is a bound of the positive part of the sum at every tilt: %s', (_, resolution, count) => {
    let positive = 0;
    for (let i = 0; i <= count; i++)
      positive += binomialPmf(i, count, chance) * Math.max(0, i * (up - down) + count * down);
    const { theta } = saddlePoint(law, count)!;
    const moments = new MinimumMoments(law, count, theta, resolution);
    for (const factor of [0.03, 0.2, 0.51, 0.9, 1, 1.13, 1.9, 3.9, 4.1, 7, 30]) {
      const log = moments.logAt(factor * theta) - Math.log(2 * factor * theta);
      expect(log).toBeGreaterThan(Math.log(positive));
    }
  });
});

it('the table of normal tails is within a millionth', () => {
  for (let x = 0; x < 45; x += 0.0337) {
    const { log, slope } = scaledTail(x);
    const step = 1e-3;
    expect(Math.abs(log - mills(x))).toBeLessThan(1e-6);
    expect(Math.abs(slope - (mills(x + step) - mills(x - step)) / (2 * step))).toBeLessThan(1e-5);
  }
});

/** log of e^(x^2 / 2) Pr[Z > x] = log of the integral of e^(-xs - s^2 / 2) / sqrt(2 pi) over s > 0. */
function mills(x: number): number {
  const [last, steps] = [12, 6000];
  let sum = 0;
  for (let i = 0; i <= steps; i++) {
    const s = (last * i) / steps;
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-x * s - (s * s) / 2);
  }
  return Math.log((sum * last) / steps / 3 / Math.sqrt(2 * Math.PI));
}
