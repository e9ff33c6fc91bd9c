/**
 * Angles of 2^20 and more: the angle in right angles, of which multiples of four do not matter. 2/pi is kept in digits of 24 bits, and only
 * those are multiplied that reach below four right angles, so that an angle of any size costs ten digits' work (M. Payne and R. Hanek, 1983).
 */
import { pi, toDouble, UNIT } from './fixed-point.ts';

const DIGIT = 2 ** 24;
/** Of 2/pi: for the largest double and ten digits more. */
const DIGITS = 56;
/** Columns of the product that are kept: two doubles' worth, below what the worst double cancels. */
const COLUMNS = 10;
/** A double's bits as a whole number: 53, in three digits. */
const PARTS = 3;
/** A factor that leaves the upper half of a double's bits. */
const SPLITTER = 2 ** 27 + 1;

interface Constants {
  readonly twoOverPi: Float64Array;
  /** A right angle, and what its nearest double lacks. */
  readonly high: number;
  readonly low: number;
}

let constants: Constants | undefined;

/** Few programs need them. */
function computed(): Constants {
  const bits = BigInt(24 * DIGITS);
  const digits = (2n << (2n * bits)) / pi(1n << bits);
  const twoOverPi = Float64Array.from({ length: DIGITS }, (_, i) =>
    Number((digits >> BigInt(24 * (DIGITS - 1 - i))) & BigInt(DIGIT - 1)),
  );
  const right = pi(UNIT) / 2n;
  const high = toDouble(right);
  return { twoOverPi, high, low: toDouble(right - BigInt(high * 2 ** 64) * (UNIT >> 64n)) };
}

const asDouble = new Float64Array(1);
const asWords = new Uint32Array(asDouble.buffer);
const columns = new Float64Array(COLUMNS);

/**
 * @param angle finite, of at least 2^20 @param rest takes the angle less the multiple, and what that lacks
 * @returns the last two bits of the nearest whole number of right angles
 */
export function reduceLargeAngle(angle: number, rest: Float64Array): number {
  constants ??= computed();
  asDouble[0] = Math.abs(angle);
  const high = asWords[1]!;
  const exponent = (high >>> 20) - 1075;
  const middle = (asWords[0]! >>> 24) | (((high & 0xfffff) | 0x100000) << 8);
  const top = multiply(exponent, asWords[0]! & (DIGIT - 1), middle & (DIGIT - 1), middle >>> 24);
  const turns = roundColumns(top, rest);
  multiplyByRightAngle(rest, constants);
  if (angle > 0) return turns & 3;
  rest[0] = -rest[0]!;
  rest[1] = -rest[1]!;
  return -turns & 3;
}

/** Fills the columns with the digits of the angle times 2/pi. @returns the first column's place, which is below four turns */
function multiply(exponent: number, low: number, middle: number, high: number): number {
  const { twoOverPi } = constants!;
  const first = Math.floor((exponent - 2) / 24);
  const digit = (i: number): number => (i >= 0 ? twoOverPi[i]! : 0);
  let carry = 0;
  for (let column = COLUMNS - 1; column >= 0; column--) {
    const i = first + column;
    const sum = low * digit(i) + middle * digit(i + 1) + high * digit(i + PARTS - 1) + carry;
    carry = Math.floor(sum / DIGIT);
    columns[column] = sum - carry * DIGIT;
  }
  return exponent - 24 * (first + 1);
}

/** Leaves in `rest` what the columns are beside the nearest whole number, which is returned without multiples of four. */
function roundColumns(place: number, rest: Float64Array): number {
  let unit = 2 ** place;
  let sum = 0;
  let lost = 0;
  let nearest = 0;
  for (let column = 0; column < COLUMNS; column++) {
    const term = columns[column]! * unit;
    const next = sum + term;
    lost += term - (next - sum);
    sum = next;
    unit /= DIGIT;
    // Two columns are at most 48 bits, and tell on which side of a half the rest is.
    if (column === 1) {
      nearest = Math.floor(sum + 0.5);
      sum -= nearest;
    }
  }
  rest[0] = sum + lost;
  rest[1] = lost - (rest[0] - sum);
  return nearest % 4;
}

function multiplyByRightAngle(rest: Float64Array, { high, low }: Constants): void {
  const [turn, turnLow] = [rest[0]!, rest[1]!];
  const product = turn * high;
  const split = SPLITTER * turn;
  const upper = split - (split - turn);
  const lower = turn - upper;
  const splitHigh = SPLITTER * high;
  const upperHigh = splitHigh - (splitHigh - high);
  const lowerHigh = high - upperHigh;
  const lost = lower * lowerHigh - (product - upper * upperHigh - lower * upperHigh - upper * lowerHigh);
  const more = lost + (turn * low + turnLow * high);
  rest[0] = product + more;
  rest[1] = more - (rest[0] - product);
}
