/**
 * The value to a few significant digits, with an exponent where it is a million or more, or below a thousandth.
 *
 * @param digits significant ones, default 4
 */
export function shortNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : value < 0 ? '-inf' : '-';
  if (value === 0) return '0';
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6 || magnitude < 1e-3) return value.toExponential(digits - 1);
  return String(Number(value.toPrecision(digits)));
}

/**
 * Numbers that are compared in one sentence: four significant digits, and as many more as tell two values apart that differ.
 *
 * @example apartNumbers([0.5, 0.50001]) // ['0.5', '0.50001']
 */
export function apartNumbers(values: readonly number[]): string[] {
  const different = new Set(values).size;
  for (let digits = 4; ; digits++) {
    const texts = values.map((value) => shortNumber(value, digits));
    if (digits === 15 || new Set(texts).size === different) return texts;
  }
}
