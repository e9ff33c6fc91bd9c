// @module-tag long
/** Pairs of values with exponential noise, on grids of the others that take seconds. */
import { describe } from 'vitest';
import { describeExponentialInputs, LONG_GRIDS } from './exponential-laws.ts';

describe.each(LONG_GRIDS)('noise of width $width, clipped: $isClipped, sparse: $isSparse', (noise) => {
  describeExponentialInputs(noise);
});
