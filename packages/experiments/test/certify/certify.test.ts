import { certificateText, CertificateFormatError, verifyCertificate } from '@shuffle-dp/certificates';
import { blanketDivergence, certifiedEpsilon } from '@shuffle-dp/accounting';
import { describe, expect, it } from 'vitest';
import { mechanismModel } from '../../src/account/mechanisms.ts';
import { certify } from '../../src/certify/certify.ts';
import { roundedUp } from '../../src/certify/rounded-up.ts';
import { certifyRounds } from '../../src/certify/certify-rounds.ts';
import {
  bytesOf,
  certificateOf,
  COMPOSED,
  damaged,
  forged,
  OF_POINTS,
  SETTINGS,
  upperByBlankets,
  withClaim,
  withParameter,
} from './certificates.ts';
import { deepBehindString, ODD_LABELS, tooHeavy, tooLong, withLabel } from './odd-certificates.ts';

/** Neither valid nor read. */
function isRefused(file: Uint8Array): boolean {
  try {
    return !verifyCertificate(file).valid;
  } catch (error) {
    if (error instanceof CertificateFormatError) return true;
    throw error;
  }
}

describe('a certificate', () => {
  it.each(SETTINGS)('of $mechanism $parameters holds, and loses at most 1 %', (setting) => {
    const { mechanism, parameters, users, delta } = setting;
    const content = certificateOf(setting);
    const verdict = verifyCertificate(bytesOf(certificateText(content)));
    expect(verdict).toMatchObject({ valid: true });
    const { amplification, epsilon0 } = mechanismModel(mechanism, parameters);
    const blanket =
      mechanism === 'general'
        ? // The stronger clones (F5).
          [
            {
              label: '',
              victim0: Float64Array.of(Math.exp(epsilon0), 1).map((p) => p / (1 + Math.exp(epsilon0))),
              victim1: Float64Array.of(1, Math.exp(epsilon0)).map((p) => p / (1 + Math.exp(epsilon0))),
              others: Float64Array.of(1, 1).map((p) => p / (1 + Math.exp(epsilon0))),
              symmetric: true,
            },
          ]
        : amplification.blanket;
    const proved = certifiedEpsilon({ variationRatio: null, blanket, homogeneous: [] }, users, delta, {
      epsilon0,
    });
    const epsilon = Number(content.claim.epsilon);
    // Never below what the accountants bracket from below.
    expect(epsilon).toBeGreaterThanOrEqual(proved.upper * (1 - 1e-6));
    expect(epsilon).toBeLessThanOrEqual(proved.upper * 1.01);
  });

  it('of delta at an epsilon holds, and is near the divergence of the blanket', () => {
    const model = mechanismModel('grr', { epsilon0: 1, domain: 16 });
    const content = certify('grr', model, 500, { epsilon: 0.08 });
    expect(verifyCertificate(bytesOf(certificateText(content)))).toMatchObject({
      valid: true,
      atoms: 'recomputed',
    });
    const { lower, upper } = blanketDivergence(model.amplification.blanket[0]!, 500, 0.08);
    expect(Number(content.claim.delta)).toBeGreaterThan(lower);
    expect(Number(content.claim.delta)).toBeLessThan(upper * 1.05);
  });

  it('of many rounds of a small budget exists, and loses at most 1 %', () => {
    const parameters = { epsilon0: 0.01, domain: 16 };
    const setting = { mechanism: 'grr', parameters, users: 1000, delta: 1e-6, rounds: 400 };
    const content = certificateOf(setting);
    expect(verifyCertificate(bytesOf(certificateText(content)))).toMatchObject({ valid: true });
    expect(Number(content.claim.epsilon)).toBeLessThanOrEqual(upperByBlankets(setting) * 1.01);
  });

  it('of an epsilon of 0 needs no search', () => {
    // The blanket's delta at 0 is far below.
    const content = certificateOf({ ...SETTINGS[0]!, users: 1000, delta: 0.5 });
    expect(content.claim.epsilon).toBe('0');
    expect(verifyCertificate(bytesOf(certificateText(content)))).toMatchObject({ valid: true });
  });

  it.each([1.001, 100, 355, 699, 700])(
    'of an epsilon of %d, beyond the local budget, is of a delta of 0',
    (epsilon) => {
      const content = certify('grr', mechanismModel('grr', { epsilon0: 1, domain: 16 }), 100, { epsilon });
      expect(content.claim.delta).toBe('0');
      expect(verifyCertificate(bytesOf(certificateText(content)))).toMatchObject({ valid: true });
    },
  );

  it('of one user has nothing to hide among', () => {
    const content = certificateOf({ ...SETTINGS[0]!, users: 1, delta: 0.01 });
    // One message: P(y) - e^epsilon Q(y) of the own value, delta = (p - e^epsilon) / (p + 15).
    const p = Math.exp(1);
    expect(Number(content.claim.epsilon)).toBeCloseTo(Math.log(p - 0.01 * (p + 15)), 3);
  });

  it.each(COMPOSED)('of $rounds rounds of $mechanism $parameters loses at most 1 %', (setting) => {
    const content = certificateOf(setting);
    expect(verifyCertificate(bytesOf(certificateText(content)))).toMatchObject({
      valid: true,
      atoms: 'recomputed',
    });
    // A certificate is of the blanket, and says nothing of the sharp bound.
    const upper = upperByBlankets(setting);
    const epsilon = Number(content.claim.epsilon);
    expect(epsilon).toBeGreaterThanOrEqual(upper * (1 - 1e-3));
    expect(epsilon).toBeLessThanOrEqual(upper * 1.01);
  });

  it('of the delta of many rounds finds the delta again that gave the epsilon', { tags: 'long' }, () => {
    const setting = COMPOSED[1]!;
    const { mechanism, parameters, users, delta, rounds } = setting;
    const epsilon = Number(certificateOf(setting).claim.epsilon);
    const model = mechanismModel(mechanism, parameters);
    const content = certifyRounds(mechanism, model, users, rounds, { epsilon });
    expect(verifyCertificate(bytesOf(certificateText(content)))).toMatchObject({ valid: true });
    expect(Number(content.claim.delta)).toBeGreaterThan(delta * 0.99);
    expect(Number(content.claim.delta)).toBeLessThan(delta * 1.01);
  });

  it('is not made where the blanket proves nothing', () => {
    const model = mechanismModel('grr', { epsilon0: 1, domain: 16 });
    expect(() => certify('grr', model, 1, { delta: 1e-9 })).toThrow('nothing beyond the local budget');
    expect(() => certify('grr', model, 100, { delta: 0 })).toThrow('delta = 0');
    expect(() => certify('grr', model, 100, { epsilon: 701 })).toThrow('epsilon = 701: must be at most 700');
    expect(() => certifyRounds('grr', model, 100, 20_000, { delta: 1e-6 })).toThrow('at most 10000 rounds');
    for (const rounds of [0, -1, 1.5, NaN])
      expect(() => certifyRounds('grr', model, 100, rounds, { delta: 1e-6 })).toThrow(
        `rounds = ${rounds}: must be`,
      );
    expect(() => certifyRounds('grr', model, 2, 3, { delta: 1e-9 })).toThrow('nothing');
    const poisson = mechanismModel('poisson-blanket', { rate: 1, domain: 16, blankets: 10 });
    expect(() => certify('poisson-blanket', poisson, 100, { delta: 1e-6 })).toThrow(
      'does not come from a blanket',
    );
  });

  it.each(ODD_LABELS)('may have the label %j', (label) => {
    expect(verifyCertificate(withLabel(certificateOf(SETTINGS[0]!), label))).toMatchObject({ valid: true });
  });

  it('says where its masses are not computed again', () => {
    const content = certificateOf(SETTINGS.find(({ mechanism }) => mechanism === 'priv-unit')!);
    expect(verifyCertificate(bytesOf(certificateText(content))).atoms).toBe('stated');
  });
});

describe('the verifier refuses', () => {
  const contents = OF_POINTS.map(certificateOf);
  const texts = contents.map(certificateText);

  it('damaged files', () => {
    for (let seed = 0; seed < 150; seed++)
      expect(isRefused(damaged(texts[seed % texts.length]!, seed)), `seed ${seed}`).toBe(true);
  });

  it('forged ones, whose digests are made anew', () => {
    for (let seed = 0; seed < 138; seed++) {
      const { change, file } = forged(contents[(seed * 3) % contents.length]!, seed);
      expect(isRefused(file), `${change}, seed ${seed}`).toBe(true);
    }
  });

  it('one that names its users twice, of which readers may take either', () => {
    expect(verifyCertificate(withClaim(texts[0]!, '')).valid).toBe(true);
    expect(() => verifyCertificate(withClaim(texts[0]!, '"users": "1000000", '))).toThrow(
      'a name stands twice in one object',
    );
    // The same name, written in another way.
    expect(() => verifyCertificate(withClaim(texts[0]!, String.raw`"\u0075sers": "1000000", `))).toThrow(
      'a name stands twice in one object',
    );
  });

  it('one that names a parameter that nothing checks, where masses are computed again', () => {
    const verdicts = texts.map((text) => verifyCertificate(withParameter(text, '"colluding":"0.9"')));
    const recomputed = verdicts.filter(({ atoms }) => atoms === 'recomputed');
    expect(recomputed.length).toBeGreaterThan(5);
    for (const verdict of recomputed)
      expect(verdict).toMatchObject({
        valid: false,
        reason: 'the parameters are not valid for this mechanism',
      });
  });

  it('one whose lists are deeper than any reader goes', () => {
    const deep = new TextEncoder().encode(`${'['.repeat(2e5)}${']'.repeat(2e5)}`);
    expect(() => verifyCertificate(deep)).toThrow(CertificateFormatError);
    expect(() => verifyCertificate(deepBehindString())).toThrow('its lists and objects are too deep');
  });

  it('laws that are longer, or heavier, than any need to be', () => {
    expect(verifyCertificate(tooLong())).toMatchObject({
      valid: false,
      reason: 'its laws have too many points for their digits',
    });
    expect(verifyCertificate(tooHeavy())).toMatchObject({
      valid: false,
      reason: 'a law of its steps has a mass of more than 2',
    });
  });

  it('a delta of more than 1', () => {
    const { claim, ...rest } = contents[0]!;
    const more = certificateText({ ...rest, claim: { ...claim, delta: '1.5' } });
    expect(verifyCertificate(bytesOf(more)).reason).toBe('delta is out of its range');
  });

  it('forged ones of many rounds', () => {
    const content = certificateOf(COMPOSED[0]!);
    for (let seed = 0; seed < 23; seed++) {
      const { change, file } = forged(content, seed);
      expect(isRefused(file), `${change}, seed ${seed}`).toBe(true);
    }
  });

  it.each([
    ['another budget', { epsilon0: '0.9', domain: '16' }],
    ['another domain', { epsilon0: '1', domain: '17' }],
    ['no domain', { epsilon0: '1' }],
    ['a budget that is none', { epsilon0: '0', domain: '16' }],
  ])('atoms under %s', (_, parameters) => {
    const content = contents[0]!;
    const other = { ...content, claim: { ...content.claim, parameters } };
    expect(verifyCertificate(bytesOf(certificateText(other)))).toMatchObject({ valid: false });
  });

  it.each(['', '{}', '[]', 'null', '"text"', '\u{FEFF}{}'])('%j as a certificate', (text) => {
    expect(() => verifyCertificate(bytesOf(text))).toThrow(CertificateFormatError);
  });
});

it.each([
  [0.0185902, 0.0185902],
  [0.01859023, 0.0185903],
  [123456.7, 123457],
  [1.0000001e-9, 1.00001e-9],
])('%d is rounded up to %d', (value, up) => {
  expect(roundedUp(value)).toBe(up);
});
