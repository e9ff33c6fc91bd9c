/** A law of many gains and what it is thinned to: the sum of the first lies between. */
import { expect, it } from 'vitest';
import { fewerGains } from '../../src/blanket/fewer-gains.ts';
import { expectedPositiveSum } from '../../src/blanket/expected-positive-sum.ts';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import { thinned } from '../../src/blanket/thinning.ts';

/** Gains of a heavy tail, of mean below zero. */
function manyGains(kinds: number, down: number): LossLaw {
  const ranks = Array.from({ length: kinds }, (_, i) => (i + 0.5) / kinds);
  const values = Float64Array.from(ranks, (rank) => Math.tan(1.45 * (2 * rank - 1)) - down);
  return {
    values,
    probabilities: new Float64Array(kinds).fill(1 / kinds),
    magnitudes: values.map((value) => Math.abs(value) + 1),
    silent: 0,
  };
}

it.each([
  [50, 0.4],
  [5000, 0.1],
])('of %d copies', (count, down) => {
  const law = manyGains(1500, down);
  const whole = expectedPositiveSum(law, count, 1e-5, 'contraction');
  const truth = Math.log(whole.bracket.lower) + whole.logScale;
  for (const [how, side] of [
    ['contraction', -1],
    ['dilation', 1],
  ] as const) {
    const fewer = fewerGains(law, count, 160, how);
    expect(fewer.values.length).toBeLessThanOrEqual(160);
    const { bracket, logScale } = expectedPositiveSum(fewer, count, 1e-5, how);
    const log = Math.log(side > 0 ? bracket.upper : bracket.lower) + logScale;
    expect(side * (log - truth)).toBeGreaterThan(-2e-5);
    expect(side * (log - truth)).toBeLessThan(0.02);
  }
});

it('a law of few gains stays as it is', () => {
  const law = manyGains(40, 0.4);
  expect(fewerGains(law, 50, 160, 'dilation')).toBe(law);
});

it('equal gains of magnitudes far apart stay one gain', () => {
  const law: LossLaw = {
    values: Float64Array.of(-1, 2, 2),
    probabilities: Float64Array.of(0.5, 0.25, 0.25),
    magnitudes: Float64Array.of(1, 2, 2e6),
    silent: 0,
  };
  expect(thinned(law, [1, 1, 1], 4, 'dilation').probabilities).toEqual(Float64Array.of(0.5, 0.5));
});

it('a law whose sums leave the doubles stays as it is', () => {
  const values = Float64Array.from({ length: 200 }, (_, i) => (i === 0 ? -Infinity : i));
  const law = { values, probabilities: values.map(() => 1 / 200), magnitudes: values.map(Math.abs) };
  expect(fewerGains(law, 9, 160, 'contraction')).toBe(law);
});
