/** What a certificate may be of, and the exponential as its verifier takes it. */
import { decimalValue, exponential } from '@shuffle-dp/certificates';
import { requireTarget, type Target } from '@shuffle-dp/core';
import { NoCertificateError } from './no-certificate-error.ts';

export const LEAST_DELTA = 1e-100;
export const MOST_USERS = 1e9;
/** The verifier's own limit. */
export const MOST_EPSILON = 700;

/**
 * For what can be said before anything is computed.
 *
 * @throws NoCertificateError where no certificate is of that delta, or that epsilon; ParameterError for both
 */
export function requireCertifiableTarget(target: Target): void {
  requireTarget(target);
  if ('epsilon' in target) {
    if (!(target.epsilon <= MOST_EPSILON))
      throw new NoCertificateError(
        `no certificate: epsilon = ${target.epsilon}: must be at most ${MOST_EPSILON}`,
      );
  } else if (!(target.delta >= LEAST_DELTA && target.delta < 1))
    throw new NoCertificateError(
      `no certificate: delta = ${target.delta}: must be at least ${LEAST_DELTA} and below 1`,
    );
}

/** e^epsilon from below, over 2^FRACTION_BITS, of the decimal that a double is written as. */
export function growthOf(epsilon: number): bigint {
  return exponential(decimalValue(`${epsilon}`)!).lower;
}
