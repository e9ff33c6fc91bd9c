// A thousand damaged certificates, and a thousand forged ones: none is valid.
import { certificateText, CertificateFormatError, verifyCertificate } from '@shuffle-dp/certificates';
import { expect, it } from 'vitest';
import { certificateOf, damaged, forged, RECOMPUTED } from './certificates.ts';

function isValid(file: Uint8Array): boolean {
  try {
    return verifyCertificate(file).valid;
  } catch (error) {
    if (error instanceof CertificateFormatError) return false;
    throw error;
  }
}

const contents = RECOMPUTED.map(certificateOf);

it('a thousand damaged files', () => {
  for (let seed = 0; seed < 1000; seed++) {
    const text = certificateText(contents[seed % contents.length]!);
    expect(isValid(damaged(text, 10_000 + seed)), `seed ${seed}`).toBe(false);
  }
});

it('a thousand forged ones', () => {
  for (let seed = 0; seed < 1000; seed++) {
    // Fourteen changes and nine certificates: every one meets every other.
    const { change, file } = forged(contents[seed % contents.length]!, 10_000 + seed);
    expect(isValid(file), `${change}, seed ${seed}`).toBe(false);
  }
});
