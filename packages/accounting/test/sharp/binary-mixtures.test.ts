import { describe, expect, it } from 'vitest';
import { sharpDelta } from '../../src/sharp/sharp-bound.ts';
import { sharpEpsilon } from '../../src/sharp/sharp-epsilon.ts';
import { mixtureDivergence } from './binary-mixtures.ts';
import { inputsOf } from './matrix-inputs.ts';

const USERS = 1000;

function binary(epsilon0: number) {
  const truth = 1 / (1 + Math.exp(-epsilon0));
  const inputs = inputsOf(
    [
      [truth, 1 - truth],
      [1 - truth, truth],
    ],
    0,
    1,
  );
  return { truth, typed: { pairs: [{ label: 'both values', inputs, symmetric: true }] } };
}

describe.each([
  { epsilon0: 0.5, epsilon: 0.057, most: 1.2 },
  { epsilon0: 1, epsilon: 0.128, most: 1.4 },
  { epsilon0: 2, epsilon: 0.33, most: 2.6 },
])('binary randomized response of budget $epsilon0 among a thousand', ({ epsilon0, epsilon, most }) => {
  const { truth, typed } = binary(epsilon0);
  const bound = sharpDelta(typed, USERS, epsilon).value;

  it('is below no mixture of the others, and not far above the worst', () => {
    let worst = 0;
    for (const zeros of [0, 1, 2, 100, 333, 500, 700, 998, 999]) {
      worst = Math.max(worst, mixtureDivergence(truth, zeros, USERS - 1 - zeros, epsilon));
    }
    expect(bound).toBeGreaterThan(worst);
    expect(bound).toBeLessThan(most * worst);
  });
});

it('finds the epsilon at which the bound is the delta asked for', () => {
  const { typed } = binary(1);
  const found = sharpEpsilon(typed, 10_000, 1e-6, { lower: 0.0356588, upper: 0.0432 });
  // An independent program: 0.03587.
  expect(Math.abs(found.value / 0.03587 - 1)).toBeLessThan(5e-4);
  expect(found.parameters!.buffer % 2).toBe(1);
});

it('says so where it has nothing to say', () => {
  const { typed } = binary(1);
  expect(sharpEpsilon(typed, 3, 1e-6, { lower: 0.5, upper: 1 })).toMatchObject({
    value: 1,
    parameters: null,
  });
  expect(sharpEpsilon(typed, 1000, 0, { lower: 0.5, upper: 1 })).toMatchObject({
    value: 1,
    parameters: null,
  });
  expect(sharpDelta(typed, 2, 0.1).value).toBe(1);
});
