/** @module Certificates of privacy after shuffling, and the verifier that rechecks them in exact integers. */
export {
  CERTIFICATE_KIND,
  certificateText,
  CertificateFormatError,
  type CertificateAtom,
  type CertificateContent,
  type CertificatePair,
  type CertificateSteps,
} from './certificate.ts';
export { powerSteps } from './convolution-power.ts';
export { decimalValue, exponential, FRACTION_BITS } from './exact.ts';
export { slotLaw, type ExactAtom, type SlotLaw } from './lattice-law.ts';
export { recomputedMasses, type AtomMasses } from './mechanism-masses.ts';
export { exactAtom, isSymmetric, provedDelta, verifyCertificate, type CertificateVerdict } from './verify.ts';
