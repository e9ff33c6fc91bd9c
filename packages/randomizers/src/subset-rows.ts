/** Random subsets as rows of bits: k of d elements without replacement, with given elements kept out or let in. */
import type { RandomStream } from '@shuffle-dp/core';
import type { BitColumns } from './unary-encoding.ts';

/**
 * Draws subsets of a changing part of the universe by partial Fisher-Yates over one array that is never reset: from any
 * order of its elements the first k of a partial shuffle are uniform.
 */
export class SubsetDrawer {
  readonly #order: Uint32Array;
  readonly #place: Uint32Array;
  readonly #columns: readonly Uint32Array[];
  readonly #stream: RandomStream;

  constructor(domain: number, columns: BitColumns, stream: RandomStream) {
    this.#order = Uint32Array.from({ length: domain }, (_, i) => i);
    this.#place = this.#order.slice();
    this.#columns = Array.from({ length: Math.ceil(domain / 32) }, (_, w) => columns[`w${w}`]!);
    this.#stream = stream;
  }

  /** Empties the row. */
  clear(row: number): void {
    for (const column of this.#columns) column[row] = 0;
  }

  /** Adds one element to the row. */
  add(row: number, element: number): void {
    const column = this.#columns[element >>> 5]!;
    column[row] = column[row]! | (1 << (element & 31));
  }

  /** Adds `size` uniform elements among all but the `excluded` ones items[from .. to) to the row. */
  addUniform(row: number, size: number, items: ArrayLike<number>, from: number, to: number): void {
    const last = this.#order.length - (to - from);
    // The excluded elements are moved behind the others.
    for (let i = from; i < to; i++) this.#swap(this.#place[items[i]!]!, last + i - from);
    for (let i = 0; i < size; i++) {
      this.#swap(i, i + this.#stream.integerBelow(last - i));
      this.add(row, this.#order[i]!);
    }
  }

  #swap(i: number, j: number): void {
    const order = this.#order;
    const a = order[i]!;
    const b = order[j]!;
    order[i] = b;
    order[j] = a;
    this.#place[a] = j;
    this.#place[b] = i;
  }
}
