/**
 * The law of a sum of n independent copies, from above: squarings and multiplications by one copy, each a single product of long integers
 * (Kronecker substitution), masses rounded up. What lies below a window is moved up to its lower end; what lies beyond its upper end is
 * kept as one number.
 */
import type { LatticeLaw } from './lattice-law.ts';

export type Window = readonly [low: number, high: number];

/**
 * Squarings, and multiplications by one copy, on the way to `copies`: its binary digits from the second on.
 *
 * @example powerSteps(5n) // ['square', 'square', 'one more']
 */
export function powerSteps(copies: bigint): ('square' | 'one more')[] {
  return Array.from(copies.toString(2).slice(1)).flatMap((digit) =>
    digit === '1' ? (['square', 'one more'] as const) : (['square'] as const),
  );
}

/** @param windows one for each step */
export function convolutionPower(
  one: LatticeLaw,
  copies: bigint,
  windows: readonly Window[],
  probabilityBits: bigint,
): LatticeLaw {
  let law = one;
  powerSteps(copies).forEach((step, i) => {
    law = convolved(law, step === 'square' ? law : one, windows[i]!, probabilityBits);
  });
  return law;
}

/** The sum of two independent values, in the window. */
function convolved(a: LatticeLaw, b: LatticeLaw, [low, high]: Window, bits: bigint): LatticeLaw {
  const [totalA, totalB] = [total(a.masses), total(b.masses)];
  // No coefficient of the product exceeds the product of the sums.
  const digits = Math.ceil((totalA.toString(2).length + totalB.toString(2).length) / 4) + 1;
  const count = a.masses.length + b.masses.length - 1;
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
  return { first: bottom, masses, beyond: roundedUp(above, bits) };
}

function total(masses: readonly bigint[]): bigint {
  let sum = 0n;
  for (const mass of masses) sum += mass;
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
