/**
 * Rechecks a certificate from its file alone, in integers: no floating point, and nothing of the accountants.
 * docs/certificates.md proves what a valid file means.
 */
import { readCertificate, type CertificateContent, type MassEnds } from './certificate.ts';
import { FRACTION_BITS, type Enclosure } from './exact.ts';
import { Fault, requireDecimal } from './fault.ts';
import { recomputedMasses, type AtomMasses } from './mechanism-masses.ts';
import { provedDelta } from './proved-delta.ts';

export interface CertificateVerdict {
  readonly valid: boolean;
  readonly claim: CertificateContent['claim'];
  /** Whether the atoms were computed again from the parameters, or are what the file states. */
  readonly atoms: 'recomputed' | 'stated';
  /** Why it does not hold; absent where it does. */
  readonly reason?: string;
}
/**
 * Whether a certificate proves what it claims, in exact integers; and where it does not, why.
 *
 * @param file its bytes
 * @throws CertificateFormatError where it is no certificate
 */
export function verifyCertificate(file: Uint8Array): CertificateVerdict {
  const { content, isWhole } = readCertificate(file);
  const { claim, pairs } = content;
  const count = pairs[0]?.atoms.length ?? 0;
  const masses = recomputedMasses(claim.mechanism, claim.parameters, count);
  const common = { claim, atoms: masses === 'unknown' ? 'stated' : 'recomputed' } as const;
  try {
    if (!isWhole) throw new Fault('its content does not match its digest');
    if (masses === null) throw new Fault('the parameters are not valid for this mechanism');
    if (masses !== 'unknown') checkMasses(content, masses);
    const delta = requireDecimal(claim.delta, 'delta');
    const proved = provedDelta(content);
    if (proved.numerator * delta.denominator > delta.numerator * proved.denominator)
      throw new Fault('its steps prove a larger delta');
    return { valid: true, ...common };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { valid: false, ...common, reason: error.message };
  }
}
/** The atoms hold what the parameters give. */
function checkMasses({ pairs, massBits }: CertificateContent, masses: readonly AtomMasses[]): void {
  if (pairs.length !== 1) throw new Fault('the mechanism has one pair of inputs');
  const { atoms } = pairs[0]!;
  if (atoms.length !== masses.length) throw new Fault(`the mechanism has ${masses.length} atoms`);
  const shift = FRACTION_BITS - BigInt(massBits);
  if (shift < 0n) throw new Fault('its masses have too many digits');
  const holds = (ends: MassEnds, { lower, upper }: Enclosure): boolean =>
    BigInt(ends[0]) << shift <= lower && BigInt(ends[1]) << shift >= upper;
  atoms.forEach((atom, i) => {
    const { victim0, victim1, others, ratio0, ratio1 } = masses[i]!;
    const blanket = BigInt(atom.others) << shift;
    /** The certificate's blanket is a little smaller, so ratios to it are a little larger. */
    const raised = (ratio: Enclosure): Enclosure => ({
      lower: ratio.lower,
      upper: blanket === 0n ? ratio.upper : (ratio.upper * others.upper + blanket - 1n) / blanket,
    });
    const fits =
      holds(atom.victim0, victim0) &&
      holds(atom.victim1, victim1) &&
      blanket <= others.lower &&
      (atom.ratio0 === undefined) === (ratio0 === undefined) &&
      (!ratio0 || holds(atom.ratio0!, raised(ratio0))) &&
      (!ratio1 || holds(atom.ratio1!, raised(ratio1)));
    if (!fits) throw new Fault(`atom ${i} does not hold the mass that the parameters give`);
  });
}
