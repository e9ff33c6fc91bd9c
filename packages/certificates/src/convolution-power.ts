/**
 * The law of a sum of n independent copies, from above: squarings, and products of their results, each a
 * single product of long integers (Kronecker substitution), masses rounded up. On the way the lattice may be
 * made twice as coarse. What lies below a window is moved up to its lower end; what lies beyond its upper end
 * is kept as one number.
 */
import { Fault } from './fault.ts';
import type { LatticeLaw } from './lattice-law.ts';

export type Window = readonly [low: number, high: number];

/**
 * How the power of a law is taken: a window for each product, and the squarings (from 1) after which the
 * spacing is doubled.
 */
export interface PowerPlan {
  readonly windows: readonly Window[];
  readonly doublings: readonly number[];
}

/** Of the product of two laws: longer integers and texts are more than readers can hold. */
export const MOST_PRODUCT_BITS = 2 ** 29;

/**
 * Products on the way to `copies`: a squaring for each binary digit from the second lowest on, and where that
 * digit is a one, one of the squared law with what the lower digits have given; the lowest one needs none.
 *
 * @example powerSteps(5n) // ['square', 'square', 'multiply']
 */
export function powerSteps(copies: bigint): ('square' | 'multiply')[] {
  const digits = Array.from(copies.toString(2)).toReversed();
  const lowest = digits.indexOf('1');
  return digits
    .slice(1)
    .flatMap((digit, i) =>
      digit === '1' && i + 1 > lowest ? (['square', 'multiply'] as const) : (['square'] as const),
    );
}

/**
 * The law of a sum of independent copies, with masses of at least the true ones. @throws Fault where its
 * masses or its length are no law's
 *
 * @returns on the lattice that is coarser by 2^(number of doublings)
 */
export function convolutionPower(
  one: LatticeLaw,
  copies: bigint,
  { windows, doublings }: PowerPlan,
  probabilityBits: bigint,
): LatticeLaw {
  let squared = one;
  let power = (copies & 1n) === 1n ? one : null;
  let squarings = 0;
  let product = 0;
  for (let rest = copies >> 1n; rest > 0n; rest >>= 1n) {
    squared = convolved(squared, squared, windows[product++]!, probabilityBits);
    squarings++;
    if (doublings.includes(squarings)) {
      squared = coarsened(squared);
      power = power && coarsened(power);
    }
    if ((rest & 1n) === 0n) continue;
    power = power === null ? squared : convolved(power, squared, windows[product++]!, probabilityBits);
  }
  return power!;
}

/** On every second lattice point: masses between two of them go to both in halves, which keeps their mean. */
function coarsened({ first, masses, beyond, most }: LatticeLaw): LatticeLaw {
  const start = Math.floor(first / 2);
  const points = Array.from({ length: Math.ceil((first + masses.length - 1) / 2) - start + 1 }, () => 0n);
  masses.forEach((mass, i) => {
    const index = first + i;
    const low = Math.floor(index / 2) - start;
    if (index % 2 === 0) return (points[low]! += mass);
    const half = (mass + 1n) >> 1n;
    points[low]! += half;
    return (points[low + 1]! += half);
  });
  return { first: start, masses: points, beyond, most: Math.ceil(most / 2) };
}

/** The sum of two independent values, in the window. */
function convolved(a: LatticeLaw, b: LatticeLaw, [low, high]: Window, bits: bigint): LatticeLaw {
  const [totalA, totalB] = [checkedTotal(a, bits), checkedTotal(b, bits)];
  // No coefficient of the product exceeds the product of the sums.
  const digits = Math.ceil((totalA.toString(2).length + totalB.toString(2).length) / 4) + 1;
  const count = a.masses.length + b.masses.length - 1;
  if (2 * Number(bits) * count > MOST_PRODUCT_BITS)
    throw new Fault('its laws have too many points for their digits');
  const packed = packedInteger(a.masses, digits);
  const whole = packed * (a === b ? packed : packedInteger(b.masses, digits));
  const text = whole.toString(16).padStart(count * digits, '0');
  const first = a.first + b.first;
  /** The coefficient of the lattice point `first + i`, over 2^(2 bits). */
  const coefficient = (i: number): bigint =>
    BigInt(`0x${text.slice((count - 1 - i) * digits, (count - i) * digits)}`);
  const bottom = Math.max(low, first);
  const top = Math.min(high, first + count - 1);
  let below = 0n;
  for (let i = 0; i < Math.min(count, low - first); i++) below += coefficient(i);
  let above = a.beyond * totalB + b.beyond * totalA + a.beyond * b.beyond;
  for (let i = Math.max(0, high - first + 1); i < count; i++) above += coefficient(i);
  const masses: bigint[] = [];
  for (let index = bottom; index <= top; index++) masses.push(roundedUp(coefficient(index - first), bits));
  if (below > 0n) masses[0] = (masses[0] ?? 0n) + roundedUp(below, bits);
  if (masses.length === 0) masses.push(0n);
  return { first: bottom, masses, beyond: roundedUp(above, bits), most: Math.max(a.most + b.most, bottom) };
}

/** A law has a mass of 1, and a little more as it is rounded up: what has far more is none. */
function checkedTotal({ masses, beyond }: LatticeLaw, bits: bigint): bigint {
  let sum = 0n;
  for (const mass of masses) sum += mass;
  if (sum + beyond > 2n << bits) throw new Fault('a law of its steps has a mass of more than 2');
  return sum;
}

/** The first mass in the lowest digits. */
function packedInteger(masses: readonly bigint[], digits: number): bigint {
  return BigInt(
    `0x${masses
      .map((mass) => mass.toString(16).padStart(digits, '0'))
      .reverse()
      .join('')}`,
  );
}

function roundedUp(value: bigint, bits: bigint): bigint {
  return (value + (1n << bits) - 1n) >> bits;
}
