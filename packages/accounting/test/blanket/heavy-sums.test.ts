/** The parts that make sums with few deciding terms affordable: each against the plain way to do the same. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { interval } from '@shuffle-dp/core';
import { characteristicAt, CharacteristicWalk, STRIDE } from '../../src/blanket/characteristic-function.ts';
import { tilt } from '../../src/blanket/exponential-tilt.ts';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import { stretchEnd } from '../../src/blanket/negligible-stretch.ts';
import { blanketDivergence } from '../../src/blanket/privacy-blanket.ts';
import { decidingGains, withDecided } from '../../src/blanket/heavy-tails/deciding-gains.ts';
import { withoutRareGains } from '../../src/blanket/heavy-tails/rare-gains.ts';
import { uniform } from '../../../core/test/uniform.ts';

/** E (G_1 + … + G_n)_+ over all outcomes; G is 0 with what is left of 1. */
function exactPositiveSum({ values, probabilities }: LossLaw, count: number): number {
  const outcomes = [...values].map((value, i) => [value, probabilities[i]!] as const);
  const silent = 1 - probabilities.reduce((sum, mass) => sum + mass, 0);
  let sums: readonly (readonly [number, number])[] = [[0, 1]];
  for (let copy = 0; copy < count; copy++) {
    sums = sums.flatMap(([sum, mass]) =>
      [...outcomes, [0, silent] as const].map(([value, own]) => [sum + value, mass * own] as const),
    );
  }
  return sums.reduce((total, [sum, mass]) => total + mass * Math.max(0, sum), 0);
}

const law = fc
  .record({
    small: fc.array(uniform(-2, 1), { minLength: 2, maxLength: 3 }),
    large: fc.array(fc.double({ min: 1, max: 6, noNaN: true }), { minLength: 1, maxLength: 3 }),
    rare: fc.double({ min: 1e-6, max: 0.01, noNaN: true }),
  })
  .map(({ small, large, rare }): LossLaw => {
    const gains = large.map((exponent) => 10 ** exponent);
    const values = Float64Array.from([...small, ...gains].toSorted((a, b) => a - b));
    const probabilities = values.map((value) => (value > 1 ? rare : 0.8 / small.length));
    return { values, probabilities, magnitudes: values.map((value) => Math.abs(value)) };
  });

test('without rare gains: from above what is added makes up for them, from below their mean does', () => {
  let cut = 0;
  fc.assert(
    fc.property(
      law,
      fc.integer({ min: 2, max: 4 }),
      fc.constantFrom(1e-6, 0.01, 0.5),
      (given, count, tolerance) => {
        const exact = exactPositiveSum(given, count);
        const above = withoutRareGains(given, count, tolerance, 'dilation');
        const upper = exactPositiveSum(above.law, count) + count * above.added;
        expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
        expect(upper).toBeLessThanOrEqual(exact * (1 + 10 * tolerance) + 1e-12);
        const below = withoutRareGains(given, count, tolerance, 'contraction');
        expect(below.added).toBe(0);
        expect(exactPositiveSum(below.law, count)).toBeLessThanOrEqual(exact * (1 + 1e-12));
        if (above.added > 0) cut++;
      },
    ),
    { numRuns: 200, seed: 3 },
  );
  expect(cut).toBeGreaterThan(20);
});

test('gains that decide are known by their mean, and the rest by the sum of those that do not', () => {
  let split = 0;
  fc.assert(
    fc.property(law, fc.integer({ min: 2, max: 5 }), (given, count) => {
      const found = decidingGains(given, count, 1e-7);
      if (found === null) return;
      split++;
      const exact = exactPositiveSum(given, count) / count;
      const undecided = exactPositiveSum(found.law, count) / count;
      const { lower, upper } = withDecided(found, interval(undecided, undecided));
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-13));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-13));
      expect(upper).toBeLessThanOrEqual(lower * (1 + 2e-7));
      // No copy decides with this probability.
      const deciding = given.probabilities.subarray(found.law.values.length);
      const none = (1 - deciding.reduce((sum, mass) => sum + mass, 0)) ** count;
      expect(found.undecided.lower).toBeLessThanOrEqual(none * (1 + 1e-15));
      expect(found.undecided.upper).toBeGreaterThanOrEqual(none * (1 - 1e-15));
    }),
    { numRuns: 300, seed: 5 },
  );
  expect(split).toBeGreaterThan(100);
});

test('no gain decides where the others may lack as much', () => {
  const even = (values: readonly number[], probabilities: readonly number[]): LossLaw => ({
    values: Float64Array.from(values),
    probabilities: Float64Array.from(probabilities),
    magnitudes: Float64Array.from(values, Math.abs),
  });
  // Two losses outweigh the gain, and one that is rare does.
  expect(decidingGains(even([-1, 1.5], [0.5, 0.01]), 100, 1e-7)).toBeNull();
  expect(decidingGains(even([-1e6, -1, 1e3], [1e-4, 0.1, 1e-3]), 100, 1e-7)).toBeNull();
  expect(decidingGains(even([-1e6, -1, 1e3], [1e-14, 0.1, 1e-3]), 100, 1e-7)).not.toBeNull();
  // Of copies that all decide nothing is left, and no mean is known of gains that are not finite.
  expect(decidingGains(even([-1, 1e9], [1e-20, 1]), 100, 1e-2)).toBeNull();
  expect(decidingGains(even([-1, 1e9, Infinity], [0.5, 1e-6, 1e-310]), 100, 1e-7)).toBeNull();
  // Nothing is known of a sum without spread.
  expect(decidingGains(even([2], [0.5]), 10, 1e-7)).toBeNull();
});

test.each([
  [0.2, 1000, [0, 0.25, 0.25, 0.5, 0], [1e-20, 0.1, 0.05, 0.01, 0.84], [1e-20, 0.25, 0.25, 0.5, 0]],
  [0.2, 1000, [0.4, 0.5, 1e-6, 0.1], [0.5, 0.3, 0.2, 0], [0.4, 0.3, 0.2, 1e-310]],
])(
  'copies that all decide, and gains that leave the doubles, are told as before',
  (epsilon, users, ...columns) => {
    const [victim0, victim1, others] = columns.map((column) => Float64Array.from(column));
    const atoms = {
      label: 'few outputs',
      victim0: victim0!,
      victim1: victim1!,
      others: others!,
      symmetric: true,
    };
    const { lower, upper } = blanketDivergence(atoms, users, epsilon);
    const alone = victim0!.reduce((sum, p, y) => sum + Math.max(0, p - Math.exp(epsilon) * victim1![y]!), 0);
    expect(lower).toBeLessThanOrEqual(alone);
    expect(upper).toBeGreaterThanOrEqual(lower);
  },
);

test('a walk along the characteristic function meets its values, in steps and in jumps', () => {
  const values = Float64Array.from({ length: 300 }, (_, i) => (i - 120) * 1.7 ** (i / 30));
  const weights = values.map((_, i) => Math.exp(-i / 40) / 40);
  const step = 1e-4;
  const walk = new CharacteristicWalk(values, weights, step, 0);
  const [there, plain] = [new Float64Array(2), new Float64Array(4)];
  let k = 1;
  for (let turn = 0; turn < 400; turn++) {
    walk.at(k, there);
    characteristicAt(values, weights, k * step, plain);
    for (const part of [0, 1]) {
      const error = 8 * STRIDE * 2 ** -53 * (Math.abs(plain[part]!) + 1);
      expect(Math.abs(there[part]! - plain[part]!)).toBeLessThan(error);
    }
    k += turn % 7 === 0 ? 2 ** (turn % 5) : turn % 11 === 0 ? 3 : 1;
  }
});

test('a walk leaves out no more weight than it says', () => {
  const values = Float64Array.of(-1, 0.5, 3, 1e6);
  const weights = Float64Array.of(0.3, 0.6, 0.1, 1e-20);
  const walk = new CharacteristicWalk(values, weights, 0.01, 1e-15);
  expect(walk.leftOut).toBe(1e-20);
  expect(new CharacteristicWalk(values, weights, 0.01, 0).leftOut).toBe(0);
});

test('a stretch that is said to be negligible is so at every point, and is long where the modulus falls', () => {
  let longest = 0;
  let counted = 0;
  fc.assert(
    fc.property(law, fc.constantFrom(10, 1e3, 1e5), fc.boolean(), (given, count, isSmall) => {
      const kept = isSmall ? 4 : given.values.length;
      const part = {
        values: given.values.slice(0, kept),
        probabilities: given.probabilities.slice(0, kept),
        magnitudes: given.magnitudes.slice(0, kept),
      };
      const tilted = tilt(part, 0.3 / Math.max(1, part.values.at(-1)!));
      const spread = Math.sqrt(tilted.secondMoment - tilted.mean ** 2);
      const step = 0.7 / (Math.sqrt(count) * spread);
      const threshold = Math.exp(-30 / count);
      const point = new Float64Array(4);
      const modulus = (k: number): number => {
        characteristicAt(part.values, tilted.weights, k * step, point);
        return Math.hypot(1 + point[0]!, point[1]!);
      };
      const last = 3000;
      for (let from = 1; from <= last; from++) {
        if (modulus(from) >= threshold) continue;
        const [re, im, slopeRe, slopeIm] = point as unknown as [number, number, number, number];
        const end = stretchEnd({ re, im, slopeRe, slopeIm }, tilted, {
          from,
          step,
          last,
          threshold,
          uncertain: 1e-14,
        });
        expect(end).toBeGreaterThanOrEqual(from);
        expect(end).toBeLessThanOrEqual(last);
        for (let k = from; k <= end; k++) expect(modulus(k)).toBeLessThan(threshold);
        longest = Math.max(longest, (end - from) / from);
        from = end;
        counted++;
      }
    }),
    { numRuns: 40, seed: 5 },
  );
  expect(counted).toBeGreaterThan(100);
  expect(longest).toBeGreaterThan(1);
});

/** Values -s, s, st and 20 st, and copies without: E (S)_+ / n over all counts of each. */
function exactOfFour(scale: number, ratio: number, masses: readonly number[], count: number): number {
  const values = [-scale, scale, scale * ratio, 20 * scale * ratio];
  const silent = 1 - masses.reduce((sum, mass) => sum + mass, 0);
  const logFactorials = [0];
  for (let i = 1; i <= count; i++) logFactorials.push(logFactorials[i - 1]! + Math.log(i));
  let total = 0;
  const place = (kind: number, left: number, sum: number, log: number): void => {
    if (kind === 4) {
      if (sum > 0) total += sum * Math.exp(log + left * Math.log(silent) - logFactorials[left]!);
      return;
    }
    // Of the rare ones five at once are less than any digit here.
    const most = kind >= 2 ? Math.min(left, 4) : left;
    for (let times = 0; times <= most; times++) {
      const added = times * Math.log(masses[kind]!) - logFactorials[times]!;
      place(kind + 1, left - times, sum + times * values[kind]!, log + added);
    }
  };
  place(0, count, 0, logFactorials[count]!);
  return total / count;
}

test.each([1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10])(
  'a gain that is %d times the others decides, whatever is beside it',
  (ratio) => {
    const [scale, count] = [1e-7, 100];
    const masses = [0.3, 0.3, 1e-7, 1e-8];
    const atoms = {
      label: 'four outputs',
      victim0: Float64Array.of(0, 0.3 * scale, 1e-7 * scale * ratio, 2e-7 * scale * ratio),
      victim1: Float64Array.of(0.3 * scale, 0, 0, 0),
      others: Float64Array.from(masses),
      symmetric: true,
    };
    const exact = exactOfFour(scale, ratio, masses, count);
    const { lower, upper } = blanketDivergence(atoms, count, 0);
    expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-11));
    expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-11));
    expect(upper).toBeLessThan(lower * (1 + 3e-5));
  },
);

test('both ends at once are those asked for alone', () => {
  const few = fc.array(uniform(0.01, 1), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(
      few,
      few,
      fc.array(uniform(-9, -3), { minLength: 1, maxLength: 3 }),
      uniform(0, 6),
      (against, towards, rare, far) => {
        const kinds = against.length + towards.length + rare.length;
        const others = Float64Array.from([...against, ...towards].map((mass) => mass / kinds));
        const masses = Float64Array.from([...others, ...rare.map((exponent) => 10 ** exponent)]);
        const losing = masses.map((mass, i) => (i < against.length ? 1e-7 * mass : 0));
        const gaining = masses.map((mass, i) => {
          if (i < against.length) return 0;
          return 1e-7 * mass * (i < others.length ? 1 : 10 ** far * (i + 1));
        });
        const atoms = {
          label: 'few outputs',
          victim0: gaining,
          victim1: losing,
          others: masses,
          symmetric: true,
        };
        for (const users of [60, 3000]) {
          const both = blanketDivergence(atoms, users, 0);
          const below = blanketDivergence(atoms, users, 0, { ends: 'lower' });
          const above = blanketDivergence(atoms, users, 0, { ends: 'upper' });
          expect(both.upper).toBe(above.upper);
          expect(both.lower).toBeGreaterThanOrEqual(below.lower * (1 - 2e-5));
        }
      },
    ),
    { numRuns: 100, seed: 7 },
  );
});
