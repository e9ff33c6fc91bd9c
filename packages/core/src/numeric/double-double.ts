/**
 * Products exact to twice the working precision (Dekker): a binomial's mean n p must be known to more than a
 * double, because its deviation k - n p decides the probability.
 */
const SPLITTER = 134217729;

/** An unevaluated sum high + low. */
export interface DoubleDouble {
  readonly high: number;
  readonly low: number;
}

/**
 * a * b exactly, barring overflow.
 *
 * @example exactProduct(1 + 2 ** -30, 1 - 2 ** -30).low * 2 ** 60 // -1
 */
export function exactProduct(a: number, b: number): DoubleDouble {
  const high = a * b;
  const aBig = SPLITTER * a;
  const aHigh = aBig - (aBig - a);
  const aLow = a - aHigh;
  const bBig = SPLITTER * b;
  const bHigh = bBig - (bBig - b);
  const bLow = b - bHigh;
  return { high, low: aLow * bLow - (high - aHigh * bHigh - aLow * bHigh - aHigh * bLow) };
}

/**
 * x - (high + low), rounded once or twice.
 *
 * @example minus(1, exactProduct(1 + 2 ** -30, 1 - 2 ** -30)) * 2 ** 60 // 1
 */
export function minus(x: number, { high, low }: DoubleDouble): number {
  return x - high - low;
}
