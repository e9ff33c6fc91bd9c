/**
 * The logarithm of the gamma function and of what is built from it. Relative error below 1e-14 for all x > 0
 * (the zeros at 1 and 2 included), checked against 50-digit values.
 */
import * as Real from './elementary/index.ts';
import { ParameterError } from '../errors.ts';

/** log(2 pi) / 2. */
export const HALF_LOG_TWO_PI = 0.918938533204672741780329736406;
const ONE_MINUS_EULER = 0.422784335098467139;

/** zeta(k) - 1 for k = 2, 3, …: the Taylor coefficients of log gamma around 2. */
const ZETA_MINUS_ONE = [
  0.644934066848226436, 0.202056903159594285, 0.0823232337111381915, 0.0369277551433699263,
  0.0173430619844491397, 0.00834927738192282684, 0.00407735619794433938, 0.00200839282608221442,
  0.000994575127818085337, 0.000494188604119464559, 0.000246086553308048299, 0.000122713347578489147,
  0.0000612481350587048293, 0.0000305882363070204936, 0.0000152822594086518717, 7.63719763789976227e-6,
  3.81729326499983986e-6, 1.90821271655393893e-6, 9.53962033872796113e-7, 4.76932986787806463e-7,
  2.3845050272773299e-7, 1.19219925965311073e-7, 5.96081890512594796e-8, 2.98035035146522802e-8,
  1.49015548283650412e-8, 7.45071178983542949e-9, 3.72533402478845705e-9, 1.86265972351304901e-9,
  9.31327432419668183e-10, 4.65662906503378407e-10, 2.32831183367650549e-10, 1.16415501727005198e-10,
];

/** From here on Stirling's series with its eight terms is exact to double precision. */
const STIRLING_FROM = 16;

/**
 * log Gamma(x) for x > 0.
 *
 * @throws ParameterError otherwise.
 * @example Math.exp(logGamma(0.5)) ** 2 // 3.14159
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new ParameterError('x', x, 'positive');
  if (x === Infinity) return Infinity;
  if (x < 0.5) return logGammaFromTwo(x) - Real.log1p(x) - Real.log(x);
  if (x < 1.5) return logGammaFromTwo(x - 1) - Real.log1p(x - 1);
  if (x <= 2.5) return logGammaFromTwo(x - 2);
  if (x >= STIRLING_FROM) return stirling(x);
  let shifted = x;
  let product = 1;
  while (shifted > 2.5) {
    shifted -= 1;
    product *= shifted;
  }
  return logGammaFromTwo(shifted - 2) + Real.log(product);
}

/** log Gamma(2 + z) for |z| <= 1/2, by its Taylor series: exact in the relative sense at its zero. */
function logGammaFromTwo(z: number): number {
  let sum = 0;
  for (let k = ZETA_MINUS_ONE.length + 1; k >= 2; k--) sum = -z * (sum - ZETA_MINUS_ONE[k - 2]! / k);
  return z * (ONE_MINUS_EULER + sum);
}

function stirling(x: number): number {
  return (x - 0.5) * Real.log(x) - x + HALF_LOG_TWO_PI + stirlingSeries(x);
}

function stirlingSeries(x: number): number {
  const s = 1 / (x * x);
  return (
    (1 / 12 -
      s *
        (1 / 360 -
          s *
            (1 / 1260 -
              s * (1 / 1680 - s * (1 / 1188 - s * (691 / 360360 - s * (1 / 156 - (s * 3617) / 122400))))))) /
    x
  );
}

/**
 * log(n!) for n >= 0.
 *
 * @example Math.exp(logFactorial(5)) // 120
 */
export function logFactorial(n: number): number {
  return logGamma(n + 1);
}

const SMALL_CORRECTIONS = Float64Array.from({ length: STIRLING_FROM }, (_, n) =>
  n === 0 ? 0 : logGamma(n + 1) - (n + 0.5) * Real.log(n) + n - HALF_LOG_TWO_PI,
);

/**
 * log(n!) - [(n + 1/2) log n - n + log(2 pi)/2] for integers n >= 1: what Stirling's formula misses, between
 * 0 and 1/(12 n). The part of log(n!) that does not cancel in binomial probabilities.
 *
 * @example stirlingCorrection(10) // 0.00833056
 */
export function stirlingCorrection(n: number): number {
  return n < STIRLING_FROM ? SMALL_CORRECTIONS[n]! : stirlingSeries(n);
}

/**
 * log of n choose k, for integers 0 <= k <= n up to 1e15. Its large parts are cancelled by hand, so that the
 * error stays relative to the result.
 *
 * @example Math.exp(logBinomialCoefficient(5, 2)) // 10
 */
export function logBinomialCoefficient(n: number, k: number): number {
  if (!(k >= 0 && k <= n)) throw new ParameterError('k', k, `from 0 to n = ${n}`);
  const small = Math.min(k, n - k);
  if (small === 0) return 0;
  if (small <= 12) {
    let value = 1;
    for (let i = 1; i <= small; i++) value *= (n - small + i) / i;
    return Real.log(value);
  }
  const large = n - small;
  const entropy = small * Real.log(n / small) - large * Real.log1p(-small / n);
  const correction = stirlingCorrection(n) - stirlingCorrection(small) - stirlingCorrection(large);
  return entropy + correction - 0.5 * (Real.log(small) + Real.log1p(-small / n)) - HALF_LOG_TWO_PI;
}
