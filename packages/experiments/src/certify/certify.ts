/**
 * Certificates of what the blanket proves (docs/certificates.md): the search for the least epsilon, or delta, that exact integers will
 * confirm. What is written has been rechecked by the verifier's own steps.
 */
import { certifiedDelta, certifiedEpsilon, epsilonAtDelta } from '@shuffle-dp/accounting';
import { CERTIFICATE_KIND, provedDelta, type CertificateContent } from '@shuffle-dp/certificates';
import { exactly, requireInteger, type MechanismModel, type Target } from '@shuffle-dp/core';
import { certificatePairs, MASS_BITS, parameterTexts, type AtomsOfPair } from './certificate-atoms.ts';
import { latticeDivergence, latticesOf, stepsOf, type Lattice } from './lattice-steps.ts';
import { NoCertificateError } from './no-certificate-error.ts';
import { roundedUp } from './rounded-up.ts';

/** Part of delta that truncation and rounding may take. */
const ROUNDING_SHARE = 1e-3;
/** What the lattice may add to epsilon, relatively, before a finer one is tried; of delta ten times as much. */
const USUAL_LOSS = 2e-3;
/** Lattices, from so many points a deviation of one loss on, each twice as fine as the one before. */
const FIRST_FINENESS = 8;
const FINEST = 2 ** 14;
const LEAST_DELTA = 1e-100;
const MOST_USERS = 1e9;
/** The verifier's own limit. */
const MOST_EPSILON = 700;

/**
 * A certificate of the mechanism: the given delta with about the least epsilon that can be confirmed, or the given epsilon with delta.
 *
 * @throws NoCertificateError where the blanket proves nothing, or its lattice would be too large; ParameterError
 */
export function certify(
  mechanism: string,
  model: MechanismModel,
  users: number,
  target: Target,
): CertificateContent {
  requireInteger('users', users, 1, MOST_USERS);
  const pairs = certificatePairs(mechanism, model);
  const proved = provedByBlanket(pairs, model.epsilon0, users, target);
  let best: CertificateContent | null = null;
  let bestLoss = Infinity;
  for (let fineness = FIRST_FINENESS; fineness <= FINEST; fineness *= 2) {
    const lattices = latticesOf(pairs, proved.epsilon, fineness);
    const epsilon =
      'epsilon' in target ? target.epsilon : leastEpsilon(lattices, users, target.delta, model.epsilon0);
    if (epsilon === null) continue;
    const content = contentOf(mechanism, model, pairs, lattices, { users, epsilon, delta: proved.delta });
    if (content === null) break;
    const claimed = claimOf(content, target);
    if (claimed === null) continue;
    const loss =
      'delta' in target
        ? epsilon / proved.epsilon - 1
        : (Number(claimed.claim.delta) / proved.delta - 1) / 10;
    if (loss < bestLoss) [best, bestLoss] = [claimed, loss];
    if (loss <= USUAL_LOSS) break;
  }
  if (best === null)
    throw new NoCertificateError(
      `no certificate: for ${users} users of ${mechanism} its lattice would be too large`,
    );
  return best;
}

/** The upper end that the accountant has, with which the certificate is compared. */
function provedByBlanket(
  pairs: readonly AtomsOfPair[],
  epsilon0: number,
  users: number,
  target: Target,
): { readonly epsilon: number; readonly delta: number } {
  const profile = { variationRatio: null, blanket: pairs.map(({ masses }) => masses), homogeneous: [] };
  if ('epsilon' in target) {
    const delta = certifiedDelta(profile, users, target.epsilon, { epsilon0 }).upper;
    if (!(delta < 1))
      throw new NoCertificateError('no certificate: the blanket proves nothing at this epsilon');
    return { epsilon: target.epsilon, delta: Math.max(LEAST_DELTA, delta) };
  }
  const { delta } = target;
  if (!(delta >= LEAST_DELTA && delta < 1))
    throw new NoCertificateError(
      `no certificate: delta = ${delta}: must be at least ${LEAST_DELTA} and below 1`,
    );
  const epsilon = certifiedEpsilon(profile, users, delta).upper;
  if (!(roundedUp(epsilon) < Math.min(epsilon0, MOST_EPSILON)))
    throw new NoCertificateError(
      'no certificate: the blanket proves nothing beyond the local budget, which needs no shuffling',
    );
  return { epsilon, delta };
}

/** The least epsilon whose delta on the lattices is small enough, rounded up; null beyond the local budget. */
function leastEpsilon(
  lattices: readonly Lattice[],
  users: number,
  delta: number,
  epsilon0: number,
): number | null {
  const profile = (epsilon: number): ReturnType<typeof exactly> =>
    exactly(Math.max(...lattices.map((lattice) => latticeDivergence(lattice, users, epsilon))));
  const epsilonMax = Math.min(MOST_EPSILON, epsilon0);
  const { upper } = epsilonAtDelta(profile, delta * (1 - ROUNDING_SHARE), {
    epsilonMax,
    relativeTolerance: 1e-6,
  });
  const epsilon = roundedUp(upper);
  return epsilon < epsilonMax ? epsilon : null;
}

function contentOf(
  mechanism: string,
  model: MechanismModel,
  pairs: readonly AtomsOfPair[],
  lattices: readonly Lattice[],
  { users, epsilon, delta }: { readonly users: number; readonly epsilon: number; readonly delta: number },
): CertificateContent | null {
  const planned = lattices.map((lattice) => stepsOf(lattice, users, epsilon, delta));
  if (planned.includes(null)) return null;
  const steps = planned.filter((plan) => plan !== null);
  return {
    certificate: CERTIFICATE_KIND,
    claim: {
      mechanism,
      parameters: parameterTexts(model.parameters),
      users: `${users}`,
      adjacency: 'replace-one',
      epsilon: `${epsilon}`,
      delta: `${delta}`,
    },
    massBits: `${MASS_BITS}`,
    probabilityBits: `${Math.max(...steps.map(({ probabilityBits }) => probabilityBits))}`,
    pairs: pairs.map(({ label, atoms }, pair) => ({
      label,
      atoms,
      steps: steps
        .filter((_, i) => lattices[i]!.pair === pair)
        .map(({ spacing, windows }) => ({
          spacing,
          windows: windows.map(([low, high]) => [`${low}`, `${high}`] as const),
        })),
    })),
  };
}

/** With the delta that was proved where that is asked for; null where the steps do not prove the delta that was given. */
function claimOf(content: CertificateContent, target: Target): CertificateContent | null {
  const { numerator, denominator } = provedDelta(content);
  if ('epsilon' in target) {
    // Fifteen digits after the leading ones, rounded up with room for the rounding of the quotient.
    const shift = BigInt(Math.max(0, denominator.toString().length - numerator.toString().length + 18));
    const delta = roundedUp(Number((numerator * 10n ** shift) / denominator + 1n) * Number(`1e-${shift}`));
    return { ...content, claim: { ...content.claim, delta: `${delta}` } };
  }
  const [given, scale] = decimalParts(target.delta);
  return numerator * scale <= given * denominator ? content : null;
}

/** A number as it is written, as an integer over a power of ten. */
function decimalParts(value: number): [numerator: bigint, denominator: bigint] {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const power = Number(exponent) - fraction.length;
  const numerator = BigInt(whole + fraction);
  return power >= 0 ? [numerator * 10n ** BigInt(power), 1n] : [numerator, 10n ** BigInt(-power)];
}
