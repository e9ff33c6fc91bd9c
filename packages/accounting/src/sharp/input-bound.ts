/**
 * The bound of docs/sharp-bound.md (Theorem 3) for one input of the other users: what a data set whose others
 * all hold it contributes. The largest over all inputs bounds every data set.
 */
import { Real } from '@shuffle-dp/core';
import type { LossLaw } from '../blanket/loss-law.ts';
import {
  binomialBlocks,
  blockCharge,
  endsFor,
  COARSE_BLOCKS,
  FINE_BLOCKS,
  FINEST_BLOCKS,
  ROUGH_BLOCKS,
  SKETCHY_BLOCKS,
  type Block,
} from './blocks.ts';
import { chordBound, logAddUp } from './buffer/buffer-chords.ts';
import { drawMoments, type DrawMoments } from './buffer/buffer.ts';
import { COARSE, FINE, FINEST, MinimumMoments, ROUGH, SKETCHY } from './gains/minimum-moments.ts';
import type { PreparedInput } from './prepared-input.ts';
import { windowOf } from './buffer/ratio-window.ts';
import { saddleSlope } from './buffer/saddle-slope.ts';
import { TiltedBuffer } from './buffer/tilted-buffer.ts';

/** Any values give a valid bound; the same for all inputs. */
export interface SharpParameters {
  /** Users whose messages make up the buffer; the rest, beside the victim, is even in number. */
  readonly buffer: number;
  /** Weight of the buffer among the places where the victim's message may be. */
  readonly kappa: number;
  /** Tilt of the integral. */
  readonly theta: number;
}

/** Places among the users outside the buffer, and a factor of the bound for those who hide. */
interface Places {
  readonly users: number;
  readonly factor: number;
}

/**
 * Users hide with a chance of their own, on average over the data `average`. By Bernstein's inequality no
 * more than that share, a constant and slope times that share do, but for a probability of NEGLIGIBLE target:
 * the root in it lies below its tangent, at any point.
 */
export function placesOf(rest: number, { hidden, leastHidden }: PreparedInput, target: number): Places {
  if (leastHidden === 0) return { users: rest, factor: 1 };
  const nats = -Real.log(NEGLIGIBLE * target);
  const root = Math.sqrt((nats * nats) / 9 + 2 * nats * rest * leastHidden);
  const slope = (nats * rest) / root;
  const users = rest - nats / 3 - root + slope * leastHidden;
  const left = users - (rest + slope) * hidden;
  return left > 0 ? { users, factor: (users / left) * (1 + 1e-14) } : { users: 1, factor: Infinity };
}

/** Share of the bound that cuts may take, one by one. */
const NEGLIGIBLE = 1e-5;

/** One block of buffers, from above. */
export interface BlockTerm {
  /** log of its value, the cut left out. */
  readonly log: number;
  /** What ratios beyond the cut add. */
  readonly cut: number;
}

/**
 * The bound of one block, in which so many messages of the blanket hide: E (sum of the gains)_+ over the
 * places.
 * @param rest the users outside the buffer
 * @param block its probability decides how far out the ratios are counted one by one
 * @param target about the bound's own size
 */
export function blockTerm(
  input: PreparedInput,
  moments: MinimumMoments,
  parameters: SharpParameters,
  rest: number,
  { shown, probability }: Pick<Block, 'shown' | 'probability'>,
  target: number,
  shared?: TiltedBuffer,
): BlockTerm {
  const { kappa, theta } = parametersFor(input, parameters);
  const { draws, excess } = input;
  const size = shown + 1;
  const weight = theta * kappa;
  const { users, factor } = placesOf(rest, input, target);
  const logF = (ratio: number): number => moments.logAt(theta * ratio);
  const momentsAt = (slope: number): DrawMoments => drawMoments(draws, weight, slope);
  const buffer = shared ?? new TiltedBuffer(draws, weight, saddleSlope(draws, momentsAt, size, theta, logF));
  const logPlaces = placesLog({ users, factor }, { kappa, theta }, shown);
  const window = windowOf(draws, weight, buffer, size, {
    isCut: input.isCut,
    target: target / probability,
    scale: (rest * excess) / (users + kappa * size),
    logAtCut: (ratio) => logF(ratio) - logPlaces,
  });
  // No bound: the caller knows that no divergence is above the excess.
  if (window === null) return { log: Infinity, cut: 0 };
  const { first, last, cut, beyond } = window;
  let log = buffer.logExpectation(size, first, last, (logs) =>
    moments.setLogs(logs, first, (theta * draws.step) / size),
  );
  // Below the window F is at most its value at either end, being convex.
  if (first > draws.smallestPoint * size) {
    const bottom = (first * draws.step) / size;
    log = logAddUp(log, Math.max(0, logF(bottom)) + buffer.tails.weighted.log(size, first, -1));
  }
  return { log: logAddUp(log - logPlaces, beyond), cut: cut * factor };
}

export function parametersFor(
  { hasPlacesInBuffer }: PreparedInput,
  parameters: SharpParameters,
): SharpParameters {
  return hasPlacesInBuffer ? parameters : { ...parameters, kappa: 0 };
}

/**
 * log of 2 theta times the places where the victim's message may be, less that of the factor for users who
 * hide.
 */
export function placesLog(
  { users, factor }: Places,
  { kappa, theta }: Pick<SharpParameters, 'kappa' | 'theta'>,
  shown: number,
): number {
  return Real.log((users + kappa * (shown + 1)) * 2 * theta) - Real.log(factor);
}

/** How closely a bound is evaluated, from the quick one on with a coarser lattice; all are bounds. */
export type Effort = 'fine' | 'coarse' | 'quick' | 'sketchy' | 'rough';

/** With what they take for each value of the gains, in sines. */
const EFFORTS = {
  fine: { moments: FINE, ends: FINE_BLOCKS, chords: false, few: false, sines: 1000 },
  coarse: { moments: COARSE, ends: COARSE_BLOCKS, chords: false, few: false, sines: 200 },
  quick: { moments: COARSE, ends: COARSE_BLOCKS, chords: false, few: false, sines: 140 },
  sketchy: { moments: SKETCHY, ends: SKETCHY_BLOCKS, chords: false, few: true, sines: 50 },
  rough: { moments: ROUGH, ends: ROUGH_BLOCKS, chords: true, few: true, sines: 25 },
} as const;

/**
 * What a fine look is among many users, whose bounds are close enough to the truth for it to show, and among
 * few, whose sums noise blurs.
 */
const FINEST_EFFORT = { ...EFFORTS.fine, moments: FINEST, ends: FINEST_BLOCKS } as const;
const [FEW_USERS, MANY_USERS] = [5000, 100_000];

/**
 * The whole bound of one input, from above; 1 where it leaves the doubles.
 * @param known what earlier calls with the same users, parameters and effort found out about gains
 * @throws RangeError unless an even number of users is left beside the buffer, at least two
 */
export function inputBound(
  input: PreparedInput,
  users: number,
  given: SharpParameters,
  target: number,
  effort: Effort = 'fine',
  known = new Map<LossLaw, MinimumMoments>(),
): number {
  const { excess, mass, leastHidden, isNothing, charged, buffers } = input;
  // By the same moments, with the same noise: averages over the buffers are below the largest only so.
  if (buffers.length > 0)
    return Math.max(...buffers.map((one) => inputBound(one, users, given, target, effort, known)));
  if (isNothing) return excess + charged;
  const parameters = parametersFor(input, given);
  const { buffer, kappa, theta } = parameters;
  const rest = users - 1 - buffer;
  if (!(rest >= 2 && rest % 2 === 0)) throw new RangeError(`${rest} users outside the buffer: not proved`);
  const isFinest = effort === 'fine' && (users < FEW_USERS || users >= MANY_USERS);
  const { moments: resolution, ends, chords, few, sines } = isFinest ? FINEST_EFFORT : EFFORTS[effort];
  if (input.work) input.work.sines += sines * input.gains.values.length;
  const gains = few ? input.fewerGains() : input.gains;
  const draws = effort === 'fine' || effort === 'coarse' ? input.draws : input.roughDraws();
  const moments = known.get(gains) ?? new MinimumMoments(gains, rest, theta, resolution);
  known.set(gains, moments);
  const negligible = Math.min(0.01, (NEGLIGIBLE * target) / excess);
  const { blocks, missed } = binomialBlocks(buffer, mass, negligible, endsFor(buffer * mass, ends));
  const typical = blocks.reduce((best, block) => (block.probability > best.probability ? block : best));
  const weight = theta * kappa;
  const logF = (ratio: number): number => moments.logAt(theta * ratio);
  const momentsAt = (at: number): DrawMoments => drawMoments(draws, weight, at);
  const slope = saddleSlope(draws, momentsAt, typical.shown + 1, theta, logF);
  const shared = chords ? null : new TiltedBuffer(draws, weight, slope);
  const places = placesOf(rest, input, target);
  const growth = Math.max(0, drawMoments(draws, weight, 0).log);
  let total = (missed + (leastHidden > 0 ? NEGLIGIBLE * target : 0)) * excess;
  for (const block of blocks) {
    const { shown, probability } = block;
    if (probability === 0) continue;
    const { log, cut } = shared
      ? blockTerm({ ...input, draws }, moments, parameters, rest, block, target, shared)
      : {
          log: chordBound(draws, weight, shown + 1, slope, logF) - placesLog(places, parameters, shown),
          cut: 0,
        };
    total +=
      probability * (Real.exp(log + blockCharge(block, growth, places.users, kappa)) * (1 + 1e-12) + cut);
  }
  // Only the whole may be cut at what no divergence exceeds: users of different inputs share the blocks.
  return (total * (1 + 1e-12) < excess ? total * (1 + 1e-12) : excess) + charged;
}
