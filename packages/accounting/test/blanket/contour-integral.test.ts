/** The integral for losses of any size, against sums in rationals and the law in other units. */
import { describe, expect, test } from 'vitest';
import { contourIntegral } from '../../src/blanket/contour-integral.ts';
import { saddlePoint } from '../../src/blanket/exponential-tilt.ts';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import { stretchEnd } from '../../src/blanket/negligible-stretch.ts';
import type { Interval } from '@shuffle-dp/core';

/** Rare gains of 2^exponent, and a loss of 1 otherwise. */
function rareGains(exponent: number): LossLaw {
  const gain = 2 ** exponent;
  return {
    values: Float64Array.of(-1, gain),
    probabilities: Float64Array.of(1 - 2 ** -(exponent + 8), 2 ** -(exponent + 8)),
    magnitudes: Float64Array.of(1, gain),
    silent: 0,
  };
}

/** E (S)_+ of it, in rationals. */
function exactRareGains(exponent: number, count: number): number {
  const denominator = 1n << BigInt(exponent + 8);
  let ways = 1n;
  let sum = 0n;
  for (let gains = 0; gains <= count; gains++) {
    const value = BigInt(gains) * (1n << BigInt(exponent)) - BigInt(count - gains);
    if (value > 0n) sum += ways * value * (denominator - 1n) ** BigInt(count - gains);
    ways = (ways * BigInt(count - gains)) / BigInt(gains + 1);
  }
  const all = denominator ** BigInt(count);
  return Number((sum * (1n << 80n)) / all) / 2 ** 80;
}

function bracketOf(law: LossLaw, count: number, gap: number): Interval | null {
  const integral = contourIntegral(law, count, saddlePoint(law, count)!, gap);
  if (integral === null || 'reach' in integral) return null;
  const scale = Math.exp(integral.logScale);
  return { lower: scale * integral.bracket.lower, upper: scale * integral.bracket.upper };
}

function times(law: LossLaw, factor: number): LossLaw {
  return {
    ...law,
    values: law.values.map((value) => value * factor),
    magnitudes: law.magnitudes.map((magnitude) => magnitude * factor),
  };
}

describe('the integral', () => {
  test.each([4, 40, 200, 262, 268, 272, 300])('of gains of 2^%i holds the exact value', (exponent) => {
    const exact = exactRareGains(exponent, 100);
    const bracket = bracketOf(rareGains(exponent), 100, 0.1);
    expect(bracket).not.toBeNull();
    expect(bracket!.lower).toBeLessThanOrEqual(exact);
    expect(bracket!.upper).toBeGreaterThanOrEqual(exact);
  });

  test.each([-500, -270, 250, 262, 266, 270, 400])('scales with losses in units of 2^%i', (exponent) => {
    const law: LossLaw = {
      values: Float64Array.of(-2, -0.7, 0.3, 1.9),
      probabilities: Float64Array.of(0.2, 0.5, 0.2, 0.1),
      magnitudes: Float64Array.of(2, 0.7, 0.3, 1.9),
      silent: 0,
    };
    const plain = bracketOf(law, 1000, 1e-5)!;
    const scaled = bracketOf(times(law, 2 ** exponent), 1000, 1e-5)!;
    expect(plain.upper / plain.lower).toBeLessThan(1 + 1e-4);
    expect(scaled.upper / 2 ** exponent / plain.upper).toBeCloseTo(1, 10);
    expect(scaled.lower / 2 ** exponent / plain.lower).toBeCloseTo(1, 10);
  });

  // Values are known to 4 roundoffs of their magnitude: each may be off to either side.
  test.each([
    [1e7, 1e-8],
    [1e9, 1e-6],
  ])('holds whatever the values are, of magnitude %d', (magnitude, gap) => {
    const off = 4 * 2 ** -53 * magnitude;
    const vague = { ...twoValues(-1, 1), magnitudes: Float64Array.of(magnitude, magnitude) };
    const bracket = bracketOf(vague, 1000, gap)!;
    for (const down of [-off, off]) {
      for (const up of [-off, off]) {
        const truth = exactTwoValues(-1 + down, 1 + up, 1000);
        expect(bracket.lower).toBeLessThanOrEqual(truth);
        expect(bracket.upper).toBeGreaterThanOrEqual(truth);
      }
    }
    expect(bracket.upper).toBeLessThan(bracket.lower * (1 + 1e5 * off));
  });

  test('says no more where values are known to few digits, of which far points know nothing', () => {
    const bracket = bracketOf({ ...twoValues(-1, 1), magnitudes: Float64Array.of(1e13, 1e13) }, 1000, 1e-3);
    const off = 4 * 2 ** -53 * 1e13;
    expect(bracket!.lower).toBeLessThanOrEqual(exactTwoValues(-1 - off, 1 - off, 1000));
    expect(bracket!.upper).toBeGreaterThanOrEqual(exactTwoValues(-1 + off, 1 + off, 1000));
  });
});

/** A loss with probability 0.6 and a gain with 0.4. */
function twoValues(loss: number, gain: number): LossLaw {
  return {
    values: Float64Array.of(loss, gain),
    probabilities: Float64Array.of(0.6, 0.4),
    magnitudes: Float64Array.of(1, 1),
    silent: 0,
  };
}

/** E (S)_+ of it, in integers: values to the last bit of a double near 1, probabilities of tenths. */
function exactTwoValues(loss: number, gain: number, count: number): number {
  const unit = 2 ** 60;
  const [down, up] = [BigInt(loss * unit), BigInt(gain * unit)];
  let [ways, sum] = [1n, 0n];
  for (let gains = 0; gains <= count; gains++) {
    const value = BigInt(gains) * up + BigInt(count - gains) * down;
    if (value > 0n) sum += ways * value * 2n ** BigInt(gains) * 3n ** BigInt(count - gains);
    ways = (ways * BigInt(count - gains)) / BigInt(gains + 1);
  }
  return Number((sum << 60n) / 5n ** BigInt(count)) / unit / unit;
}

test('a stretch goes no further than the values of the losses are known', () => {
  const point = { re: -1, im: 0, slopeRe: 0, slopeIm: 0 };
  const tilted = { mean: 0, secondMoment: 1, magnitude: 1 };
  const stretch = { from: 10, step: 1e-3, last: 1e6, threshold: 0.9, uncertain: 0 };
  const end = stretchEnd(point, tilted, stretch);
  expect(end).toBeGreaterThan(1000);
  expect(stretchEnd(point, tilted, { ...stretch, uncertain: 0.5 })).toBeLessThan(end);
  expect(stretchEnd(point, tilted, { ...stretch, uncertain: 1 })).toBe(10);
  expect(stretchEnd(point, { ...tilted, magnitude: 1e16 }, stretch)).toBeLessThan(end);
});
