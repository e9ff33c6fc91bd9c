/**
 * Points of one round's curve of delta over epsilon, on a grid of losses, each proved by steps of its own.
 */
import { certifiedDelta, certifiedEpsilon } from '@shuffle-dp/accounting';
import {
  fractionAbove,
  FRACTION_BITS,
  lossGrid,
  ordersOf,
  roundDelta,
  type CertificateSteps,
  type LossGrid,
} from '@shuffle-dp/certificates';
import { MASS_BITS, type AtomsOfPair } from './certificate-atoms.ts';
import { MOST_EPSILON } from './certificate-limits.ts';
import { plannedSteps, type PlannedSteps } from './lattice-steps.ts';
import { lowerHull } from './lower-hull.ts';
import { NoCertificateError } from './no-certificate-error.ts';
import { counted } from '../words/counted.ts';

/**
 * Grid points to a deviation of one round's loss; with eight, epsilon is larger by about a fifth of a
 * percent.
 */
const POINTS_OF_LOSS = 8;
/** Points of the curve, at most: with few users and large budgets the grid is coarser for it. */
const MOST_POINTS = 240;
/** Part of delta that losses beyond the last point may take, in all rounds together. */
const SHARE_BEYOND = 1e-3;
/** The largest step of the grid: the verifier takes ratios of at most 2. */
const LARGEST_STEP = 0.69;

export interface RoundCurveAsked {
  readonly users: number;
  readonly rounds: number;
  /** Of all rounds. */
  readonly delta: number;
  readonly epsilon0: number;
}

export interface RoundCurve {
  readonly probabilityBits: number;
  /** Over 2^MASS_BITS. */
  readonly ratio: bigint;
  readonly grid: LossGrid;
  readonly points: readonly CurvePoint[];
}

interface CurvePoint {
  readonly index: number;
  /** The grid's power, and at most the divergence there, over 2^FRACTION_BITS. */
  readonly at: bigint;
  readonly value: bigint;
  readonly steps: readonly CertificateSteps[];
}

/**
 * Those points of the grid that lie on the lower convex hull of what their steps prove. @throws
 * NoCertificateError
 */
export function roundCurve(pairs: readonly AtomsOfPair[], asked: RoundCurveAsked): RoundCurve {
  const { users, rounds, epsilon0 } = asked;
  const profile = { variationRatio: null, blanket: pairs.map(({ masses }) => masses), homogeneous: [] };
  const leastDelta = (asked.delta * SHARE_BEYOND) / rounds;
  const reach = certifiedEpsilon(profile, users, leastDelta, { epsilon0 }).upper;
  if (!(reach < MOST_EPSILON))
    throw new NoCertificateError('no certificate: the blanket proves nothing at so small a delta');
  // A normal loss of deviation s has a total variation of s / sqrt(2 pi).
  const totalVariation = certifiedDelta(profile, users, 0).upper;
  const deviation = totalVariation * Math.sqrt(2 * Math.PI);
  const step = Math.min(LARGEST_STEP, Math.max(deviation / POINTS_OF_LOSS, reach / MOST_POINTS));
  const ratio = BigInt(Math.round(Math.exp(step) * 2 ** 52)) << BigInt(MASS_BITS - 52);
  const grid = lossGrid(`${ratio}`, BigInt(MASS_BITS))!;
  const logRatio = Math.log(Number(ratio) / 2 ** MASS_BITS);
  const orders = ordersOf(pairs);
  const planAt = (index: number, delta: number): PlannedSteps[] => {
    const point = { users, epsilon: index * logRatio, growth: grid.power(index), delta, fineness: 1 };
    const plans = orders.map((atoms) => plannedSteps(atoms, point));
    if (plans.includes(null))
      throw new NoCertificateError(
        `no certificate: for ${counted(users, 'user')} its lattice would be too large`,
      );
    return plans.filter((plan) => plan !== null);
  };
  const last = Math.ceil(reach / logRatio);
  const probabilityBits = Math.max(
    ...[...planAt(0, leastDelta), ...planAt(last, leastDelta)].map((plan) => plan.probabilityBits),
  );
  const scales = {
    claim: { users: `${users}` },
    massBits: `${MASS_BITS}`,
    probabilityBits: `${probabilityBits}`,
  };
  const points: CurvePoint[] = [];
  // What a window cuts off is a share of the guess: far above the value it would be much of the value.
  let guess = totalVariation;
  for (let index = 0; index <= last; index++) {
    const steps = planAt(index, Math.max(guess, leastDelta)).map((plan) => plan.steps);
    const at = grid.power(index);
    const value = fractionAbove(roundDelta(scales, orders, steps, at));
    // The curve falls faster and faster on a scale of logarithms, so half of what a line would give is near
    // enough.
    const fall = value > 0n && index > 0 ? fractionNumber(value) / fractionNumber(points.at(-1)!.value) : 1;
    guess = (fractionNumber(value) * fall) / 2;
    points.push({ index, at, value, steps });
  }
  return { probabilityBits, ratio, grid, points: lowerHull(points) };
}

/** An integer over 2^FRACTION_BITS, which is at most 1, as a double. */
function fractionNumber(value: bigint): number {
  return Number(value) / 2 ** Number(FRACTION_BITS);
}
