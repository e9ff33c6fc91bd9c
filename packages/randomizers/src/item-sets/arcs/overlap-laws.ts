/** Laws of what the arcs of one set overlap, in cells, and how they are put one after the other. */
import { Real } from '@shuffle-dp/core';

/** The law of the overlap of one set, unnormalised, by how many of its own items are placed already. */
export type Laws = readonly Float64Array[];

/** What two arcs have in common that begin so many cells apart. */
function common(parts: number, apart: number): number {
  return Math.max(0, parts - apart);
}

/** So many items in one cell, in no order. */
export function massOf(mass: number, together: number): number {
  return Real.power(mass, together) / factorial(together);
}

export function factorial(n: number): number {
  let product = 1;
  for (let i = 2; i <= n; i++) product *= i;
  return product;
}

export function emptyLaws(items: number, size: number): Float64Array[] {
  return Array.from({ length: items }, () => new Float64Array(size));
}

export function addShifted(to: Float64Array, law: Float64Array, shift: number, factor: number): void {
  for (let overlap = 0; overlap + shift < to.length; overlap++)
    to[overlap + shift]! += factor * law[overlap]!;
}

/**
 * Of both one after the other.
 *
 * @param most own items; default as many as there are laws
 * @param sum is overwritten; no law of `a` or `b`
 */
export function convolved(
  a: Laws,
  b: Laws,
  most: number = a.length - 1,
  sum: Laws = emptyLaws(most + 1, a[0]!.length),
): Laws {
  for (let i = 0; i <= most; i++) {
    sum[i]!.fill(0);
    for (let k = 0; k <= i; k++) addProduct(sum[i]!, a[k]!, b[i - k]!);
  }
  return sum;
}

export function addProduct(to: Float64Array, a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) if (a[i]! > 0) addShifted(to, b, i, a[i]!);
}

export function lawsBetween(items: number, parts: number, cells: number, mass: number, size: number): Laws[] {
  const all: Float64Array[][] = [];
  for (let apart = 0; apart <= cells; apart++) {
    const laws = emptyLaws(items, size);
    const overlap = common(parts, apart);
    if (overlap < size) laws[0]![overlap] = 1;
    // By the first cell with an item.
    for (let count = 1; count < items; count++) {
      for (let cell = 1; cell < apart; cell++) {
        for (let together = 1; together <= count; together++) {
          const shift = common(parts, cell) + (together - 1) * parts;
          addShifted(laws[count]!, all[apart - cell]![count - together]!, shift, massOf(mass, together));
        }
      }
    }
    all.push(laws);
  }
  return all;
}

/** Of items in the cell of a beginning. */
export function lawsWithin(items: number, parts: number, mass: number, size: number): Laws {
  return emptyLaws(items, size).map((law, together) => {
    if (together * parts < size) law[together * parts] = massOf(mass, together);
    return law;
  });
}
