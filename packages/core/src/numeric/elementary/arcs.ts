/** The inverses of sine, cosine and tangent. */
import { arcSeries, pi, toDouble, UNIT } from './fixed-point.ts';

/** atan t = atan(j / 16) + atan((t - j / 16) / (1 + t j / 16)), and below 3 / 32 its series alone. */
const STEPS = 16;
const LEAST = 1.5 / STEPS;

const ARCS = /* @__PURE__ */ arcs();

/** atan(j / 16) at j. */
function arcs(): Float64Array {
  const table = new Float64Array(STEPS + 1);
  let sum = 0n;
  for (let j = 0; j < STEPS; j++) {
    sum += arcSeries(16n, BigInt(256 + j * (j + 1)), -1n, UNIT);
    table[j + 1] = toDouble(sum);
  }
  return table;
}

/** Of a quotient in [0, 1]. */
function atanOfPart(t: number): number {
  if (t < LEAST) return t + arcTail(t);
  const j = Math.round(t * STEPS);
  const c = j / STEPS;
  const z = (t - c) / (1 + t * c);
  return ARCS[j]! + (z + arcTail(z));
}

/** atan z - z for |z| <= 3 / 32. */
function arcTail(z: number): number {
  const s = z * z;
  return (
    z *
    s *
    (-1 / 3 +
      s * (1 / 5 + s * (-1 / 7 + s * (1 / 9 + s * (-1 / 11 + s * (1 / 13 + s * (-1 / 15 + s / 17)))))))
  );
}

/** The angle of a point seen from the origin, in (-pi, pi]. @example Real.atan2(1, 1) // 0.785398 */
export function atan2(y: number, x: number): number {
  const [a, b] = [Math.abs(y), Math.abs(x)];
  // Axes, infinities and NaN: constants, the same everywhere.
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity)) return Math.atan2(y, x);
  let angle = a <= b ? atanOfPart(a / b) : HALF_TURN / 2 - (atanOfPart(b / a) - HALF_TURN_LOW / 2);
  if (x < 0) angle = HALF_TURN - (angle - HALF_TURN_LOW);
  return y < 0 ? -angle : angle;
}

const HALF_TURN = Math.PI;
/** What the double lacks. */
const HALF_TURN_LOW = /* @__PURE__ */ lackOfPi();

function lackOfPi(): number {
  return toDouble(pi() - BigInt(Math.PI * 2 ** 51) * (UNIT >> 51n));
}

/** @example Real.asin(0.5) // 0.523599 */
export function asin(x: number): number {
  return atan2(x, Math.sqrt((1 - x) * (1 + x)));
}

/** @example Real.acos(0.5) // 1.0472 */
export function acos(x: number): number {
  return atan2(Math.sqrt((1 - x) * (1 + x)), x);
}
