/** @module Certificates of privacy after shuffling, and the verifier that rechecks them in exact integers. */
export {
  CERTIFICATE_KIND,
  certificateText,
  CertificateFormatError,
  type CertificateAtom,
  type CertificateClaim,
  type CertificateContent,
  type CertificatePair,
  type CertificatePoint,
  type CertificateSteps,
  type WindowEnds,
} from './certificate.ts';
export { excessOfLosses, lossGrid, type LossGrid, roundLoss } from './composition.ts';
export { convolutionPower, MOST_PRODUCT_BITS, powerSteps } from './convolution-power.ts';
export { decimalValue, exponential, FRACTION_BITS, type Rational } from './exact.ts';
export { slotLaw, type ExactAtom, type SlotLaw } from './lattice-law.ts';
export { recomputedMasses, type AtomMasses } from './mechanism-masses.ts';
export { fractionAbove, ordersOf, provedDelta, roundDelta } from './proved-delta.ts';
export { verifyCertificate, type CertificateVerdict } from './verify.ts';
