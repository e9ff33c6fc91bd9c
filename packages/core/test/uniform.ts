/**
 * Numbers spread evenly over a range, the ends more often. `fc.double` is even over the doubles themselves:
 * of a range that holds 0 nearly all it draws is next to 0, where most properties say nothing.
 */
import * as fc from 'fast-check';

const STEPS = 2 ** 30;

export const uniform = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: STEPS }).map((step) => min + (max - min) * (step / STEPS));
