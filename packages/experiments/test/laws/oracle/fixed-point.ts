/**
 * Real numbers as integers over a power of two, so that neither rounding nor underflow hides or fakes a
 * violation: at a budget of 1e-9 two laws differ in their ninth digit, at 300 a message of three users has
 * probability e^-900.
 */

/** A real number times 2^bits, rounded. */
export type Fixed = bigint;

export interface FixedPoint {
  readonly one: Fixed;
  /** Exact for every double that is a multiple of 2^-bits. */
  of(value: number): Fixed;
  times(a: Fixed, b: Fixed): Fixed;
  /** What the product of two numbers, or a sum of such, is once their common factor 2^bits is taken out. */
  rescaled(products: bigint): Fixed;
  over(a: Fixed, b: Fixed): Fixed;
  /** e^x for a double. */
  exp(x: number): Fixed;
  /** Pr[Z < z] of a standard normal Z. */
  normalBelow(z: Fixed): Fixed;
}

export function fixedPoint(bits: number): FixedPoint {
  const shift = BigInt(bits);
  const one = 1n << shift;
  const of = (value: number): Fixed => scaled(value, bits);
  return {
    one,
    of,
    times: (a, b) => (a * b) >> shift,
    rescaled: (products) => products >> shift,
    over: (a, b) => (a << shift) / b,
    exp(x) {
      const grown = exponential(Math.abs(x), bits);
      return x < 0 ? (one << shift) / grown : grown;
    },
    normalBelow(z) {
      const size = quotient(z, one);
      // Terms of the series grow to e^(z^2 / 2) before they cancel.
      const guard = BigInt(Math.ceil(0.75 * size * size) + 64);
      const unit = one << guard;
      const x = z << guard;
      const square = (x * x) / unit;
      let power = x;
      let sum = 0n;
      for (let k = 0n; power !== 0n; k++) {
        sum += power / (2n * k + 1n);
        power = -(power * square) / (unit * 2n * (k + 1n));
      }
      const root = squareRoot(2n * pi(unit) * unit);
      return ((unit / 2n + (sum * unit) / root) * one) / unit;
    },
  };
}

/** a / b as a double, whatever their sizes. */
export function quotient(a: bigint, b: bigint): number {
  if (a === 0n) return 0;
  const excess = hexDigits(a) - hexDigits(b);
  const places = 4 * (20 - excess);
  const digits = places >= 0 ? (a << BigInt(places)) / b : a / (b << BigInt(-places));
  // In two steps: 2^-places may be outside of the doubles where the quotient is not.
  const half = Math.trunc(places / 2);
  return Number(digits) * 2 ** -half * 2 ** -(places - half);
}

function hexDigits(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length;
}

const word = new DataView(new ArrayBuffer(8));

/** value times 2^bits, towards zero. */
function scaled(value: number, bits: number): bigint {
  word.setFloat64(0, Math.abs(value));
  const code = word.getBigUint64(0);
  const exponent = Number(code >> 52n);
  const mantissa = (code & ((1n << 52n) - 1n)) | (exponent === 0 ? 0n : 1n << 52n);
  const places = Math.max(1, exponent) - 1075 + bits;
  const size = places >= 0 ? mantissa << BigInt(places) : mantissa >> BigInt(-places);
  return value < 0 ? -size : size;
}

/** e^x times 2^bits for x >= 0: the series at x / 2^halvings, squared as often. */
function exponential(x: number, bits: number): bigint {
  const halvings = Math.max(0, Math.ceil(Math.log2(x + 1))) + 10;
  const inner = bits + 2 * halvings + Math.ceil(1.5 * x) + 64;
  const unit = 1n << BigInt(inner);
  const step = scaled(x, inner) >> BigInt(halvings);
  let term = unit;
  let sum = unit;
  for (let k = 1n; term !== 0n; k++) {
    term = (term * step) / (unit * k);
    sum += term;
  }
  for (let i = 0; i < halvings; i++) sum = (sum * sum) >> BigInt(inner);
  return sum >> BigInt(inner - bits);
}

/** Machin's formula. */
function pi(unit: bigint): bigint {
  const arctanOfInverse = (x: bigint): bigint => {
    let power = unit / x;
    let sum = power;
    for (let k = 3n; power !== 0n; k += 2n) {
      power = -power / (x * x);
      sum += power / k;
    }
    return sum;
  };
  return 16n * arctanOfInverse(5n) - 4n * arctanOfInverse(239n);
}

function squareRoot(square: bigint): bigint {
  let root = 1n << BigInt(2 * hexDigits(square) + 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
