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
