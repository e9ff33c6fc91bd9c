/**
 * Sine and cosine: the angle less a whole number of right angles, to more than twice the digits, and then the
 * series of the rest, which is at most half of one.
 */
import { exactProduct } from '../double-double.ts';
import { fromDouble, pi, toDouble, UNIT } from './fixed-point.ts';

/** Parts of a right angle: of the first two, of 33 digits each, multiples up to MOST_TURNS are exact. */
const [FIRST, SECOND, THIRD] = /* @__PURE__ */ partsOfRightAngle();
const TURNS_PER_RADIAN = 2 / Math.PI;
const ROUNDER = 1.5 * 2 ** 52;
const MOST_ANGLE = 2 ** 20;
/** Up to here the whole number is known to within a hundredth, and products with it are taken apart. */
const MOST_MIDDLE_ANGLE = 2 ** 45;

function partsOfRightAngle(): readonly [number, number, number] {
  const whole = pi() / 2n;
  const part = (value: bigint, places: number): bigint =>
    (value >> BigInt(256 - places)) << BigInt(256 - places);
  const first = part(whole, 32);
  const second = part(whole - first, 66);
  return [toDouble(first), toDouble(second), toDouble(whole - first - second)];
}

/** The rest of an angle and what it lacks. */
const rest = new Float64Array(2);

/**
 * Leaves the rest in `rest`, and gives the number of right angles, of which only the last two bits have to be
 * right.
 */
function reduce(angle: number): number {
  if (!(angle < MOST_ANGLE && angle > -MOST_ANGLE)) return reduceFurther(angle);
  const n = angle * TURNS_PER_RADIAN + ROUNDER - ROUNDER;
  const first = angle - n * FIRST;
  const second = n * SECOND;
  const difference = first - second;
  const back = first - difference;
  const lost = back - second + (first - (difference + back));
  const third = n * THIRD - lost;
  const high = difference - third;
  rest[0] = high;
  rest[1] = difference - high - third;
  return n | 0;
}

/** A right angle as three doubles, of which each is what those before lack. */
const [LARGEST_PART, MIDDLE_PART, SMALLEST_PART] = /* @__PURE__ */ doublesOfRightAngle();

function doublesOfRightAngle(): readonly [number, number, number] {
  const whole = pi() / 2n;
  const first = toDouble(whole);
  const second = toDouble(whole - fromDouble(first));
  return [first, second, toDouble(whole - fromDouble(first) - fromDouble(second))];
}

function reduceFurther(angle: number): number {
  if (!(angle < MOST_MIDDLE_ANGLE && angle > -MOST_MIDDLE_ANGLE)) return reduceLarge(angle);
  const n = angle * TURNS_PER_RADIAN + ROUNDER - ROUNDER;
  const first = exactProduct(n, LARGEST_PART);
  const second = exactProduct(n, MIDDLE_PART);
  // Two sums with what each of them lost, of which only the second may be small.
  const difference = angle - first.high;
  const less = difference - first.low;
  const taken = difference - less;
  const lost = difference - (less + taken) + (taken - first.low);
  const left = less - second.high;
  const takenThen = less - left;
  const lostThen = less - (left + takenThen) + (takenThen - second.high);
  const low = lost + lostThen - second.low - n * SMALLEST_PART;
  rest[0] = left + low;
  rest[1] = left - rest[0] + low;
  return n | 0;
}

/** Enough digits for the largest double. */
const LARGE_UNIT = UNIT ** 6n;
let rightAngle: bigint | undefined;

function reduceLarge(angle: number): number {
  if (!Number.isFinite(angle)) {
    rest.fill(Number.NaN);
    return 0;
  }
  rightAngle ??= pi(LARGE_UNIT) / 2n;
  // Such doubles are multiples of 2^-32.
  const [whole, fraction] = [Math.trunc(angle), angle % 1];
  const value = (BigInt(whole) * 2n ** 32n + BigInt(fraction * 2 ** 32)) * (LARGE_UNIT / 2n ** 32n);
  const n = (2n * value + rightAngle) / (2n * rightAngle) - (2n * value + rightAngle < 0n ? 1n : 0n);
  const left = (value - n * rightAngle) / UNIT ** 5n;
  rest[0] = toDouble(left);
  rest[1] = toDouble(left - fromDouble(rest[0]));
  return Number(n & 3n);
}

function sineOfRest(): number {
  const y = rest[0]!;
  const z = y * y;
  const tail =
    -1 / 6 + z * (1 / 120 + z * (-1 / 5040 + z * (1 / 362880 + z * (S11 + z * (S13 + z * (S15 + z * S17))))));
  return y + (z * y * tail + rest[1]! * (1 - z / 2));
}

const S11 = -1 / 39916800;
const S13 = 1 / 6227020800;
const S15 = -1 / 1307674368000;
const S17 = 1 / 355687428096000;

function cosineOfRest(): number {
  const y = rest[0]!;
  const z = y * y;
  const half = z / 2;
  const tail = 1 / 24 + z * (-1 / 720 + z * (1 / 40320 + z * (C10 + z * (C12 + z * (C14 + z * C16)))));
  const one = 1 - half;
  return one + (1 - one - half + (z * z * tail - y * rest[1]!));
}

const C10 = -1 / 3628800;
const C12 = 1 / 479001600;
const C14 = -1 / 87178291200;
const C16 = 1 / 20922789888000;

/** @param angle in radians @example Real.sin(1) // 0.841471 */
export function sin(angle: number): number {
  const n = reduce(angle);
  const value = n & 1 ? cosineOfRest() : sineOfRest();
  return n & 2 ? -value : value;
}

/** @param angle in radians @example Real.cos(1) // 0.540302 */
export function cos(angle: number): number {
  const n = reduce(angle);
  const value = n & 1 ? sineOfRest() : cosineOfRest();
  return (n + 1) & 2 ? -value : value;
}

/**
 * Both at once, in less time than one after the other.
 *
 * @param angle in radians; @param target takes the sine and then the cosine
 * @example (() => { const both = [0, 0]; Real.sinCos(1, both); return both; })() // [0.841471, 0.540302]
 */
export function sinCos(angle: number, target: { [place: number]: number }): void {
  const n = reduce(angle);
  both[0] = sineOfRest();
  both[1] = cosineOfRest();
  const isOdd = n & 1;
  target[0] = (1 - (n & 2)) * both[isOdd]!;
  target[1] = (1 - ((n + 1) & 2)) * both[1 - isOdd]!;
}

/** Sine and cosine of a rest: chosen from by place, as branches would be guessed wrong every other time. */
const both = new Float64Array(2);

/** @param angle in radians @example Real.tan(1) // 1.55741 */
export function tan(angle: number): number {
  const n = reduce(angle);
  const sine = sineOfRest();
  const cosine = cosineOfRest();
  return n & 1 ? -cosine / sine : sine / cosine;
}
