/** Hand-made masses that no randomizer has are refused, before a number is made of them. */
import { describe, expect, it } from 'vitest';
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { certifiedDelta, certifiedEpsilon, massesFault } from '../src/index.ts';

type Masses = readonly number[];

function atoms(victim0: Masses, victim1: Masses, others: Masses, symmetric = false): LikelihoodAtoms {
  const [first, second, third] = [victim0, victim1, others].map((masses) => Float64Array.from(masses));
  return { label: 'mine', victim0: first!, victim1: second!, others: third!, symmetric };
}

const [P, Q, W] = [
  [0.6, 0.3, 0.1],
  [0.2, 0.3, 0.5],
  [0.2, 0.3, 0.1],
] as const;

const FAULTS: readonly (readonly [string, LikelihoodAtoms, string])[] = [
  ['of different lengths', atoms([0.6, 0.4], Q, W), 'Float64Arrays of one length'],
  ['none', atoms([], [], []), 'Float64Arrays of one length'],
  ['a negative one', atoms([0.9, -0.3, 0.4], Q, W), 'masses in [0, 1], not -0.3 in victim0'],
  ['NaN', atoms([Number.NaN, 0.5, 0.5], Q, W), 'masses in [0, 1], not NaN in victim0'],
  ['too much', atoms([0.6, 0.3, 0.2], Q, W), 'masses victim0 that sum to 1'],
  ['too little', atoms(P, [0.2, 0.3, 0.4], W), 'masses victim1 that sum to 1'],
  ['too much of the others', atoms(P, Q, [0.5, 0.5, 0.2]), 'masses others that sum to at most 1, not 1.2'],
];

describe('masses that are none', () => {
  it.each(FAULTS)('%s', (_, given, why) => {
    expect(massesFault(given, 'blanket')).toContain(why);
    const profile = { blanket: [given], homogeneous: [], variationRatio: null };
    expect(() => certifiedEpsilon(profile, 100, 1e-4)).toThrow('masses');
    expect(() => certifiedDelta(profile, 100, 0.5)).toThrow('masses');
  });

  it('a blanket above the masses of the victim, which messages of nobody may be', () => {
    const given = atoms(P, Q, [0.35, 0.4, 0.25]);
    expect(massesFault(given, 'blanket')).toBe(
      "others no larger than the victim's masses, not 0.35 beside 0.6 and 0.2",
    );
    expect(massesFault(given, 'messages')).toBeNull();
    expect(massesFault(atoms(P, Q, W), 'blanket')).toBeNull();
  });

  it('symmetry that is none', () => {
    expect(massesFault(atoms(P, Q, W, true), 'blanket')).toContain('symmetric only where');
    expect(massesFault(atoms([0.7, 0.3], [0.3, 0.7], [0.3, 0.3], true), 'blanket')).toBeNull();
  });

  it('symmetry of the two values that others do not share', () => {
    const [first, second] = [
      [0.5, 0.3, 0.2],
      [0.3, 0.5, 0.2],
    ] as const;
    expect(massesFault(atoms(first, second, [0.02, 0.3, 0.2], true), 'blanket')).toContain(
      'symmetric only where',
    );
    expect(massesFault(atoms(first, second, [0.25, 0.25, 0.1], true), 'blanket')).toBeNull();
  });

  it('what a law lacks, however little: a message that is missing would tell the values apart', () => {
    const given = atoms([0.7, 0.3 - 9e-10], [0.3, 0.7], [0.3, 0.3 - 9e-10]);
    expect(massesFault(given, 'blanket')).toContain('masses victim0 that sum to 1');
    const profile = { blanket: [given], homogeneous: [], variationRatio: null };
    expect(() => certifiedEpsilon(profile, 1000, 1e-10)).toThrow('masses');
    expect(() => certifiedDelta(profile, 1000, 1)).toThrow('masses');
  });

  it('ratios beyond the local budget that is stated', () => {
    const given = atoms([0.8, 0.2], [0.2, 0.8], [0.2, 0.2]);
    const profile = { blanket: [given], homogeneous: [], variationRatio: null };
    for (const epsilon0 of [0.5, 1.386]) {
      expect(() => certifiedEpsilon(profile, 10, 1e-6, { epsilon0 })).toThrow('in ratios up to e^epsilon0');
      expect(() => certifiedDelta(profile, 10, 1, { epsilon0 })).toThrow('in ratios up to e^epsilon0');
    }
    expect(certifiedEpsilon(profile, 10, 1e-6, { epsilon0: Math.log(4) }).upper).toBeGreaterThan(1);
  });

  it('the law of one value sums to 1', () => {
    expect(massesFault(atoms(P, Q, W), 'law')).toContain('masses others that sum to 1');
    expect(massesFault(atoms(P, Q, P), 'law')).toBeNull();
  });
});
