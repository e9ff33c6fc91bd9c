/**
 * Random functions from items to the integers below the prime 2^31 - 1, of which any k items have independent
 * uniform values, exactly: polynomials of degree k - 1 over the field of that many elements (M. N. Wegman, J.
 * L. Carter, "New Hash Functions and Their Use in Authentication and Set Equality", JCSS 22(3), 1981).
 *
 * A polynomial is sent as c_0, …, c_(k-1) of h(x) = sum over j of c_j C(x, j). That basis is as good as
 * powers, since any k different points make an invertible matrix of either; and here the values at 0, 1, 2, …
 * follow by additions alone.
 */
import type { RandomStream } from '@shuffle-dp/core';

/** Values are the integers below it. */
export const FIELD = 2 ** 31 - 1;

/** `coefficient0`, `coefficient1`, …: one function a message. */
export type FunctionColumns = Readonly<Record<`coefficient${number}`, Uint32Array>>;

/** One function at a time, that of a message. */
export class PolynomialHash {
  readonly domain: number;
  /** k: any so many items have independent values. */
  readonly independence: number;
  readonly #names: readonly `coefficient${number}`[];
  /** Coefficients of the function in use. */
  readonly #own: Int32Array;
  /** C(x, j) in the field, j fastest. */
  #binomials: Int32Array | undefined;

  /** @param independence at most `domain`: then all items are independent */
  constructor(domain: number, independence: number) {
    this.domain = domain;
    this.independence = independence;
    this.#names = Array.from({ length: independence }, (_, j) => `coefficient${j}` as const);
    this.#own = new Int32Array(independence);
  }

  get bits(): number {
    return this.independence * Math.log2(FIELD);
  }

  allocate(users: number): FunctionColumns {
    return Object.fromEntries(this.#names.map((name) => [name, new Uint32Array(users)]));
  }

  /** Draws a function for each of so many messages. */
  fill(columns: FunctionColumns, users: number, stream: RandomStream): void {
    for (const name of this.#names) {
      const column = columns[name]!;
      for (let i = 0; i < users; i++) {
        let word = stream.nextUint32() >>> 1;
        while (word === FIELD) word = stream.nextUint32() >>> 1;
        column[i] = word;
      }
    }
  }

  /** Calls `visit` with the number of every message, whose function is the one in use then. */
  forEach(columns: FunctionColumns, count: number, visit: (message: number) => void): void {
    const own = this.#own;
    const all = this.#names.map((name) => columns[name]!);
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < own.length; j++) own[j] = all[j]![i]!;
      visit(i);
    }
  }

  use(coefficients: ArrayLike<number>): void {
    this.#own.set(coefficients);
  }

  /** Of the function in use, at one item. */
  valueOf(item: number): number {
    const own = this.#own;
    const { length } = own;
    const binomials = (this.#binomials ??= binomialTable(this.domain, length));
    // Halves of a coefficient, so that products are exact: sums of k stay below 2^53 up to k = 63.
    let high = 0;
    let low = 0;
    for (let j = 0, place = item * length; j < length; j++, place++) {
      const factor = binomials[place]!;
      high += (own[j]! >>> 16) * factor;
      low += (own[j]! & 0xffff) * factor;
    }
    return residue(residue(high) * 0x10000 + low);
  }

  /** Writes the values of the function in use at items 0, 1, 2, … to `out`; the function is gone then. */
  writeValues(out: Int32Array): void {
    const differences = this.#own;
    const last = differences.length - 1;
    for (let item = 0; item < out.length; item++) {
      out[item] = differences[0]!;
      for (let j = 0; j < last; j++) {
        const sum = differences[j]! - FIELD + differences[j + 1]!;
        differences[j] = sum + ((sum >> 31) & FIELD);
      }
    }
  }
}

/** Of an integer below 2^53: 2^31 is one in the field. */
function residue(integer: number): number {
  const multiple = Math.floor(integer * 2 ** -31);
  const rest = integer - multiple * FIELD;
  // Below 2^31 + 2^22, as what is left of a multiple of 2^31.
  return rest >= FIELD ? rest - FIELD : rest;
}

/** Pascal's triangle in the field, the first columns of it. */
function binomialTable(domain: number, columns: number): Int32Array {
  const table = new Int32Array(domain * columns);
  table[0] = 1;
  for (let x = 1; x < domain; x++) {
    for (let j = 0; j < columns; j++) {
      const above = (x - 1) * columns + j;
      const sum = table[above]! - FIELD + (j === 0 ? 0 : table[above - 1]!);
      table[x * columns + j] = sum + ((sum >> 31) & FIELD);
    }
  }
  return table;
}
