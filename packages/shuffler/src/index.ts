/** @module The shuffler: uniform permutations of message batches. */

export { shuffleRows } from './rows.ts';
export { shufflePerDimension } from './per-dimension.ts';
export { scatterBlock, type ScatteredBlock } from './bucket-scatter.ts';
export { shuffle, type ShuffleOptions } from './shuffle.ts';
