/**
 * Certificates of many rounds of one mechanism (docs/certificates.md): points of one round's curve, and the
 * law of as many losses.
 */
import {
  CERTIFICATE_KIND,
  convolutionPower,
  excessOfLosses,
  FRACTION_BITS,
  roundLoss,
  type CertificateContent,
  type Rational,
} from '@shuffle-dp/certificates';
import { namedComposition } from '@shuffle-dp/accounting';
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
import { certify } from './certify.ts';
import { decimalAbove, isAtMost, rationalOf } from './exact-decimals.ts';
import { latticeWindows } from './lattice-windows.ts';
import { NoCertificateError } from './no-certificate-error.ts';
import { roundCurve, type RoundCurve, type RoundCurveAsked } from './round-curve.ts';
import { roundedUp } from './rounded-up.ts';

/** For more rounds the laws of their losses are long. */
const MOST_CERTIFIED_ROUNDS = 10_000;
const FIRST_DELTA = 1e-6;
/** What is cut off costs no digits where it is so many times smaller than the delta that is about found. */
const BELOW = 100;
const NOTHING_PROVED =
  'no certificate: the blanket proves nothing beyond the local budgets, which need no shuffling';

/**
 * A certificate that so many rounds, whatever is seen in between, have the given delta with about the least
 * epsilon that can be confirmed, or the given epsilon with delta.
 *
 * @throws NoCertificateError where the blanket proves nothing, or rechecking would take too long;
 * ParameterError
 */
export function certifyRounds(
  mechanism: string,
  model: MechanismModel,
  users: number,
  rounds: number,
  target: Target,
): CertificateContent {
  requireInteger('rounds', rounds, 1);
  if (rounds === 1) return certify(mechanism, model, users, target);
  requireInteger('users', users, 1, MOST_USERS);
  requireCertifiableTarget(target);
  if (rounds > MOST_CERTIFIED_ROUNDS)
    throw new NoCertificateError(
      `no certificate: a certificate covers at most ${MOST_CERTIFIED_ROUNDS} rounds`,
    );
  const pairs = certificatePairs(mechanism, model);
  const lossesAt = (delta: number): ComposedLosses =>
    composedLosses(pairs, { users, rounds, delta, epsilon0: model.epsilon0 });
  const largest = Math.min(MOST_EPSILON, rounds * model.epsilon0);
  const { losses, claimed } =
    'delta' in target
      ? ofGivenDelta(lossesAt, target.delta, largest)
      : ofGivenEpsilon(lossesAt, target.epsilon, {
          largest,
          aboutFound: () => provedDelta(model, users, rounds, target.epsilon),
        });
  const { curve, windows } = losses;
  return {
    certificate: CERTIFICATE_KIND,
    claim: claimOf(mechanism, model, { users, rounds, ...claimed }),
    massBits: `${MASS_BITS}`,
    probabilityBits: `${curve.probabilityBits}`,
    composition: {
      ratio: `${curve.ratio}`,
      windows: windows.map(([low, high]) => [`${low}`, `${high}`]),
    },
    pairs: pairs.map(({ label, atoms }) => ({ label, atoms })),
    points: curve.points.map(({ index, steps }) => ({ index: `${index}`, steps })),
  };
}

interface Found {
  readonly losses: ComposedLosses;
  readonly claimed: { readonly epsilon: number; readonly delta: number };
}

function ofGivenDelta(lossesAt: (delta: number) => ComposedLosses, delta: number, largest: number): Found {
  const losses = lossesAt(delta);
  const epsilon = leastEpsilon(losses.deltaAt, rationalOf(delta), largest);
  if (epsilon === null) throw new NoCertificateError(NOTHING_PROVED);
  return { losses, claimed: { epsilon, delta } };
}

/** By the blankets, without a certificate: about the delta that one can have. */
function provedDelta(model: MechanismModel, users: number, count: number, epsilon: number): number {
  const { amplification, epsilon0 } = model;
  const rounds = [{ amplification, epsilon0, users, count }];
  return namedComposition(rounds, { epsilon }, { blanketsOnly: true }).bracket.upper;
}

/**
 * What is cut off is small beside the delta that is looked for, which is not quite known: it is looked for
 * with smaller ones until it is.
 */
function ofGivenEpsilon(
  lossesAt: (delta: number) => ComposedLosses,
  epsilon: number,
  { largest, aboutFound }: { readonly largest: number; readonly aboutFound: () => number },
): Found {
  if (!(epsilon < largest)) throw new NoCertificateError(NOTHING_PROVED);
  let tried = Math.max(LEAST_DELTA, Math.min(FIRST_DELTA, aboutFound() / BELOW));
  for (;;) {
    const losses = lossesAt(tried);
    const delta = Number(decimalAbove(losses.deltaAt(epsilon)));
    if (tried <= 2 * delta || tried === LEAST_DELTA) return { losses, claimed: { epsilon, delta } };
    // Of a delta far below the one tried, all that is seen is what was cut off.
    tried = Math.max(LEAST_DELTA, Math.min(delta, tried ** 2));
  }
}

interface ComposedLosses {
  readonly curve: RoundCurve;
  readonly windows: readonly (readonly [number, number])[];
  /** What all rounds prove at an epsilon. */
  deltaAt(epsilon: number): Rational;
}

function composedLosses(pairs: readonly AtomsOfPair[], asked: RoundCurveAsked): ComposedLosses {
  const { rounds, delta } = asked;
  const curve = roundCurve(pairs, asked);
  const { grid, points, probabilityBits } = curve;
  const bits = BigInt(probabilityBits);
  const one = roundLoss(
    grid,
    points.map(({ index }) => index),
    points.map(({ value }) => value),
    bits,
  );
  if (one === null) throw new NoCertificateError('no certificate: the losses of a round reach too far');
  const windows = latticeWindows(
    {
      first: one.first,
      probabilities: Float64Array.from(one.masses, (mass) => Number(mass) / 2 ** probabilityBits),
    },
    rounds,
    { worthOfMass: 1 / delta, doublings: [] },
  );
  const sum = convolutionPower(one, BigInt(rounds), { windows, doublings: [] }, bits);
  return {
    curve,
    windows,
    deltaAt: (epsilon) => ({
      numerator: excessOfLosses(grid, sum, growthOf(epsilon)),
      denominator: 1n << (bits + FRACTION_BITS),
    }),
  };
}

/** With six digits, by bisection; null where none below the largest will do. */
function leastEpsilon(
  deltaAt: (epsilon: number) => Rational,
  delta: Rational,
  largest: number,
): number | null {
  const holds = (epsilon: number): boolean => isAtMost(deltaAt(epsilon), delta);
  let [low, high] = [0, largest];
  if (!holds(high)) return null;
  while (high - low > 1e-7 * high) {
    const middle = Number(((low + high) / 2).toPrecision(12));
    if (holds(middle)) high = middle;
    else low = middle;
  }
  const epsilon = roundedUp(high);
  return epsilon < largest ? epsilon : null;
}
