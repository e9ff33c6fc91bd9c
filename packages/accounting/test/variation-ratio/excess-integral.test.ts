import { describe, expect, it } from 'vitest';
import { divergenceProblem, tellingCells } from '../../src/variation-ratio/variation-ratio-asymmetric.ts';
import type { ExcessProblem } from '../../src/variation-ratio/dominating-window.ts';
import { expectedExcess } from '../../src/variation-ratio/expected-excess.ts';
import { integratedExcess, widelyIntegratedExcess } from '../../src/variation-ratio/excess-integral.ts';
import {
  variationRatioDivergence,
  variationRatioEpsilon,
} from '../../src/variation-ratio/variation-ratio.ts';

describe('the integral in place of a sum of millions of terms', () => {
  it.each([
    // Log of the ratio, share of the largest beta, the two ratios to the others in units of p, users,
    // deviations of epsilon.
    [0.43, 1, 1, 1, 1e8, 1],
    [0.43, 1, 1.5, 1.5, 1e9, 37],
    [0.43, 1, 1, 3, 1e8, 8],
    [3, 0.2, 1, 1, 1e9, 20],
    [3, 0.2, 4, 0.5, 1e8, 5],
    [1e-3, 1, 1, 1, 1e9, 5],
  ])('log p %d, beta %d, q %d and %d, %d users, %d deviations', (log, share, q0, q1, users, deviations) => {
    const p = Math.exp(log);
    const beta = (share * Math.expm1(log)) / (p + 1);
    const cells = tellingCells({ p, beta, q0: p * q0, q1: p * q1, pMinusOne: Math.expm1(log) });
    // About the deviation of the loss.
    const deviation = Math.sqrt((cells.high - cells.low) ** 2 / cells.others0 / users);
    const { excess } = divergenceProblem(cells, users, deviations * deviation)!;
    const sum = expectedExcess(excess)!;
    const integral = integratedExcess(excess)!;
    const scale = Math.exp(sum.logScale - integral.logScale);
    expect(integral.lower).toBeLessThanOrEqual((sum.value + sum.error + sum.truncated) * scale);
    expect(integral.upper).toBeGreaterThanOrEqual((sum.value - sum.error) * scale);
    expect(integral.upper).toBeLessThan(integral.lower * (1 + 2e-6));
  });

  it('serves a million million users, and agrees with the same variance of fewer', () => {
    // Of 10^12 users so few show a telling cell that it is the same as 10^10 users of whom a hundred times as
    // many do.
    const p = Math.exp(1);
    const pair = (q: number): { p: number; beta: number; q: number } => ({ p, beta: (p - 1) / (p + 1), q });
    const many = variationRatioEpsilon(pair(1e4), 1e12, 1e-9, 'coarse');
    const fewer = variationRatioEpsilon(pair(100), 1e10, 1e-9);
    expect(many.upper / fewer.upper).toBeCloseTo(1, 4);
    expect(many.upper / many.lower - 1).toBeLessThan(1e-6);
  });

  it('leaves to the sum what is near the end of all loss', () => {
    const p = Math.exp(0.5);
    const cells = tellingCells({ p, beta: (p - 1) / (p + 1), q0: p, q1: p });
    const { excess } = divergenceProblem(cells, 100, 0.5 * (1 - 1e-15))!;
    expect(integratedExcess(excess)).toBeNull();
    const pair = { p, beta: (p - 1) / (p + 1), q: p };
    expect(variationRatioDivergence(pair, 1e12, 0.4, 'coarse').upper).toBeLessThan(1e-300);
  });

  it.each([
    [20, 0.3, 0.1, 0.05, 0.02],
    [40, 0.05, 0.25, 0.02, 0.01],
    [60, 0.02, 0.02, 0.1, 0.001],
    [60, 0.45, 0.5, 0.01, 0.3],
  ])('of %d users is the sum over all counts, listed', (users, cell0, cell1, dTelling, dOther) => {
    const other = 1 - cell0 - cell1;
    const gapTelling = cell1 / (cell0 + cell1) - dTelling;
    const problem = { users, cell0, cell1, other, dTelling, dOther, gapTelling };
    const exact = { dConstant: 0, gapError: 2 ** -53, otherError: 2 ** -53 };
    const integral = integratedExcess({ ...problem, ...exact })!;
    const values = [gapTelling, gapTelling - 1, -dOther] as const;
    let expected = 0;
    let first = other ** users;
    for (let i = 0; i <= users; i++) {
      let probability = first;
      for (let j = 0; i + j <= users; j++) {
        const sum = i * values[0] + j * values[1] + (users - i - j) * values[2];
        expected += probability * Math.max(0, sum);
        probability *= ((users - i - j) * cell1) / ((j + 1) * other);
      }
      first *= ((users - i) * cell0) / ((i + 1) * other);
    }
    const scale = Math.exp(integral.logScale);
    expect(integral.lower * scale).toBeLessThanOrEqual(expected * (1 + 1e-11));
    expect(integral.upper * scale).toBeGreaterThanOrEqual(expected * (1 - 1e-11));
    expect(integral.upper).toBeLessThan(integral.lower * (1 + 1e-5));
    const wide = widelyIntegratedExcess({ ...problem, ...exact })!;
    expect(wide.lower * Math.exp(wide.logScale)).toBeLessThanOrEqual(expected * (1 + 1e-11));
    expect(wide.upper * Math.exp(wide.logScale)).toBeGreaterThanOrEqual(expected * (1 - 1e-11));
    expect(wide.upper).toBeLessThan(1.001 * wide.lower);
    // The contributions have no place for a constant: it is the sum's affair.
    expect(integratedExcess({ ...problem, ...exact, dConstant: 0.01 })).toBeNull();
  });

  /**
   * Of so many users who nearly all show the first cell or the rest: the sum begins anew at every number of
   * them.
   */
  const rarely = (users: number): ExcessProblem => {
    const [cell0, cell1] = [0.25581395427854403, 1211.280974196244 / users];
    const dTelling = 1134.2983591184724 / users;
    const gapTelling = cell1 / (cell0 + cell1) - dTelling;
    const other = 1 - cell0 - cell1;
    const errors = { gapError: 2 ** -53, otherError: 2 ** -53 };
    return { users, cell0, cell1, other, dTelling, dOther: dTelling, gapTelling, dConstant: 0, ...errors };
  };

  it('tells a digit where rounding leaves no more, and the sum takes a minute', () => {
    const fewer = rarely(1e7);
    const sum = expectedExcess(fewer)!;
    const wide = widelyIntegratedExcess(fewer)!;
    const scale = Math.exp(sum.logScale - wide.logScale);
    expect(wide.lower).toBeLessThanOrEqual((sum.value + sum.error + sum.truncated) * scale);
    expect(wide.upper).toBeGreaterThanOrEqual((sum.value - sum.error) * scale);
    const many = rarely(1e12);
    expect(integratedExcess(many)).toBeNull();
    const { logScale, value, error } = expectedExcess(many, 'coarse')!;
    const { logScale: itsScale, lower, upper } = widelyIntegratedExcess(many)!;
    expect(logScale).toBe(itsScale);
    expect(value - error).toBeLessThanOrEqual(lower);
    expect(value + error).toBeGreaterThanOrEqual(upper);
    expect(value).toBeGreaterThan(error);
  });
});
