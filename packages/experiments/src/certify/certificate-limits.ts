/** What a certificate may be of, and the exponential as its verifier takes it. */
import { decimalValue, exponential } from '@shuffle-dp/certificates';

export const LEAST_DELTA = 1e-100;
export const MOST_USERS = 1e9;
/** The verifier's own limit. */
export const MOST_EPSILON = 700;

/** e^epsilon from below, over 2^FRACTION_BITS, of the decimal that a double is written as. */
export function growthOf(epsilon: number): bigint {
  return exponential(decimalValue(`${epsilon}`)!).lower;
}
