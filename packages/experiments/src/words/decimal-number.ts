/**
 * The number that a text writes in decimals, an exponent with it; NaN for any other text, such as one in
 * another base, an empty one, or one with spaces.
 *
 * @example decimalNumber('1e-6') // 0.000001
 */
export function decimalNumber(text: string): number {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu.test(text) ? Number(text) : Number.NaN;
}
