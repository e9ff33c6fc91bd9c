/**
 * A function from items to 32-bit words for every 32-bit seed: two rounds of the finalizer of MurmurHash3 (A. Appleby,
 * public domain), into both of which the item goes. For every item all words are equally likely over the seeds, exactly;
 * that the words of different items are independent is the usual idealisation.
 */
export function hashItem(seed: number, item: number): number {
  const first = finalize((seed + Math.imul(item, 0x9e3779b1)) | 0);
  return finalize(first ^ Math.imul(item + 1, 0x7feb352d)) >>> 0;
}

function finalize(word: number): number {
  let x = word;
  x ^= x >>> 16;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return x ^ (x >>> 16);
}
