import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blanketDivergence } from '@shuffle-dp/accounting';
import {
  logFactorial,
  logSumExp,
  normalPdf,
  normalTail,
  ParameterError,
  relativeWidth,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import { atomsOf } from '../atoms/atom-rows.ts';
import { randomizedResponseAtoms } from '../atoms/generalized-randomized-response.ts';
import { laplaceAtoms } from '../atoms/laplace.ts';
import { randomizedResponseSum } from '../oracle/randomized-response-sum.ts';
import { uniform } from '../../../core/test/uniform.ts';

/** log of F1 by summing over all counts of at most two atoms and nothing, in logarithms. */
function logByEnumeration(atoms: LikelihoodAtoms, users: number, epsilon: number): number {
  const expEpsilon = Math.exp(epsilon);
  const [w0, w1] = [atoms.others[0]!, atoms.others[1]!];
  const g0 = (atoms.victim0[0]! - expEpsilon * atoms.victim1[0]!) / w0;
  const g1 = (atoms.victim0[1]! - expEpsilon * atoms.victim1[1]!) / w1;
  const logRest = Math.log1p(-w0 - w1);
  const terms: number[] = [];
  for (let a = 0; a <= users; a++) {
    for (let b = 0; a + b <= users; b++) {
      const value = a * g0 + b * g1;
      if (value <= 0) continue;
      const rest = users - a - b;
      terms.push(
        logFactorial(users) - logFactorial(a) - logFactorial(b) - logFactorial(rest) + a * Math.log(w0),
      );
      terms[terms.length - 1]! += b * Math.log(w1) + rest * logRest + Math.log(value);
    }
  }
  return logSumExp(terms) - Math.log(users);
}

describe('the value of F1 lies between both ends', () => {
  test.each([
    [1, 3, 200, 0.4],
    [1, 16, 1000, 0.06],
    [2, 4, 500, 0],
    [3, 16, 1000, 0.6],
    [3, 16, 10_000, 0.1714568],
    [4, 3, 300, 2],
  ])('epsilon0 = %d, %d values, %d users, epsilon = %d', (epsilon0, domain, users, epsilon) => {
    const exact = randomizedResponseSum(domain, epsilon0, users, epsilon);
    const atoms = randomizedResponseAtoms(domain, epsilon0, 'blanket');
    const { lower, upper } = blanketDivergence(atoms, users, epsilon);
    // The sum's own rounding is 1e-11.
    expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-11));
    expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-11));
    expect(upper - lower).toBeLessThan(2e-4 * upper);
    const fine = blanketDivergence(atoms, users, epsilon, { relativeGap: 1e-8 });
    expect(fine.lower).toBeLessThanOrEqual(exact * (1 + 1e-11));
    expect(fine.upper).toBeGreaterThanOrEqual(exact * (1 - 1e-11));
    expect(fine.upper - fine.lower).toBeLessThan(1e-5 * fine.upper);
  });

  test('down to 1e-185, where a difference of distribution functions would be all rounding', () => {
    const atoms = randomizedResponseAtoms(2, 1, 'blanket');
    for (const [users, epsilon, exponent] of [
      [400, 0.3, -7],
      [400, 0.7, -29],
      [1500, 0.9, -163],
      [1500, 0.97, -185],
    ] as const) {
      const exact = logByEnumeration(atoms, users, epsilon);
      expect(exact / Math.LN10).toBeLessThan(exponent);
      const { lower, upper } = blanketDivergence(atoms, users, epsilon);
      expect(Math.log(lower)).toBeLessThanOrEqual(exact + 1e-10);
      expect(Math.log(upper)).toBeGreaterThanOrEqual(exact - 1e-10);
      expect(relativeWidth({ lower, upper })).toBeLessThan(1e-3);
    }
  });

  const mass = fc.double({ min: 0.02, max: 1, noNaN: true });
  test('random atoms of few users and values: enumeration and integral agree', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(mass, mass, mass), { minLength: 2, maxLength: 2 }),
        fc.double({ min: 0.2, max: 0.95, noNaN: true }),
        uniform(0, 1.5),
        (rows, covered, epsilon) => {
          const total = (i: number): number => rows.reduce((sum, row) => sum + row[i]!, 0);
          const atoms = atomsOf(
            'random',
            rows.map(([p, q, w]) => [p / total(0), q / total(1), (covered * w) / total(2)] as const),
          );
          const expEpsilon = Math.exp(epsilon);
          if (!rows.some((_, y) => atoms.victim0[y]! > expEpsilon * atoms.victim1[y]!)) return;
          const exact = Math.exp(logByEnumeration(atoms, 350, epsilon));
          const { lower, upper } = blanketDivergence(atoms, 350, epsilon);
          expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-9));
          expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
        },
      ),
      { seed: 11, numRuns: 25 },
    );
  });
});

test('the width stays at 1e-5 from 1e4 to 1e12 users, and the value tends to the Gaussian curve', () => {
  const epsilon0 = 1;
  const domain = 16;
  const p = Math.exp(epsilon0);
  // Formula F4: mu = sqrt(V / n) with V = sum (P-Q)^2 / W.
  const v = (2 * (p - 1) * (p - 1)) / (p + domain - 1);
  for (const [users, tolerance] of [
    [1e4, 0.3],
    [1e6, 0.03],
    [1e8, 3e-3],
    [1e10, 4e-4],
    [1e12, 1e-4],
  ] as const) {
    const mu = Math.sqrt(v / users);
    for (const t of [0, 1, 4]) {
      const bracket = blanketDivergence(randomizedResponseAtoms(domain, epsilon0, 'blanket'), users, t * mu);
      // At epsilon = 0 the sum may be 0 itself, where smoothing costs most.
      expect(relativeWidth(bracket)).toBeLessThan(t === 0 ? 3e-5 : 1.2e-5);
      const gaussian = mu * (normalPdf(t) - t * normalTail(t));
      expect(Math.abs(bracket.upper / gaussian - 1)).toBeLessThan(tolerance);
    }
  }
});

test('cells of continuous outputs: finer cells give a narrower bracket inside the wider', () => {
  for (const users of [50, 1000, 100_000]) {
    const epsilon = users === 50 ? 0.6 : users === 1000 ? 0.15 : 0.01;
    const coarse = blanketDivergence(laplaceAtoms(1, 'blanket', 100), users, epsilon);
    const fine = blanketDivergence(laplaceAtoms(1, 'blanket', 1000), users, epsilon);
    expect(relativeWidth(coarse)).toBeLessThan(5e-3);
    expect(relativeWidth(fine)).toBeLessThan(1e-3);
    // Both hold the value of the uncut outputs.
    expect(Math.max(coarse.lower, fine.lower)).toBeLessThanOrEqual(Math.min(coarse.upper, fine.upper));
  }
});

test('properties: falls with users and epsilon, and never exceeds the local divergence', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.double({ min: 0.1, max: 5, noNaN: true }),
      fc.integer({ min: 1, max: 5000 }),
      uniform(0, 0.999),
      (domain, epsilon0, users, share) => {
        const atoms = randomizedResponseAtoms(domain, epsilon0, 'blanket');
        const epsilon = share * epsilon0;
        const here = blanketDivergence(atoms, users, epsilon);
        const p = Math.exp(epsilon0);
        const local = (p - Math.exp(epsilon)) / (p + domain - 1);
        expect(here.upper).toBeLessThanOrEqual(local * (1 + 1e-12));
        expect(blanketDivergence(atoms, users + 1, epsilon).lower).toBeLessThanOrEqual(
          here.upper * (1 + 1e-12),
        );
        expect(blanketDivergence(atoms, users, epsilon * 1.01).lower).toBeLessThanOrEqual(
          here.upper * (1 + 1e-12),
        );
      },
    ),
    { seed: 3, numRuns: 60 },
  );
});

test('infinite ratios: what nobody else shows is charged in full', () => {
  const clear = atomsOf('in the clear', [
    [0.3, 0, 0],
    [0, 0.3, 0],
    [0.7, 0.7, 1],
  ]);
  for (const users of [1, 50, 1e6]) {
    const { lower, upper } = blanketDivergence(clear, users, 1);
    expect(lower).toBeCloseTo(0.3, 12);
    expect(upper).toBeCloseTo(0.3, 12);
  }
});

test('what is out of range is refused', () => {
  const atoms = randomizedResponseAtoms(4, 1, 'blanket');
  expect(() => blanketDivergence(atoms, 0, 1)).toThrow(ParameterError);
  expect(() => blanketDivergence(atoms, 10, -1)).toThrow('epsilon = -1: must be');
  expect(() => blanketDivergence(atoms, 10, 1, { relativeGap: 0 })).toThrow('relativeGap = 0: must be');
});
