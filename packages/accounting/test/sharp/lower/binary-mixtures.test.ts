import { describe, expect, it } from 'vitest';
import { sharpDelta } from '../../../src/sharp/sharp-bound.ts';
import { sharpEpsilon } from '../../../src/sharp/sharp-epsilon.ts';
import { mixtureDivergence } from './binary-mixtures.ts';
import { inputsOf } from '../matrix-inputs.ts';

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

describe.each([
  { epsilon0: 1, epsilon: 0.128, hidden: [0.02, 0.02] },
  { epsilon0: 1, epsilon: 0.128, hidden: [0, 0.05] },
  { epsilon0: 2, epsilon: 0.33, hidden: [0.004, 0.03] },
])('laws of which the shares $hidden are left out, budget $epsilon0', ({ epsilon0, epsilon, hidden }) => {
  const { truth, typed } = binary(epsilon0);
  const inputs = typed.pairs[0]!.inputs.map((input, x) => ({
    ...input,
    own: input.own.map((mass, y) => mass - (y === x ? hidden[x]! : 0)),
    hidden: hidden[x]!,
  }));
  const bound = sharpDelta(
    { pairs: [{ label: 'both values', inputs, symmetric: true }] },
    USERS,
    epsilon,
  ).value;

  it('gives a bound for the whole laws, larger than that of these', () => {
    let worst = 0;
    for (const zeros of [0, 100, 500, 700, 999])
      worst = Math.max(worst, mixtureDivergence(truth, zeros, USERS - 1 - zeros, epsilon));
    expect(bound).toBeGreaterThan(worst);
    expect(bound).toBeGreaterThan(sharpDelta(typed, USERS, epsilon).value);
    expect(bound).toBeLessThan(12 * worst);
  });
});

it('finds the same epsilon among many inputs that are nearly as bad', () => {
  const { typed } = binary(1);
  const [pair] = typed.pairs;
  // Between the two values, and hence no worse than the worse of them.
  const inputs = Array.from({ length: 40 }, (_, i) => ({
    ...pair!.inputs[0]!,
    label: `part ${i}`,
    own: pair!.inputs[0]!.own.map((mass, y) => mass + (i / 4000) * (pair!.inputs[1]!.own[y]! - mass)),
  }));
  const many = { pairs: [{ ...pair!, inputs: [...inputs, pair!.inputs[1]!] }] };
  const options = { lower: 0.0356588, upper: 0.0432 };
  const found = sharpEpsilon(many, 10_000, 1e-6, options);
  expect(Math.abs(found.value / sharpEpsilon(typed, 10_000, 1e-6, options).value - 1)).toBeLessThan(1e-3);
  expect(sharpDelta(many, 10_000, found.value).value).toBeLessThan(1.01e-6);
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
