/** The atoms of a certificate, as integers, and what must hold of them. */
import type { CertificateAtom, MassEnds } from './certificate.ts';
import { Fault } from './fault.ts';
import type { ExactAtom } from './lattice-law.ts';

/** For one order of the victim's inputs. */
export function exactAtom(
  { victim0, victim1, others, ratio0, ratio1 }: CertificateAtom,
  isExchanged: boolean,
): ExactAtom {
  const [likelier, unlikelier] = isExchanged ? [victim1, victim0] : [victim0, victim1];
  const [first, second] = isExchanged ? [ratio1, ratio0] : [ratio0, ratio1];
  return {
    likelier: BigInt(likelier[1]),
    unlikelier: BigInt(unlikelier[0]),
    others: BigInt(others),
    ...(first && second && { ratios: { likelier: endsOf(first), unlikelier: endsOf(second) } }),
  };
}

function endsOf([lower, upper]: MassEnds): readonly [bigint, bigint] {
  return [BigInt(lower), BigInt(upper)];
}

/** The masses of a law: ends in order, of sums around 1. */
export function checkAtoms(atoms: readonly CertificateAtom[], one: bigint, label: string): void {
  for (const input of ['victim0', 'victim1'] as const) {
    let [least, most] = [0n, 0n];
    for (const atom of atoms) {
      const [lower, upper] = endsOf(atom[input]);
      if (lower > upper) throw new Fault(`${label}: a mass has its ends exchanged`);
      least += lower;
      most += upper;
    }
    if (least > one || most < one) throw new Fault(`${label}: the victim's masses are no law`);
  }
  for (const { ratio0, ratio1 } of atoms)
    for (const ratio of [ratio0, ratio1])
      if (ratio && BigInt(ratio[0]) > BigInt(ratio[1]))
        throw new Fault(`${label}: a ratio has its ends exchanged`);
}

/**
 * Whether the atoms are the same ones when the victim's inputs are exchanged.
 *
 * @example isSymmetric([]) // true
 */
export function isSymmetric(atoms: readonly CertificateAtom[]): boolean {
  const words = (first: 'victim0' | 'victim1', second: 'victim0' | 'victim1', swapped: boolean): string[] =>
    atoms
      .map((atom) =>
        [
          ...atom[first],
          ...atom[second],
          atom.others,
          ...((swapped ? atom.ratio1 : atom.ratio0) ?? []),
          ...((swapped ? atom.ratio0 : atom.ratio1) ?? []),
        ].join(' '),
      )
      .toSorted();
  return words('victim0', 'victim1', false).join() === words('victim1', 'victim0', true).join();
}
