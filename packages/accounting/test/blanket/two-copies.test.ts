/** Two copies of a loss against the sum over all pairs of values. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interval } from '@shuffle-dp/core';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import { ofTwoCopies } from '../../src/blanket/two-copies.ts';
import { uniform } from '../../../core/test/uniform.ts';

function lawOf(values: readonly number[], masses: readonly number[], magnitude: number): LossLaw {
  return {
    values: Float64Array.from(values).toSorted(),
    probabilities: Float64Array.from(masses),
    magnitudes: new Float64Array(values.length).fill(magnitude),
  };
}

/** Over all pairs, of which one may be of no value: every value is moved by so much. */
function overPairs({ values, probabilities }: LossLaw, moved = 0): number {
  const silent = 1 - probabilities.reduce((sum, mass) => sum + mass, 0);
  const all = [...Array.from(values, (value, i) => [value + moved, probabilities[i]!] as const), [0, silent]];
  let sum = 0;
  for (const [value, mass] of all)
    for (const [other, itsMass] of all) sum += mass! * itsMass! * Math.max(0, value! + other!);
  return sum;
}

function single({ values, probabilities }: LossLaw, moved = 0): number {
  return values.reduce((sum, value, i) => sum + probabilities[i]! * Math.max(0, value + moved), 0);
}

const law = fc
  .uniqueArray(uniform(-3, 3), { minLength: 1, maxLength: 7 })
  .chain((values) =>
    fc
      .array(uniform(1e-9, 1 / values.length), { minLength: values.length, maxLength: values.length })
      .map((masses) => lawOf(values, masses, 1e-3)),
  );

describe('two copies of a loss', () => {
  it('gain what all pairs of values do', () => {
    fc.assert(
      fc.property(law, (drawn) => {
        const one = single(drawn);
        const { lower, upper } = ofTwoCopies(drawn, interval(one, one));
        const exact = overPairs(drawn);
        expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-15));
        expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-15));
        expect(upper - lower).toBeLessThan(1e-11 * (exact + 1e-3));
      }),
    );
  });

  it.each([1, -1])('are enclosed wherever their values may be: moved by %d', (sign) => {
    // Values that are known to 4 * 2^-53 * 1e10, on either side of zero together.
    const [error, magnitude] = [4 * 2 ** -53 * 1e10, 1e10];
    const values = [-2, -1 + 1e-7, 1, 2 - 1e-7];
    const drawn = lawOf(values, [0.2, 0.3, 0.1, 0.2], magnitude);
    const one = interval(Math.max(0, single(drawn, -error)), single(drawn, error));
    const { lower, upper } = ofTwoCopies(drawn, one);
    const exact = overPairs(drawn, 0.999 * sign * error);
    expect(lower).toBeLessThan(exact);
    expect(upper).toBeGreaterThan(exact);
    expect(upper - lower).toBeLessThan(1e-4);
  });

  it('may gain by values that are no more than rounding apart, where these are nearly all', () => {
    const drawn = { ...lawOf([-1 - 2 ** -50, 1], [1, 1e-16], 8), silent: 0 };
    const { lower, upper } = ofTwoCopies(drawn, interval(1e-16, 1e-16));
    expect(overPairs(drawn)).toBeCloseTo(2e-32, 40);
    expect(lower).toBeLessThanOrEqual(2e-32);
    // The first may be above the opposite of the second.
    const nearer = { ...drawn, values: Float64Array.of(-1 + 3 * 2 ** -50, 1) };
    expect(overPairs(nearer)).toBeGreaterThan(5e-31);
    expect(upper).toBeGreaterThan(overPairs(nearer));
  });
});
