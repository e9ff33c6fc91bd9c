/**
 * Random subsets as rows of bits: given elements are let in or kept out, the others drawn without
 * replacement.
 */
import type { RandomStream } from '@shuffle-dp/core';
import { wordsOf, type BitColumns } from './bit-rows.ts';

/**
 * Makes one row at a time: `add` and `addUniform`, then `write`. Elements are drawn by partial Fisher-Yates
 * over one array of labels that is never reset: from any order of the labels the first k of a partial shuffle
 * are uniform. Every user keeps equally many elements out, so the labels are always 0 to
 * domain - excluded - 1; those of elements kept out are lent to the elements beyond.
 */
export class SubsetDrawer {
  readonly #order: Uint32Array;
  readonly #elementOf: Uint32Array;
  readonly #keptOut: Uint8Array;
  readonly #row: Uint32Array;
  readonly #columns: readonly Uint32Array[];
  readonly #stream: RandomStream;

  /** @param excluded elements that every user keeps out of the uniform draw; domain is at most 2^21 */
  constructor(domain: number, excluded: number, columns: BitColumns, stream: RandomStream) {
    this.#order = Uint32Array.from({ length: domain - excluded }, (_, i) => i);
    this.#elementOf = Uint32Array.from({ length: domain }, (_, i) => i);
    this.#keptOut = new Uint8Array(domain);
    this.#row = new Uint32Array(Math.ceil(domain / 32));
    this.#columns = wordsOf(columns, domain);
    this.#stream = stream;
  }

  add(element: number): void {
    this.#row[element >>> 5]! |= 1 << (element & 31);
  }

  /** Adds `size` uniform elements among all but items[from .. to), as many as the constructor was told. */
  addUniform(size: number, items: Uint32Array, from: number, to: number): void {
    const labels = this.#order.length;
    const elementOf = this.#elementOf;
    const keptOut = this.#keptOut;
    for (let i = from; i < to; i++) keptOut[items[i]!] = 1;
    let beyond = labels;
    for (let i = from; i < to; i++) {
      const item = items[i]!;
      if (item >= labels) continue;
      while (keptOut[beyond] === 1) beyond++;
      elementOf[item] = beyond++;
    }
    addDrawn(size, this.#order, elementOf, this.#row, this.#stream);
    for (let i = from; i < to; i++) {
      const item = items[i]!;
      keptOut[item] = 0;
      elementOf[item] = item;
    }
  }

  /** Writes the row to the columns and empties it for the next user. */
  write(index: number): void {
    const columns = this.#columns;
    const row = this.#row;
    for (let w = 0; w < row.length; w++) {
      columns[w]![index] = row[w]!;
      row[w] = 0;
    }
  }
}

const TWO_32 = 2 ** 32;
const TWO_NEG_32 = 2 ** -32;

function addDrawn(
  size: number,
  order: Uint32Array,
  elementOf: Uint32Array,
  row: Uint32Array,
  stream: RandomStream,
): void {
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = 0; i < size;) {
    let x = Math.imul(s1, 5);
    x = Math.imul((x << 7) | (x >>> 25), 9);
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    const bound = order.length - i;
    const product = (x >>> 0) * bound;
    const draw = (product * TWO_NEG_32) >>> 0;
    const low = product - draw * TWO_32;
    if (low < bound && low < TWO_32 % bound) continue;
    const label = order[i + draw]!;
    order[i + draw] = order[i]!;
    order[i] = label;
    const element = elementOf[label]!;
    row[element >>> 5]! |= 1 << (element & 31);
    i++;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}
