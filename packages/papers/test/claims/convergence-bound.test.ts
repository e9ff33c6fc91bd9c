/** Lemmas 7 and 8 of APES against losses whose rounds are computed here. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLAIMS } from '@shuffle-dp/papers/claims';
import { FIGURES } from '@shuffle-dp/papers/figures';
import {
  gapBounds,
  gradientStepGaps,
  printedPerturbation,
  singleRound,
  type LossConstants,
} from '../../src/apes/convergence-bound.ts';
import { uniform } from '../../../core/test/uniform.ts';

const unit = fc.double({ min: 0.05, max: 1, noNaN: true });
const place = uniform(-1, 1);

describe('Lemma 7 with the factor of its proof', () => {
  // Users of the losses a (w - c)^2 / 2, whose steps miss the minimum of h_i by up to what alpha allows, on
  // either side.
  it('bounds what a round changes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ a: unit, c: place, miss: place }), { minLength: 1, maxLength: 5 }),
        place,
        place,
        fc.double({ min: 0.1, max: 8, noNaN: true }),
        uniform(0, 1),
        (users, w, eta, proximal, inexactness) => {
          const mean = (of: (user: (typeof users)[number]) => number): number =>
            users.reduce((sum, user) => sum + of(user), 0) / users.length;
          const loss = (at: number): number => mean(({ a, c }) => (a * (at - c) ** 2) / 2);
          const gradient = mean(({ a, c }) => a * (w - c));
          if (Math.abs(gradient) < 1e-3) return;
          const constants: LossConstants = {
            smoothness: 1,
            polyakLojasiewicz: 1,
            lipschitz: 1,
            dissimilarity: Math.sqrt(mean(({ a, c }) => (a * (w - c)) ** 2)) / Math.abs(gradient),
            proximal,
            convexity: proximal + Math.min(...users.map(({ a }) => a)),
            inexactness,
          };
          const next = mean(({ a, c, miss }) => {
            const least = (a * c + proximal * w) / (a + proximal);
            return least + (miss * inexactness * Math.abs(a * (w - c))) / (a + proximal);
          });
          const [first, second, third] = singleRound(constants, 'proved');
          const bound = first * gradient ** 2 + second * Math.abs(gradient * eta) + third * eta ** 2;
          expect(loss(next + eta) - loss(w)).toBeLessThanOrEqual(bound + 1e-9);
        },
      ),
      { seed: 20, numRuns: 2000 },
    );
  });

  it('is more than is printed where mu is above 1', () => {
    const constants = {
      smoothness: 1,
      polyakLojasiewicz: 1,
      lipschitz: 1,
      dissimilarity: 1,
      proximal: 3,
      convexity: 4,
      inexactness: 0,
    };
    expect(singleRound(constants, 'printed')).toEqual([
      expect.closeTo(-1 / 3 + 1 / 12 + 1 / 32, 12),
      expect.closeTo(1 / 3 + 1 / 4, 12),
      0.5,
    ]);
    expect(singleRound(constants, 'proved')[1]).toBeCloseTo(1.25, 12);
    // By hand: a_1 = 1 - 2/3 + 1/6 + 1/8.
    expect(gapBounds(constants, 'printed', { norm: 0, square: 0 }, 1, 2)).toEqual([
      1,
      expect.closeTo(0.625, 12),
      expect.closeTo(0.390625, 12),
    ]);
    expect(() =>
      gapBounds({ ...constants, inexactness: 1 }, 'printed', { norm: 0, square: 0 }, 1, 1),
    ).toThrow(RangeError);
  });
});

describe('the claim on Lemma 8', () => {
  it('rests on a loss that stays where it is', async () => {
    const claim = CLAIMS.find(({ id }) => id === 'apes.convergence')!;
    const { verdict, evidence } = await claim.measure(undefined as never);
    expect(verdict).toBe('refuted');
    // w = 1, an exact step to 3/4, a push of 1/4: 1/2 for ever.
    for (const [round, gap, printed, proved] of evidence.rows.slice(1) as number[][]) {
      expect(gap, `round ${round}`).toBe(0.5);
      expect(printed!).toBeLessThan(0.49);
      expect(proved!).toBeGreaterThan(0.5);
    }
    expect(evidence.rows[1]![2]).toBeCloseTo(0.3125 + 7 / 48 + 1 / 32, 5);
  });
});

describe('gradient steps', () => {
  it('stay below their bound whatever the errors', () => {
    fc.assert(
      fc.property(unit, unit, fc.array(place, { minLength: 1, maxLength: 20 }), (curvature, step, errors) => {
        const gaps = gradientStepGaps(
          curvature,
          step,
          Math.max(...errors.map((e) => e * e)),
          curvature / 2,
          20,
        );
        let w = 1;
        errors.forEach((error, i) => {
          w -= step * (curvature * w + error);
          expect((curvature * w * w) / 2).toBeLessThanOrEqual(gaps[i + 1]! + 1e-12);
        });
      }),
      { seed: 21, numRuns: 300 },
    );
  });
});

describe('the figure of Theorem 2', () => {
  it('draws measured gaps below both bounds', async () => {
    const figure = FIGURES.find(({ id }) => id === 'apes.convergence')!;
    const { charts } = await figure.make({ quick: true, folder: '', report: () => {} });
    for (const { series } of charts[0]!.chart.panels) {
      const [measured, ...bounds] = series.map(({ points }) => points.map(({ y }) => y!));
      expect(measured![40]!).toBeLessThan(measured![0]! / 10);
      for (const bound of bounds) measured!.forEach((gap, i) => expect(gap).toBeLessThanOrEqual(bound[i]!));
    }
  });

  it('has the noise of Equation (28)', () => {
    // By series at a small budget b: -8/b + 8/b^2 - 8/b + 24/b^2.
    expect(printedPerturbation(1e-4, 2).square / (4 * (32e8 - 16e4))).toBeCloseTo(1, 6);
    expect(printedPerturbation(0.05, 1).norm ** 2).toBeCloseTo(12_487, -1);
  });
});
