/**
 * The atoms of a certificate: enclosures of what the parameters give, where the verifier knows how, else of
 * the accountants' masses.
 */
import {
  FRACTION_BITS,
  recomputedMasses,
  type AtomMasses,
  type CertificateAtom,
} from '@shuffle-dp/certificates';
import type { LikelihoodAtoms, MechanismModel, ParameterValues } from '@shuffle-dp/core';
import { NoCertificateError } from './no-certificate-error.ts';

/** Masses are integers over 2^MASS_BITS. */
export const MASS_BITS = 128;

/** What masses in floating point may be off by, relatively: far more than they are. */
const MASS_ERROR = 2n ** 40n;

const SHIFT = FRACTION_BITS - BigInt(MASS_BITS);

/** A pair of the victim's inputs, for the certificate and for the accountants. */
export interface AtomsOfPair {
  readonly label: string;
  readonly atoms: readonly CertificateAtom[];
  readonly masses: LikelihoodAtoms;
}

/** @throws NoCertificateError where the privacy of the mechanism does not come from a blanket */
export function certificatePairs(mechanism: string, model: MechanismModel): AtomsOfPair[] {
  const { amplification, parameters } = model;
  const { blanket } = amplification;
  if (model.certified || model.pairOnly)
    throw new NoCertificateError(`no certificate: the proof for ${mechanism} does not come from a blanket`);
  const known = recomputedMasses(mechanism, parameterTexts(parameters), blanket[0]?.others.length ?? 0);
  if (known === 'unknown') {
    if (blanket.length === 0)
      throw new NoCertificateError(`no certificate: no blanket of ${mechanism} is known`);
    return blanket.map((masses) => ({ label: masses.label, atoms: atomsOfProfile(masses), masses }));
  }
  if (known === null)
    throw new NoCertificateError(
      `no certificate: the verifier does not take these parameters of ${mechanism}`,
    );
  const atoms = atomsOfMasses(known);
  const masses = blanket[0] ?? roundedMasses('any randomizer', atoms);
  return [{ label: masses.label, atoms, masses }];
}

/** As the verifier reads them: decimals in text. */
export function parameterTexts(parameters: ParameterValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value === Infinity
        ? 'inf'
        : value >= 1e6 && Number.isSafeInteger(value)
          ? `${BigInt(value)}`
          : `${value}`,
    ]),
  );
}

function roundedMasses(label: string, atoms: readonly CertificateAtom[]): LikelihoodAtoms {
  const numbers = (texts: readonly string[]): Float64Array =>
    Float64Array.from(texts, (text) => Number(text) / 2 ** MASS_BITS);
  return {
    label,
    victim0: numbers(atoms.map(({ victim0 }) => victim0[0])),
    victim1: numbers(atoms.map(({ victim1 }) => victim1[0])),
    others: numbers(atoms.map(({ others }) => others)),
    symmetric: true,
  };
}

/** Enclosures with fewer digits, rounded outwards. */
export function atomsOfMasses(masses: readonly AtomMasses[]): CertificateAtom[] {
  return masses.map(({ victim0, victim1, others, ratio0, ratio1 }) => {
    const blanket = others.lower >> SHIFT;
    const ends = ({ lower, upper }: AtomMasses['others']): [string, string] => [
      `${lower >> SHIFT}`,
      `${shiftedUp(upper)}`,
    ];
    /** Of densities over a blanket that is rounded down. */
    const raised = ({ lower, upper }: AtomMasses['others']): [string, string] =>
      ends({ lower, upper: (upper * others.upper) / (blanket << SHIFT) + 1n });
    return {
      victim0: ends(victim0),
      victim1: ends(victim1),
      others: `${blanket}`,
      ...(ratio0 && { ratio0: raised(ratio0) }),
      ...(ratio1 && { ratio1: raised(ratio1) }),
    };
  });
}

function shiftedUp(value: bigint): bigint {
  return (value + (1n << SHIFT) - 1n) >> SHIFT;
}

/** Masses in floating point, and around them what they may be off by. */
export function atomsOfProfile({ victim0, victim1, others, cellEnds }: LikelihoodAtoms): CertificateAtom[] {
  return Array.from(others, (mass, y) => {
    const ratios = cellEnds && [
      [cellEnds.ratio0Start[y]!, cellEnds.ratio0End[y]!],
      [cellEnds.ratio1Start[y]!, cellEnds.ratio1End[y]!],
    ];
    const isBounded = ratios?.flat().every(Number.isFinite) ?? true;
    return {
      victim0: around(victim0[y]!, victim0[y]!),
      victim1: around(victim1[y]!, victim1[y]!),
      // A cell without bounds is left out of the blanket.
      others: isBounded ? around(mass, mass)[0] : '0',
      ...(ratios && {
        ratio0: isBounded ? around(...extremes(ratios[0]!)) : (['0', '0'] as const),
        ratio1: isBounded ? around(...extremes(ratios[1]!)) : (['0', '0'] as const),
      }),
    };
  });
}

function extremes(ends: readonly number[]): [number, number] {
  return [Math.min(...ends), Math.max(...ends)];
}

function around(lower: number, upper: number): [string, string] {
  const [low, high] = [scaled(lower), scaled(upper)];
  return [`${low - low / MASS_ERROR}`, `${high + high / MASS_ERROR + 1n}`];
}

/** The number times 2^MASS_BITS, rounded down; it is not negative. */
function scaled(value: number): bigint {
  if (value === 0) return 0n;
  const exponent = Math.max(-1000, Math.floor(Math.log2(value)) - 52);
  const digits = BigInt(Math.floor(value * 2 ** -exponent));
  const shift = BigInt(exponent + MASS_BITS);
  return shift >= 0n ? digits << shift : digits >> -shift;
}
