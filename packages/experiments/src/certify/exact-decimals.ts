/** Between the numbers of the search, which are doubles, and the rationals of the verifier. */
import { decimalValue, type Rational } from '@shuffle-dp/certificates';
import { roundedUp } from './rounded-up.ts';

/** A number that is not negative, as it is written. */
export function rationalOf(value: number): Rational {
  return decimalValue(`${value}`)!;
}

export function isAtMost(a: Rational, b: Rational): boolean {
  return a.numerator * b.denominator <= b.numerator * a.denominator;
}

/** The natural logarithm, to about fifteen digits. */
export function logOf({ numerator, denominator }: Rational): number {
  return logOfInteger(numerator) - logOfInteger(denominator);
}

function logOfInteger(value: bigint): number {
  const excessBits = Math.max(0, value.toString(2).length - 64);
  return Math.log(Number(value >> BigInt(excessBits))) + excessBits * Math.LN2;
}

/** A decimal of six digits that is not below the rational; 0 for 0. */
export function decimalAbove({ numerator, denominator }: Rational): string {
  if (numerator === 0n) return '0';
  // Fifteen digits after the leading ones; the conversion and the product round to two roundoffs.
  const shift = BigInt(Math.max(0, denominator.toString().length - numerator.toString().length + 18));
  const near = Number((numerator * 10n ** shift) / denominator + 1n) * Number(`1e-${shift}`);
  return `${roundedUp(near * (1 + 2 ** -50))}`;
}
