/** Tilts by which a rare gain is nearly as large as doubles get. */
import { expect, it } from 'vitest';
import { expectedPositiveSum } from '../../src/blanket/expected-positive-sum.ts';
import { saddlePoint, tilt } from '../../src/blanket/exponential-tilt.ts';

function lawOf(values: number[], probabilities: number[]) {
  return {
    values: Float64Array.from(values),
    probabilities: Float64Array.from(probabilities),
    magnitudes: Float64Array.from(values, Math.abs),
  };
}

it('a gain of little weight costs the others no digits', () => {
  const { logMean, logMeanError } = tilt(lawOf([-1e-4, 540], [0.75, 1e-261]), 1);
  expect(Math.abs(logMean - Math.log1p(0.75 * Math.expm1(-1e-4)))).toBeLessThan(1e-18);
  expect(logMeanError).toBeLessThan(1e-18);
});

it('where one gain is all, what the scale rounds is counted', () => {
  const { logMean, logMeanError } = tilt(lawOf([-1e-4, 540], [0.75, 1e-10]), 1);
  // 540 - 10 log 10, to all digits.
  expect(Math.abs(logMean - 516.974149070059543)).toBeLessThan(logMeanError);
  expect(logMeanError).toBeLessThan(1e-12);
});

it('a million copies, of which one gain in 10^65 barely outweighs the losses', () => {
  const law = lawOf(
    [
      -3.4633058201841764e58, 3.484270488360129e64, 6.968544440026078e64, 1.0452818391692027e65,
      1.3937092343357975e65,
    ],
    [
      0.9999999999999877, 1.4350191946328467e-65, 1.5444600667236912e-130, 7.38776613697454e-196,
      1.3251982765021554e-261,
    ],
  );
  const { logScale, bracket } = expectedPositiveSum(law, 1_000_000, 0.01, 'dilation');
  // By its definition, with sixty digits.
  const truth = 3008.96711519904;
  expect(bracket.lower * Math.exp(logScale)).toBeLessThanOrEqual(truth * (1 + 1e-12));
  expect(bracket.upper * Math.exp(logScale)).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
  expect(bracket.upper).toBeLessThan(bracket.lower * (1 + 1e-4));
});

it('a gain of no mass, or one below all steps, has no saddle point, and none is looked for without end', () => {
  expect(saddlePoint(lawOf([-1, 4e24], [0.5, 0]), 32)).toBeNull();
  expect(saddlePoint(lawOf([-1, 1e-310], [0.5, 0.1]), 32)).toBeNull();
  expect(saddlePoint(lawOf([-1, 4e24], [0.5, 1e-300]), 32)?.theta).toBeGreaterThan(0);
});
