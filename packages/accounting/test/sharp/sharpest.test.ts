import { interval, type AmplificationProfile } from '@shuffle-dp/core';
import { clipLaplace, gaussianMechanism, subsetSelection } from '@shuffle-dp/randomizers';
import { expect, it } from 'vitest';
import { blanketDivergence } from '../../src/blanket/privacy-blanket.ts';
import { sharpestDelta, sharpestEpsilon, typedUpperDeltas } from '../../src/sharp/sharpest.ts';
import { inputsOf } from './matrix-inputs.ts';

const ROWS = [
  [0.7, 0.2, 0.1],
  [0.2, 0.7, 0.1],
];
const [FIRST, SECOND] = ROWS.map((row) => Float64Array.from(row));
const BLANKET = {
  label: 'any',
  victim0: FIRST!,
  victim1: SECOND!,
  others: Float64Array.of(0.2, 0.2, 0.1),
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

it(
  'what is proved of an epsilon at a delta is found of the delta at that epsilon, too, and falls',
  { tags: 'long' },
  () => {
    const profile = subsetSelection({ domain: 8, subsetSize: 4, epsilon0: 3.6237 }).amplification();
    const { upper } = sharpestEpsilon(profile, 1000, 1e-6, { epsilon0: 3.6237 });
    const deltas = [1, 1.03].map(
      (factor) => sharpestDelta(profile, 1000, factor * upper, { epsilon0: 3.6237 }).upper,
    );
    // Parameters are looked for in either direction anew: nearly the same is found.
    expect(deltas[0]).toBeLessThan(1.02e-6);
    expect(deltas[1]).toBeLessThan(deltas[0]!);
  },
);

it('a delta that a first guess is far above is found as small as an epsilon had it', () => {
  const profile = gaussianMechanism({ sigma: 1.13 }).amplification();
  // At this epsilon 1.39e-8 is proved where epsilon is asked for; a first search has 1.75e-8.
  expect(sharpestDelta(profile, 4740, 0.0772308).upper).toBeLessThan(1.39e-8);
});

it('is found where estimates mislead of one input of the others', { tags: 'long' }, () => {
  // By estimates parameters are chosen with which others at the far end have forty times the delta.
  const profile = clipLaplace({ epsilon0: 4.8 }).amplification();
  const { lower, upper } = sharpestEpsilon(profile, 10_000, 1e-6, { epsilon0: 4.8 });
  expect(upper).toBeLessThan(1.13 * lower);
});
