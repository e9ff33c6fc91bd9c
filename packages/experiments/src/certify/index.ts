export { certify } from './certify.ts';
export { requireCertifiableTarget } from './certificate-limits.ts';
export { certifyRounds } from './certify-rounds.ts';
export { NoCertificateError } from './no-certificate-error.ts';
export { type ProfilePoint, privacyProfilePoints, profileCsv } from './privacy-profile-points.ts';
