/**
 * Sums of few copies where what the masses leave of 1 is as small as their rounding, and where single gains
 * decide. Masses are whole multiples of 2^-52 and values integers, so that sums of either are exact and the
 * truth is a sum of positive terms.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blanketDivergence } from '@shuffle-dp/accounting';
import { expectedPositiveSum } from '../../src/blanket/expected-positive-sum.ts';
import { silentMass, type LossLaw } from '../../src/blanket/loss-law.ts';

const QUANTUM = 2 ** -52;

/** E (G_1 + … + G_n)_+ over all sequences of outcomes. */
function positiveSum({ values, probabilities }: LossLaw, silent: number, count: number): number {
  const outcomes = [...values].map((value, i) => [value, probabilities[i]!] as const);
  const walk = (left: number, sum: number, mass: number): number =>
    left === 0
      ? mass * Math.max(0, sum)
      : [...outcomes, [0, silent] as const].reduce(
          (total, [value, own]) => (own > 0 ? total + walk(left - 1, sum + value, mass * own) : total),
          0,
        );
  return walk(count, 0, 1);
}

const quanta = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 2 ** 20 }),
  fc.integer({ min: 0, max: 2 ** 48 }),
);
const gain = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1e12 }));

/** One value has all the mass that the others and the silence leave. */
const law = fc
  .record({
    gains: fc.array(fc.tuple(gain, quanta), { minLength: 1, maxLength: 2 }),
    losses: fc.array(fc.tuple(gain, quanta), { maxLength: 1 }),
    main: fc.tuple(gain, fc.constantFrom(-1, -1, -1, 1)),
    silent: quanta,
  })
  .map(({ gains, losses, main: [size, sign], silent }) => {
    const rows = [...gains, ...losses.map(([value, mass]) => [-value, mass] as const)];
    const others = rows.reduce((sum, [, mass]) => sum + mass, silent);
    const atoms = new Map<number, number>();
    for (const [value, mass] of [...rows, [sign * size, 2 ** 52 - others] as const])
      atoms.set(value, (atoms.get(value) ?? 0) + mass);
    const sorted = [...atoms].filter(([, mass]) => mass > 0).toSorted(([a], [b]) => a - b);
    const values = Float64Array.from(sorted, ([value]) => value);
    const probabilities = Float64Array.from(sorted, ([, mass]) => mass * QUANTUM);
    return { law: { values, probabilities, magnitudes: values.map(Math.abs) }, silent: silent * QUANTUM };
  });

test.each([
  ['listed', 1e-5],
  ['by single gains', 1],
])('E (S)_+ is inside its bracket, %s', (_, relativeGap) => {
  let positive = 0;
  fc.assert(
    fc.property(law, fc.integer({ min: 1, max: 5 }), (given, count) => {
      const exact = positiveSum(given.law, given.silent, count);
      for (const known of [{}, { silent: given.silent }]) {
        const { logScale, bracket } = expectedPositiveSum(
          { ...given.law, ...known },
          count,
          relativeGap,
          'dilation',
        );
        const scale = Math.exp(logScale);
        expect(bracket.lower * scale).toBeLessThanOrEqual(exact * (1 + 1e-14));
        expect(bracket.upper * scale).toBeGreaterThanOrEqual(exact * (1 - 1e-14));
      }
      if (exact > 0) positive++;
    }),
    { numRuns: 1000, seed: 7 },
  );
  expect(positive).toBeGreaterThan(500);
});

test('a rare gain that is seen beside silence alone is worth that silence', () => {
  const [rare, silent] = [2 ** -70, 2 ** -52];
  // Two copies, of which one gains 1 and the other is 0, or both gain.
  const exact = 2 * rare * silent + 2 * rare * rare;
  const given: LossLaw = {
    values: Float64Array.of(-2, 1),
    probabilities: Float64Array.of(1 - silent, rare),
    magnitudes: Float64Array.of(2, 1),
  };
  const unknown = expectedPositiveSum(given, 2, 1e-5, 'dilation').bracket;
  expect(unknown.upper).toBeGreaterThanOrEqual(exact);
  expect(unknown.lower).toBeLessThanOrEqual(exact);
  const known = expectedPositiveSum({ ...given, silent }, 2, 1e-5, 'dilation').bracket;
  expect(known.upper / exact - 1).toBeGreaterThanOrEqual(0);
  expect(known.upper / known.lower - 1).toBeLessThan(1e-11);
});

test('the silent mass of unknown digits is what the others leave, to their rounding', () => {
  const values = Float64Array.of(-1, 1);
  const of = (...masses: number[]) =>
    silentMass({ values, magnitudes: values, probabilities: Float64Array.from(masses) });
  const whole = of(0.5, 0.5);
  expect(whole.lower).toBe(0);
  expect(whole.upper).toBeGreaterThan(1e-16);
  expect(whole.upper).toBeLessThan(1e-14);
  const { lower, upper } = of(0.25, 0.25);
  expect(lower).toBeLessThan(0.5);
  expect(upper).toBeGreaterThan(0.5);
  expect(upper - lower).toBeLessThan(1e-14);
});

test('a divergence whose every term underflows is not said to be 0', () => {
  const atoms = {
    label: 'rare outputs of a whole law',
    victim0: Float64Array.of(1, 0, 0),
    victim1: Float64Array.of(0, 0, 1),
    others: Float64Array.of(1e-130, 0, 1),
    // One order is asked for: in the other the divergence is nearly 1.
    symmetric: true,
  };
  // Positive where three of the four show the rare output, with probability 4e-390 and a sum of 1.2e130.
  const { lower, upper } = blanketDivergence({ ...atoms, silent: 0 }, 4, 299.9);
  expect(lower).toBeLessThan(1e-255);
  expect(upper).toBeGreaterThan(1e-261);
});
