/**
 * The bound of docs/sharp-bound.md (Theorem 3) for one input of the other users: what a data set whose others all hold it
 * contributes. The largest over all inputs bounds every data set.
 */
import type { OtherInput } from '@shuffle-dp/core';
import { pointLosses, thinned, type LossLaw } from '../blanket/loss-law.ts';
import { binomialBlocks, COARSE_BLOCKS, FINE_BLOCKS, ROUGH_BLOCKS, type Block } from './blocks.ts';
import { chordBound, logAddUp } from './buffer-chords.ts';
import { bufferLaw, drawMoments, TiltedBuffer, type BufferLaw } from './buffer.ts';
import { COARSE, FINE, MinimumMoments, ROUGH, SKETCHY } from './minimum-moments.ts';
import type { LogMoments } from './normal-moments.ts';

const UNIT = 2 ** -53;

/** Any values give a valid bound; the same for all inputs. */
export interface SharpParameters {
  /** Users whose messages make up the buffer; the rest, beside the victim, is even in number. */
  readonly buffer: number;
  /** Weight of the buffer among the places where the victim's message may be. */
  readonly kappa: number;
  /** Tilt of the integral. */
  readonly theta: number;
}

/** One input at one epsilon: what does not depend on the parameters. */
export interface PreparedInput {
  readonly gains: LossLaw;
  readonly draws: BufferLaw;
  /** Mass of the blanket. */
  readonly mass: number;
  /** Sum of the positive parts of R_0 - e^epsilon R_1: no divergence is larger. */
  readonly excess: number;
  /** What the law used lacks of that of the input, */
  readonly hidden: number;
  /** and at least of those inputs of the pair of which anything lacks. */
  readonly leastHidden: number;
  /** No output is more than e^epsilon times as likely: beside rounding there is no divergence. */
  readonly isNothing: boolean;
  /** The victim's mass at outputs that were left out: added to the bound. */
  readonly charged: number;
}

/** Gains of more values are thinned to so many. */
const MOST_GAINS = 40;
const FEWER_GAINS = 32;

/** Null where the blanket does not cover all outputs, or the input does not. */
export function prepareInput(input: OtherInput, expEpsilon: number, users: number): PreparedInput | null {
  const draws = bufferLaw(input, expEpsilon, users);
  if (draws === null) return null;
  const { victim0, victim1, own, blanket } = input;
  let [excess, magnitude] = [0, 0];
  for (let y = 0; y < own.length; y++) {
    if (own[y] === 0 && victim0[y]! + victim1[y]! > 0) return null;
    excess += Math.max(0, victim0[y]! - expEpsilon * victim1[y]!);
    magnitude += victim0[y]! + expEpsilon * victim1[y]!;
  }
  const gains = pointLosses(
    { label: input.label, victim0, victim1, others: own, symmetric: true },
    expEpsilon,
  );
  const mass = blanket.reduce((sum, part) => sum + part, 0);
  return {
    gains:
      gains.values.length > MOST_GAINS ? thinned(gains, gains.probabilities, FEWER_GAINS, 'dilation') : gains,
    draws,
    mass: Math.min(1, mass),
    excess: excess * (1 + 1e-14) + 4 * UNIT * magnitude,
    hidden: input.hidden ?? 0,
    leastHidden: input.hidden ?? 0,
    isNothing: !(gains.values.at(-1)! > 0),
    charged: 0,
  };
}

/** Places among the users outside the buffer, and a factor of the bound for those who hide. */
interface Places {
  readonly users: number;
  readonly factor: number;
}

/**
 * Users hide with a chance of their own, on average over the data `average`. By Bernstein's inequality no more than that share, a constant and
 * slope times that share do, but for a probability of NEGLIGIBLE target: the root in it lies below its tangent, at any point.
 */
function placesOf(rest: number, { hidden, leastHidden }: PreparedInput, target: number): Places {
  if (leastHidden === 0) return { users: rest, factor: 1 };
  const nats = -Math.log(NEGLIGIBLE * target);
  const root = Math.sqrt((nats * nats) / 9 + 2 * nats * rest * leastHidden);
  const slope = (nats * rest) / root;
  const users = rest - nats / 3 - root + slope * leastHidden;
  const left = users - (rest + slope) * hidden;
  return left > 0 ? { users, factor: (users / left) * (1 + 1e-14) } : { users: 1, factor: Infinity };
}

/** Share of the bound that cuts may take, one by one. */
const NEGLIGIBLE = 1e-5;
/** What the ratios beyond the cut may add, as a share of the target. */
const CUT_SHARE = 3e-4;

/** One block of buffers, from above. */
export interface BlockTerm {
  /** log of its value, the cut left out. */
  readonly log: number;
  /** What ratios beyond the cut add. */
  readonly cut: number;
}

/**
 * The bound of one block, in which so many messages of the blanket hide: E (sum of the gains)_+ over the places.
 * @param rest the users outside the buffer
 * @param block its probability decides how far out the ratios are counted one by one
 * @param target about the bound's own size
 */
export function blockTerm(
  input: PreparedInput,
  moments: LogMoments,
  parameters: SharpParameters,
  rest: number,
  { shown, probability }: Block,
  target: number,
  shared?: TiltedBuffer,
): BlockTerm {
  const { kappa, theta } = parameters;
  const { draws, excess } = input;
  const size = shown + 1;
  const weight = theta * kappa;
  const { users, factor } = placesOf(rest, input, target);
  const logF = (ratio: number): number => moments.logAt(theta * ratio);
  const buffer = shared ?? new TiltedBuffer(draws, weight, saddleSlope(draws, weight, size, theta, logF));
  const scale = (rest * excess) / (users + kappa * size);
  const { first, last, cut } = windowOf(draws, weight, buffer.slope, size, scale, target / probability);
  let log = buffer.logExpectation(size, first, last, logF);
  // Below the window F is at most its value at either end, being convex; above it the ratio is cut.
  if (first > draws.smallestPoint * size) {
    const bottom = (first * draws.step) / size;
    log = logAddUp(log, Math.max(0, logF(bottom)) + logTail(draws, weight, size, first, -1));
  }
  if (last < draws.largestPoint * size) {
    const top = (last * draws.step) / size;
    log = logAddUp(log, logF(top) + logTail(draws, weight, size, last, 1));
  }
  return { log: log - placesLog({ users, factor }, parameters, shown), cut: cut * factor };
}

/** log of 2 theta times the places where the victim's message may be, less that of the factor for users who hide. */
function placesLog(
  { users, factor }: Places,
  { kappa, theta }: Pick<SharpParameters, 'kappa' | 'theta'>,
  shown: number,
): number {
  return Math.log((users + kappa * (shown + 1)) * 2 * theta) - Math.log(factor);
}

/** The slope of the ratios' tilt at which the whole is in the bulk. */
export function saddleSlope(
  draws: BufferLaw,
  weight: number,
  size: number,
  theta: number,
  logF: (ratio: number) => number,
): number {
  if (draws.deviation === 0) return 0;
  let slope = 0;
  let centre = drawMoments(draws, weight, 0).mean;
  const delta = 0.05 * Math.min(0.5, draws.deviation / Math.sqrt(size));
  // Beyond, ratios are cut: gains of heavy tails have no say there.
  const furthest = Math.min(3, 1 + (5 * draws.deviation) / Math.sqrt(size));
  for (let step = 0; step < 4; step++) {
    const next = (logF(centre + delta) - logF(Math.max(0, centre - delta))) / (2 * delta) / size;
    if (!Number.isFinite(next)) break;
    slope = step === 0 ? next : (slope + next) / 2;
    centre = Math.min(furthest, drawMoments(draws, weight, slope).mean);
  }
  return slope;
}

interface RatioWindow {
  /** Lattice points of the sum of the ratios between which they are counted one by one. */
  readonly first: number;
  readonly last: number;
  /** What ratios beyond the last add to the bound. */
  readonly cut: number;
}

/** Deviations of the tilted sum that the window has below its mean. */
const WINDOW = 7;
/** Deviations of the sum at which the cut may be at the closest. */
const CLOSEST = 3.5;

function windowOf(
  draws: BufferLaw,
  weight: number,
  slope: number,
  size: number,
  scale: number,
  target: number,
): RatioWindow {
  const { mean, variance } = drawMoments(draws, weight, slope);
  const deviation = Math.sqrt(size * variance);
  const most = draws.largestPoint * size;
  const least = draws.smallestPoint * size;
  const point = (sum: number): number => Math.min(most, Math.max(least, Math.round(sum / draws.step)));
  const first = point(size * mean - WINDOW * deviation - draws.step);
  const plain = drawMoments(draws, 0, 0);
  const plainDeviation = Math.sqrt(size * plain.variance);
  const stride = Math.max(1, Math.round((0.25 * plainDeviation) / draws.step));
  // No further than the cut allows: beyond, gains of heavy tails outweigh how seldom ratios are so large.
  let last = Math.max(
    Math.min(most, first + 2),
    point(size * plain.mean + CLOSEST * plainDeviation + draws.step),
  );
  let cut = scale * meanBeyond(draws, size, last);
  while (cut > CUT_SHARE * target && last < most) {
    last = Math.min(most, last + stride);
    cut = scale * meanBeyond(draws, size, last);
  }
  return { first, last, cut };
}

/** E (mean ratio - last)_+ without a tilt, by Chernoff: x_+ <= e^(s x - 1) / s. */
function meanBeyond(draws: BufferLaw, size: number, last: number): number {
  if (last >= draws.largestPoint * size) return 0;
  return Math.exp(leastExponent(draws, 0, size, last, 1, (s) => -1 - Math.log(s * size)));
}

/** log of E e^(weight gains) over the buffers beyond a point, on one side, by Chernoff. */
function logTail(draws: BufferLaw, weight: number, size: number, point: number, side: 1 | -1): number {
  return leastExponent(draws, weight, size, point, side, () => 0);
}

/** The least over some s > 0 of size log E e^(weight gain + side s ratio) - side s (point), and a term of s. */
function leastExponent(
  draws: BufferLaw,
  weight: number,
  size: number,
  point: number,
  side: 1 | -1,
  extra: (s: number) => number,
): number {
  const sum = point * draws.step;
  const exponent = (s: number): number =>
    size * drawMoments(draws, weight, side * s).log - side * s * sum + extra(s);
  // Newton on the tilted mean, from the Gaussian guess.
  let s = 0;
  for (let step = 0; step < 12; step++) {
    const { mean, variance } = drawMoments(draws, weight, side * s);
    const next = s + Math.max(-s / 2, (side * (sum / size - mean)) / variance);
    const done = Math.abs(next - s) <= 1e-3 * next;
    s = Math.min(next, s === 0 ? Infinity : 2 * s);
    if (done || !(s > 0 && s < Infinity)) break;
  }
  const start = s > 0 && s < Infinity ? s : 1 / (draws.deviation * Math.sqrt(size) + draws.step);
  const best = Math.min(exponent(start), exponent(0.7 * start), exponent(1.4 * start));
  return best + 1e-9 * Math.abs(best) + 1e-9;
}

/** Whether the gains alone reach above zero, the buffer's aside. */
export function hasGains({ gains }: PreparedInput): boolean {
  return gains.values.at(-1)! > 0;
}

/** How closely a bound is evaluated; all are bounds. */
export type Effort = 'fine' | 'coarse' | 'sketchy' | 'rough';

const EFFORTS = {
  fine: { moments: FINE, ends: FINE_BLOCKS, chords: false },
  coarse: { moments: COARSE, ends: COARSE_BLOCKS, chords: false },
  sketchy: { moments: SKETCHY, ends: COARSE_BLOCKS, chords: true },
  rough: { moments: ROUGH, ends: ROUGH_BLOCKS, chords: true },
} as const;

/**
 * The whole bound of one input, from above; 1 where it leaves the doubles.
 * @param known what earlier calls with the same users, parameters and effort found out about gains
 */
export function inputBound(
  input: PreparedInput,
  users: number,
  parameters: SharpParameters,
  target: number,
  effort: Effort = 'fine',
  known = new Map<LossLaw, MinimumMoments>(),
): number {
  const { draws, gains, excess, mass, leastHidden, isNothing, charged } = input;
  if (isNothing) return excess + charged;
  const { buffer, kappa, theta } = parameters;
  const rest = users - 1 - buffer;
  const { moments: resolution, ends, chords } = EFFORTS[effort];
  const moments = known.get(gains) ?? new MinimumMoments(gains, rest, theta, resolution);
  known.set(gains, moments);
  const negligible = Math.min(0.01, (NEGLIGIBLE * target) / excess);
  const { blocks, missed } = binomialBlocks(buffer, mass, negligible, ends);
  const typical = blocks.reduce((best, block) => (block.probability > best.probability ? block : best));
  const weight = theta * kappa;
  const logF = (ratio: number): number => moments.logAt(theta * ratio);
  const slope = saddleSlope(draws, weight, typical.shown + 1, theta, logF);
  const shared = chords ? null : new TiltedBuffer(draws, weight, slope);
  const places = placesOf(rest, input, target);
  let total = (missed + (leastHidden > 0 ? NEGLIGIBLE * target : 0)) * excess;
  for (const block of blocks) {
    const { shown, probability } = block;
    if (probability === 0) continue;
    const { log, cut } = shared
      ? blockTerm(input, moments, parameters, rest, block, target, shared)
      : {
          log: chordBound(draws, weight, shown + 1, slope, logF) - placesLog(places, parameters, shown),
          cut: 0,
        };
    total += probability * (Math.exp(log) * (1 + 1e-12) + cut);
  }
  // Only the whole may be cut at what no divergence exceeds: users of different inputs share the blocks.
  return (total * (1 + 1e-12) < excess ? total * (1 + 1e-12) : excess) + charged;
}
