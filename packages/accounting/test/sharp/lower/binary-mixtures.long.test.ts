// @module-tag long
/** Every composition of the others, exactly. */
import { expect, it } from 'vitest';
import { sharpDelta } from '../../../src/sharp/sharp-bound.ts';
import { mixtureDivergence } from './binary-mixtures.ts';
import { inputsOf } from '../matrix-inputs.ts';

it.each([
  { users: 1000, epsilon0: 0.5, epsilon: 0.057 },
  { users: 1000, epsilon0: 1, epsilon: 0.128 },
  { users: 1000, epsilon0: 2, epsilon: 0.33 },
  { users: 3000, epsilon0: 1, epsilon: 0.068 },
])('$users users of budget $epsilon0: no composition exceeds the bound', ({ users, epsilon0, epsilon }) => {
  const truth = 1 / (1 + Math.exp(-epsilon0));
  const matrix = [
    [truth, 1 - truth],
    [1 - truth, truth],
  ];
  const pairs = [{ label: 'both values', inputs: inputsOf(matrix, 0, 1), symmetric: true }];
  const bound = sharpDelta({ pairs }, users, epsilon).value;
  let worst = 0;
  for (let zeros = 0; zeros < users; zeros++) {
    worst = Math.max(worst, mixtureDivergence(truth, zeros, users - 1 - zeros, epsilon));
  }
  expect(bound).toBeGreaterThan(worst);
});
