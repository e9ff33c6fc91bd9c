// @module-tag long
// A thousand damaged certificates, and a thousand forged ones: none is valid. Certificates of many rounds,
// for every mechanism that has one.
import { certificateText, CertificateFormatError, verifyCertificate } from '@shuffle-dp/certificates';
import { expect, it } from 'vitest';
import { composeMechanisms } from '../../src/account/compose-account.ts';
import {
  certificateOf,
  COMPOSED,
  damaged,
  forged,
  MORE_COMPOSED,
  RECOMPUTED,
  upperByBlankets,
} from './certificates.ts';

function isValid(file: Uint8Array): boolean {
  try {
    return verifyCertificate(file).valid;
  } catch (error) {
    if (error instanceof CertificateFormatError) return false;
    throw error;
  }
}

const contents = [...RECOMPUTED, ...COMPOSED].map(certificateOf);

it('a thousand damaged files', () => {
  for (let seed = 0; seed < 1000; seed++) {
    const text = certificateText(contents[seed % contents.length]!);
    expect(isValid(damaged(text, 10_000 + seed)), `seed ${seed}`).toBe(false);
  }
});

it('a thousand forged ones', () => {
  for (let seed = 0; seed < 1000; seed++) {
    // Twenty-three changes and eleven certificates: every one meets every other.
    const { change, file } = forged(contents[seed % contents.length]!, 10_000 + seed);
    expect(isValid(file), `${change}, seed ${seed}`).toBe(false);
  }
});

it.each(MORE_COMPOSED)('$rounds rounds of $mechanism lose at most 1 %', (setting) => {
  const content = certificateOf(setting);
  expect(isValid(new TextEncoder().encode(certificateText(content)))).toBe(true);
  const upper =
    setting.mechanism === 'general'
      ? composeMechanisms([setting], { delta: setting.delta }).bracket.upper
      : upperByBlankets(setting);
  expect(Number(content.claim.epsilon)).toBeGreaterThanOrEqual(upper * (1 - 1e-3));
  expect(Number(content.claim.epsilon)).toBeLessThanOrEqual(upper * 1.01);
});
