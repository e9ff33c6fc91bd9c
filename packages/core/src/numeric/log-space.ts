/** Arithmetic on logarithms of non-negative numbers; -Infinity stands for zero. */

/** log(e^a + e^b). */
export function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

/** log(e^a - e^b) for a >= b; NaN for a < b. */
export function logSubtract(a: number, b: number): number {
  if (b === -Infinity) return a;
  if (a === b) return -Infinity;
  return a + log1mExp(b - a);
}

/** log(1 - e^x) for x <= 0, without cancellation at either end. */
export function log1mExp(x: number): number {
  return x > -Math.LN2 ? Math.log(-Math.expm1(x)) : Math.log1p(-Math.exp(x));
}

/** log of the sum of e^v over all values; -Infinity for none. */
export function logSumExp(values: ArrayLike<number>): number {
  let peak = -Infinity;
  for (let i = 0; i < values.length; i++) peak = Math.max(peak, values[i]!);
  if (peak === -Infinity || peak === Infinity) return peak;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Math.exp(values[i]! - peak);
  return peak + Math.log(sum);
}
