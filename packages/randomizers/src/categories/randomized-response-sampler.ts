/**
 * Draws of generalized randomized response: with probability `truthful` the own value, else uniform over all.
 * A random word is cut into equal cells, so many for the truth, so many for every value; the few cells left
 * stand for what whole cells cannot say and are decided by further draws. Probabilities are exact to 2^-53 of
 * that remainder.
 */
import type { RandomStream } from '@shuffle-dp/core';
import type { CategoryColumn } from '../columns/category-column.ts';

/** Writes one message for each of `values` to the front of `out`. */
export type ResponseSampler = (values: Uint32Array, out: CategoryColumn, stream: RandomStream) => void;

/** Up to here few enough of the 2^16 cells are left over. */
const LARGEST_TABLED = 4096;

export function responseSampler(domain: number, truthful: number): ResponseSampler {
  return domain <= LARGEST_TABLED ? tabledSampler(domain, truthful) : wholeWordSampler(domain, truthful);
}

interface Cells {
  /** Cells that say to be truthful: the first ones. */
  readonly kept: number;
  /** Cells of each value, which follow value by value. */
  readonly width: number;
  /** All these together. */
  readonly decided: number;
  /** Probability of the truth in the cells left over. */
  readonly truthfulOfRest: number;
}

/** `multiple` divides the number of truthful cells. */
function cutCells(cells: number, domain: number, truthful: number, multiple: number): Cells {
  const kept = multiple * Math.floor((truthful * cells) / multiple);
  const width = Math.floor((cells - Math.ceil(truthful * cells)) / domain);
  const decided = kept + domain * width;
  return { kept, width, decided, truthfulOfRest: (truthful * cells - kept) / (cells - decided) };
}

function answer(value: number, domain: number, truthful: number, stream: RandomStream): number {
  return stream.next() < truthful ? value : stream.integerBelow(domain);
}

const BLOCK = 8192;
const CELLS = 1 << 16;
/** Bit 15, the sign, says to take the own value, bit 14 that further draws decide; the rest is a value. */
const OWN = -32768;
const UNDECIDED = 0x4000;

/** Messages of a block, whatever the type of the column: a loop over one type of array is compiled better. */
const made = new Uint16Array(BLOCK);
/** Pairs of users of a block of whom one is undecided, by the first. */
const undecided = new Uint16Array(BLOCK);

/** A user takes half a word, which is looked up. */
function tabledSampler(domain: number, truthful: number): ResponseSampler {
  const { kept, width, decided, truthfulOfRest } = cutCells(CELLS, domain, truthful, 1);
  let table: Int16Array | undefined;
  const makeTable = (): Int16Array => {
    const cells = new Int16Array(CELLS).fill(OWN, 0, kept).fill(UNDECIDED, decided);
    for (let v = 0; v < domain; v++) cells.fill(v, kept + v * width, kept + (v + 1) * width);
    return cells;
  };
  return (values, out, stream) => {
    table ??= makeTable();
    for (let start = 0; start < values.length; start += BLOCK) {
      const block = values.subarray(start, start + BLOCK);
      const count = lookUpPairs(block, table, stream);
      for (let k = 0; k < count; k++) {
        const first = undecided[k]!;
        for (let i = first; i < first + 2; i++)
          if ((made[i]! & UNDECIDED) !== 0) made[i] = answer(block[i]!, domain, truthfulOfRest, stream);
      }
      const last = block.length - 1;
      if (last % 2 === 0) made[last] = answer(block[last]!, domain, truthful, stream);
      out.set(made.subarray(0, block.length), start);
    }
  };
}

/** Fills `made` and `undecided` and returns the length of the latter. An odd user at the end is left out. */
function lookUpPairs(values: Uint32Array, table: Int16Array, stream: RandomStream): number {
  let count = 0;
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = 0; i + 1 < values.length; i += 2) {
    let x = Math.imul(s1, 5);
    x = Math.imul((x << 7) | (x >>> 25), 9);
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    const a = table[x >>> 16]!;
    const b = table[x & 0xffff]!;
    // No branch on the coin: it would be guessed wrong too often.
    made[i] = (values[i]! & (a >> 15)) | (a & 0x7fff);
    made[i + 1] = (values[i + 1]! & (b >> 15)) | (b & 0x7fff);
    if (((a | b) & UNDECIDED) !== 0) undecided[count++] = i;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
  return count;
}

const TWO_32 = 2 ** 32;

/** A user takes a whole word, and a value's cell is found by a division. */
function wholeWordSampler(domain: number, truthful: number): ResponseSampler {
  const cells = cutCells(TWO_32, domain, truthful, 2);
  return (values, out, stream) => {
    for (let start = 0; start < values.length; start += BLOCK)
      divideBlock({ ...cells, domain }, values.subarray(start, start + BLOCK), out, start, stream);
  };
}

/** The answers of a block of users, who stand from `start` on in `out`. */
function divideBlock(
  { kept, width, decided, truthfulOfRest, domain }: Cells & { readonly domain: number },
  values: Uint32Array,
  out: CategoryColumn,
  start: number,
  stream: RandomStream,
): void {
  // Half a word is added so that rounding never crosses a whole quotient.
  const inverseWidth = width > 0 ? 1 / width : 0;
  const shift = 0.5 - kept;
  const threshold = (kept / 2) | 0;
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = 0; i < values.length; i++) {
    let x = Math.imul(s1, 5);
    x = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    if (x < decided) {
      // All ones below `kept`, else zero. The difference wraps at 2^31.
      const own = ((x >>> 1) - threshold) >> 31;
      out[start + i] = (values[i]! & own) | (((x + shift) * inverseWidth) & ~own);
    } else {
      s[0] = s0;
      s[1] = s1;
      s[2] = s2;
      s[3] = s3;
      out[start + i] = answer(values[i]!, domain, truthfulOfRest, stream);
      s0 = s[0]!;
      s1 = s[1]!;
      s2 = s[2]!;
      s3 = s[3]!;
    }
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}
