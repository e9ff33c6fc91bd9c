import { interval, type AmplificationProfile } from '@shuffle-dp/core';
import { expect, it } from 'vitest';
import { blanketDivergence } from '../../src/blanket/privacy-blanket.ts';
import { typedUpperDeltas } from '../../src/sharp/sharpest.ts';
import { inputsOf } from './matrix-inputs.ts';

const ROWS = [
  [0.75, 0.25],
  [0.25, 0.75],
];
const [FIRST, SECOND] = ROWS.map((row) => Float64Array.from(row));
const BLANKET = {
  label: 'any',
  victim0: FIRST!,
  victim1: SECOND!,
  others: Float64Array.of(0.25, 0.25),
  symmetric: true,
};
const RESPONSE: AmplificationProfile = {
  variationRatio: null,
  blanket: [BLANKET],
  homogeneous: [],
  typed: { pairs: [{ label: 'both values', inputs: inputsOf(ROWS, 0, 1), symmetric: true }] },
};

it('a divergence of which no lower end is known has the sharp bound, and one far below 1e-100 has none', () => {
  const { upper } = blanketDivergence(BLANKET, 1000, 0.15);
  expect(upper).toBeGreaterThan(1e-9);
  const { sharp } = typedUpperDeltas(RESPONSE, 1000, 0.15, interval(0, upper));
  expect(sharp!.value).toBeLessThan(0.9 * upper);
  expect(typedUpperDeltas(RESPONSE, 1000, 0.15, interval(0, 1e-101)).sharp).toBeNull();
});
