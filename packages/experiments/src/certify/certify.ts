/**
 * Certificates of one round, of what the blanket proves (docs/certificates.md): the search for the least
 * epsilon, or delta, that exact integers will confirm. What is written has been rechecked by the verifier's
 * own steps.
 */
import { certifiedDelta, certifiedEpsilon } from '@shuffle-dp/accounting';
import { CERTIFICATE_KIND, ordersOf, provedDelta, type CertificateContent } from '@shuffle-dp/certificates';
import { requireInteger, type MechanismModel, type Target } from '@shuffle-dp/core';
import { certificatePairs, MASS_BITS, type AtomsOfPair } from './certificate-atoms.ts';
import { claimOf } from './certificate-claim.ts';
import {
  growthOf,
  LEAST_DELTA,
  MOST_EPSILON,
  MOST_USERS,
  requireCertifiableTarget,
} from './certificate-limits.ts';
import { decimalAbove, isAtMost, logOf, rationalOf } from './exact-decimals.ts';
import { plannedSteps, type StepsAsked } from './lattice-steps.ts';
import { NoCertificateError } from './no-certificate-error.ts';
import { roundedUp } from './rounded-up.ts';
import { counted } from '../words/counted.ts';

/**
 * What the lattice may add to epsilon, relatively, before a finer one is tried; of delta ten times as much.
 */
const USUAL_LOSS = 2e-3;
const FINEST = 512;
/**
 * Of the search for epsilon: the first step from the accountant's end, and what is added to the roots of
 * secants.
 */
const FIRST_STEP = 5e-4;
const MARGINS = [0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2];
/** An epsilon that is as good as 0. */
const SMALLEST = 1e-6;

/**
 * A certificate of the mechanism: the given delta with about the least epsilon that can be confirmed, or the
 * given epsilon with delta.
 *
 * @throws NoCertificateError where the blanket proves nothing, or its lattice would be too large;
 * ParameterError
 */
export function certify(
  mechanism: string,
  model: MechanismModel,
  users: number,
  target: Target,
): CertificateContent {
  requireInteger('users', users, 1, MOST_USERS);
  requireCertifiableTarget(target);
  const pairs = certificatePairs(mechanism, model);
  const proved = provedByBlanket(pairs, model.epsilon0, users, target);
  let best: CertificateContent | null = null;
  let bestLoss = Infinity;
  for (let fineness = 1; fineness <= FINEST; fineness *= 2) {
    let isTooLarge = false;
    const contentAt = (epsilon: number, delta: number): CertificateContent | null => {
      const content = contentOf(mechanism, model, pairs, { users, epsilon, delta, fineness });
      isTooLarge ||= content === null;
      return content;
    };
    const content =
      'epsilon' in target
        ? withProvedDelta(contentAt(target.epsilon, proved.delta))
        : leastEpsilon(contentAt, proved.epsilon, target.delta, Math.min(MOST_EPSILON, model.epsilon0));
    // A finer lattice has more points.
    if (content === null && isTooLarge) break;
    if (content === null) continue;
    const { epsilon, delta } = content.claim;
    const loss =
      'delta' in target
        ? Number(epsilon) / Math.max(proved.epsilon, SMALLEST) - 1
        : (Number(delta) / proved.delta - 1) / 10;
    if (loss < bestLoss) [best, bestLoss] = [content, loss];
    if (loss <= USUAL_LOSS) break;
  }
  if (best === null)
    throw new NoCertificateError(
      `no certificate: for ${counted(users, 'user')} of ${mechanism} no lattice that is small enough confirms an epsilon below the local budget`,
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
  const epsilon = certifiedEpsilon(profile, users, delta).upper;
  if (!(roundedUp(epsilon) < Math.min(epsilon0, MOST_EPSILON)))
    throw new NoCertificateError(
      'no certificate: the blanket proves nothing beyond the local budget, which needs no shuffling',
    );
  return { epsilon, delta };
}

/**
 * By secants of log delta, which is almost a line so near; null where no epsilon below the largest will do.
 */
function leastEpsilon(
  contentAt: (epsilon: number, delta: number) => CertificateContent | null,
  proved: number,
  delta: number,
  largest: number,
): CertificateContent | null {
  const wanted = rationalOf(delta);
  const tried = (epsilon: number): Tried | null => {
    const content = epsilon < largest ? contentAt(epsilon, delta) : null;
    if (content === null) return null;
    const found = provedDelta(content);
    return { epsilon, content, log: logOf(found), holds: isAtMost(found, wanted) };
  };
  // Where the accountant has 0 that is mostly confirmed; else there is nothing to be relative to.
  const atZero = proved === 0 ? tried(0) : null;
  if (atZero?.holds) return atZero.content;
  const from = Math.max(proved, SMALLEST);
  let before = tried(from * (1 + FIRST_STEP));
  if (before === null) return null;
  let here = tried(from * (1 + 2 * FIRST_STEP));
  for (const margin of MARGINS) {
    if (here === null) return before.holds ? before.content : null;
    const slope = (here.log - before.log) / (here.epsilon - before.epsilon);
    const root = slope < 0 ? here.epsilon + (logOf(wanted) - here.log) / slope : here.epsilon;
    const next = tried(roundedUp(Math.max(root, proved) * (1 + margin)));
    if (next?.holds) return next.content;
    if (next !== null && next.epsilon !== here.epsilon) [before, here] = [here, next];
  }
  return null;
}

interface Tried {
  readonly epsilon: number;
  readonly content: CertificateContent;
  /** Of the delta that its steps prove. */
  readonly log: number;
  readonly holds: boolean;
}

/** @returns null where there would be too many lattice points */
function contentOf(
  mechanism: string,
  model: MechanismModel,
  pairs: readonly AtomsOfPair[],
  { users, epsilon, delta, fineness }: Omit<StepsAsked, 'growth'>,
): CertificateContent | null {
  const growth = growthOf(epsilon);
  const planned = ordersOf(pairs).map((atoms) =>
    plannedSteps(atoms, { users, epsilon, growth, delta, fineness }),
  );
  if (planned.includes(null)) return null;
  const kept = planned.filter((plan) => plan !== null);
  return {
    certificate: CERTIFICATE_KIND,
    claim: claimOf(mechanism, model, { users, rounds: 1, epsilon, delta }),
    massBits: `${MASS_BITS}`,
    probabilityBits: `${Math.max(...kept.map(({ probabilityBits }) => probabilityBits))}`,
    pairs: pairs.map(({ label, atoms }) => ({ label, atoms })),
    points: [{ index: '0', steps: kept.map(({ steps }) => steps) }],
  };
}

/** The content with the delta that its steps prove. */
function withProvedDelta(content: CertificateContent | null): CertificateContent | null {
  return content && { ...content, claim: { ...content.claim, delta: decimalAbove(provedDelta(content)) } };
}
