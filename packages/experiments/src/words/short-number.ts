import type { Interval } from '@shuffle-dp/core';

/**
 * The value to a few significant digits, with an exponent where it is a million or more, or below a
 * thousandth.
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
 * A proved end in few digits, rounded to the side on which it stays proved: an upper end is never shown below
 * itself, a lower end never above.
 *
 * @param digits significant ones, default 4
 * @example shortEnd(0.12341, 'upper') // '0.1235'
 * @example shortEnd(0.99998, 'lower') // '0.9999'
 */
export function shortEnd(value: number, side: 'lower' | 'upper', digits = 4): string {
  const nearest = shortNumber(value, digits);
  const step = side === 'upper' ? 1 : -1;
  if (!Number.isFinite(value) || step * (Number(nearest) - value) >= 0) return nearest;
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const units = Number(mantissa!.replace('.', ''));
  const unit = Number(exponent) - digits + 1;
  // Below a power of ten, to which a value rounds up, a unit is a tenth.
  const isBelow = side === 'lower' && units === 10 ** (digits - 1);
  return shortNumber(Number(isBelow ? `${10 * units - 1}e${unit - 1}` : `${units + step}e${unit}`), digits);
}

/**
 * Both ends of what is proved, each rounded outwards.
 *
 * @example shortEnds({ lower: 0.12349, upper: 0.12351 }) // '0.1234 and 0.1236'
 */
export function shortEnds({ lower, upper }: Interval, digits = 4, between = ' and '): string {
  return `${shortEnd(lower, 'lower', digits)}${between}${shortEnd(upper, 'upper', digits)}`;
}

/**
 * What is known where there is no upper end: the lower one, or that nothing is proved.
 *
 * @example lowerEndAlone(0.12349) // '≥ 0.1234'
 */
export function lowerEndAlone(lower: number): string {
  return lower > 0 ? `≥ ${shortEnd(lower, 'lower')}` : 'none';
}

/**
 * What is stated, and both ends of what is proved, rounded outwards: four significant digits, and as many
 * more as tell apart what differs.
 *
 * @example apartFromEnds(0.5, { lower: 0.50001, upper: 0.6 }) // ['0.5', '0.50001', '0.6']
 */
export function apartFromEnds(
  stated: number,
  { lower, upper }: Interval,
): readonly [stated: string, least: string, most: string] {
  const different = new Set([stated, lower, upper]).size;
  for (let digits = 4; ; digits++) {
    const texts = [
      shortNumber(stated, digits),
      shortEnd(lower, 'lower', digits),
      shortEnd(upper, 'upper', digits),
    ] as const;
    if (digits === 15 || new Set(texts).size === different) return texts;
  }
}
