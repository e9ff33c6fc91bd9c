/**
 * Messages of local hashing from one random word a user, where the functions are few: 20 bits draw the
 * function, by the high part of a product, and 12 bits draw what is added to the bucket, from cells so many
 * for each number; biased products and the few cells left over are decided by further draws, so that the law
 * is exact.
 *
 * An engine reads arrays that are always the same ones fastest by far, so that the tables in use are copied
 * to such arrays.
 */
import type { RandomStream } from '@shuffle-dp/core';
import { innerProduct, normalisedVectors } from './field-vectors.ts';

/** The most functions: a product with 20 random bits has to fit a word. There are at most 64 buckets then. */
export const LARGEST_FAMILY = 1 << 12;

const CELLS = 1 << 12;
const FUNCTION_BITS = 20;
const FUNCTION_MASK = (1 << FUNCTION_BITS) - 1;
const UNDECIDED = 0xff;

export interface HashResponse {
  readonly range: number;
  /** Number of functions. */
  readonly size: number;
  /** For every cell what is added to the bucket, or `UNDECIDED`. */
  readonly shifts: Uint8Array;
  /** Probability that nothing is added, in the cells left over. */
  readonly unshiftedOfRest: number;
  /**
   * The vectors of values and those of functions cut in two halves, the upper one above 16 bits; functions
   * times `base`.
   */
  readonly points: Int32Array;
  readonly functions: Int32Array;
  /** products[a * base + b] = <a, b>. */
  readonly products: Uint8Array;
  /** Sums modulo the range. */
  readonly residues: Uint8Array;
}

/** @param own probability of a message in the user's bucket; all other buckets are equally likely */
export function hashResponse(domain: number, range: number, size: number, own: number): HashResponse {
  let base = range;
  while (base * base < size) base *= range;
  const halves = (vector: number, scale: number): number =>
    ((Math.floor(vector / base) * scale) << 16) | ((vector % base) * scale);
  const kept = Math.floor(own * CELLS);
  const width = Math.floor(((1 - own) / (range - 1)) * CELLS);
  const decided = kept + (range - 1) * width;
  const shifts = new Uint8Array(CELLS).fill(0, 0, kept).fill(UNDECIDED, decided);
  for (let shift = 1; shift < range; shift++)
    shifts.fill(shift, kept + (shift - 1) * width, kept + shift * width);
  return {
    range,
    size,
    shifts,
    unshiftedOfRest: decided === CELLS ? 1 : (own * CELLS - kept) / (CELLS - decided),
    points: Int32Array.from(normalisedVectors(domain, range), (vector) => halves(vector, 1)),
    functions: Int32Array.from({ length: size }, (_, seed) => halves(seed, base)),
    products: Uint8Array.from({ length: base * base }, (_, cell) =>
      innerProduct(Math.floor(cell / base), cell % base, range),
    ),
    residues: Uint8Array.from({ length: 3 * range }, (_, sum) => sum % range),
  };
}

/** Writes one message for each of `values`. */
export function respondWithHashes(
  response: HashResponse,
  values: Uint32Array,
  seeds: Uint32Array,
  buckets: Uint16Array,
  stream: RandomStream,
): void {
  use(response);
  for (let start = 0; start < values.length; start += BLOCK) {
    const count = Math.min(BLOCK, values.length - start);
    held.set(values.subarray(start, start + count));
    stream.fillUint32(words, 0, count);
    const doubtful = makeBlock(count, response.size, 2 ** FUNCTION_BITS % response.size);
    for (let k = 0; k < doubtful; k++) settle(undecided[k]!, response, stream);
    seeds.set(madeSeeds.subarray(0, count), start);
    buckets.set(madeBuckets.subarray(0, count), start);
  }
}

const BLOCK = 2048;
const words = new Uint32Array(BLOCK);
const held = new Uint32Array(BLOCK);
const madeSeeds = new Uint32Array(BLOCK);
const madeBuckets = new Uint16Array(BLOCK);
/** Users of a block for whom further draws decide. */
const undecided = new Uint16Array(BLOCK);

const shifts = new Uint8Array(CELLS);
const points = new Int32Array(LARGEST_FAMILY);
const functions = new Int32Array(LARGEST_FAMILY);
const products = new Uint8Array(1 << 15);
const residues = new Uint8Array(512);
let inUse: HashResponse | undefined;

function use(response: HashResponse): void {
  if (inUse === response) return;
  inUse = response;
  shifts.set(response.shifts);
  points.set(response.points);
  functions.set(response.functions);
  products.set(response.products);
  residues.set(response.residues);
}

/** Makes the messages of `held` from `words`; fills `undecided` and returns its length. */
function makeBlock(count: number, size: number, favouring: number): number {
  const functionCount = size | 0;
  const biased = favouring | 0;
  let doubtful = 0;
  for (let i = 0; i < count; i++) {
    const word = words[i]! | 0;
    const product = Math.imul(word & FUNCTION_MASK, functionCount);
    const seed = product >>> FUNCTION_BITS;
    const shift = shifts[word >>> FUNCTION_BITS]!;
    const places = (points[held[i]!]! + functions[seed]!) | 0;
    madeBuckets[i] = residues[products[places & 0xffff]! + products[places >>> 16]! + shift]!;
    madeSeeds[i] = seed;
    if ((((product & FUNCTION_MASK) - biased) | (UNDECIDED - 1 - shift)) < 0) undecided[doubtful++] = i;
  }
  return doubtful;
}

function settle(i: number, { range, size, unshiftedOfRest }: HashResponse, stream: RandomStream): void {
  const word = words[i]!;
  const product = Math.imul(word & FUNCTION_MASK, size);
  let shift = shifts[word >>> FUNCTION_BITS]!;
  if ((product & FUNCTION_MASK) < 2 ** FUNCTION_BITS % size) madeSeeds[i] = stream.integerBelow(size);
  if (shift === UNDECIDED) shift = stream.next() < unshiftedOfRest ? 0 : 1 + stream.integerBelow(range - 1);
  const places = points[held[i]!]! + functions[madeSeeds[i]!]!;
  madeBuckets[i] = residues[products[places & 0xffff]! + products[places >>> 16]! + shift]!;
}
