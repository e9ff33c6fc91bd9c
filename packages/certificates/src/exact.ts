/**
 * Exact arithmetic for the verifier: rationals, and enclosures by integers over a power of two. No floating
 * point.
 */

export interface Rational {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** A real number that lies between two integers over 2^FRACTION_BITS. */
export interface Enclosure {
  readonly lower: bigint;
  readonly upper: bigint;
}

export const FRACTION_BITS = 320n;
export const ONE = 1n << FRACTION_BITS;

/** Larger exponents would only cost time. */
const MOST_DIGITS = 400;

/**
 * '1e-6', '0.0186' or '12' as the rational that it writes; null for anything else. Signs are not allowed.
 *
 * @example decimalValue('0.25') // { numerator: 25n, denominator: 100n }
 */
export function decimalValue(text: string): Rational | null {
  const parts = /^(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/u.exec(text);
  if (!parts) return null;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const power = Number(exponent) - fraction.length;
  if (Math.abs(power) > MOST_DIGITS) return null;
  const digits = BigInt(whole + fraction);
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
}

export function floorDivision(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator !== 0n && numerator < 0n !== denominator < 0n ? quotient - 1n : quotient;
}

export function ceilDivision(numerator: bigint, denominator: bigint): bigint {
  return -floorDivision(-numerator, denominator);
}

export function enclosureOf({ numerator, denominator }: Rational): Enclosure {
  return {
    lower: floorDivision(numerator << FRACTION_BITS, denominator),
    upper: ceilDivision(numerator << FRACTION_BITS, denominator),
  };
}

export function integer(value: bigint): Enclosure {
  return { lower: value << FRACTION_BITS, upper: value << FRACTION_BITS };
}

export function sum(a: Enclosure, b: Enclosure): Enclosure {
  return { lower: a.lower + b.lower, upper: a.upper + b.upper };
}

/** Not below 0: of masses, which are not. */
export function difference(a: Enclosure, b: Enclosure): Enclosure {
  const lower = a.lower - b.upper;
  return { lower: lower < 0n ? 0n : lower, upper: a.upper - b.lower };
}

/** Of numbers that are not negative. */
export function product(a: Enclosure, b: Enclosure): Enclosure {
  return {
    lower: (a.lower * b.lower) >> FRACTION_BITS,
    upper: ceilDivision(a.upper * b.upper, ONE),
  };
}

/** Of a number that is not negative by a positive one. */
export function quotient(a: Enclosure, b: Enclosure): Enclosure {
  return {
    lower: (a.lower << FRACTION_BITS) / b.upper,
    upper: ceilDivision(a.upper << FRACTION_BITS, b.lower),
  };
}

/**
 * e^x for x >= 0. With y = x / 2^k at most 1/2, e^y is a partial sum of its series, whose rest is at most the
 * last term; k squarings give e^x.
 *
 * @example Number(exponential({ numerator: 0n, denominator: 1n }).upper >> FRACTION_BITS) // 1
 */
export function exponential({ numerator, denominator }: Rational): Enclosure {
  let halvings = 0n;
  while (2n * numerator > denominator << halvings) halvings++;
  const argument = enclosureOf({ numerator, denominator: denominator << halvings });
  let total: Enclosure = integer(1n);
  let term: Enclosure = integer(1n);
  for (let i = 1n; term.upper > 1n; i++) {
    const next = product(term, argument);
    term = { lower: next.lower / i, upper: ceilDivision(next.upper, i) };
    total = sum(total, term);
  }
  total = { lower: total.lower, upper: total.upper + term.upper };
  for (let i = 0n; i < halvings; i++) total = product(total, total);
  return total;
}
