/**
 * The bound of docs/sharp-bound.md (Theorem 3) for one input of the other users: what a data set whose others all hold it
 * contributes. The largest over all inputs bounds every data set.
 */
import type { OtherInput } from '@shuffle-dp/core';
import { pointLosses, type LossLaw } from '../blanket/loss-law.ts';
import { binomialBlocks, COARSE_BLOCKS, FINE_BLOCKS } from './blocks.ts';
import { bufferLaw, drawMoments, TiltedBuffer, type BufferLaw } from './buffer.ts';
import { COARSE, FINE, MinimumMoments } from './minimum-moments.ts';
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
}

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
  return { gains, draws, mass: Math.min(1, mass), excess: excess * (1 + 1e-14) + 4 * UNIT * magnitude };
}

/** Share of the bound that cuts may take, one by one. */
const NEGLIGIBLE = 1e-5;
/** What the ratios beyond the cut may add, as a share of the target. */
const CUT_SHARE = 1e-4;

/** One block of buffers, from above. */
export interface BlockTerm {
  /** log of its value, the cut left out. */
  readonly log: number;
  /** What ratios beyond the cut add. */
  readonly cut: number;
}

/**
 * The bound of one block, in which `shown` messages of the blanket hide: E (sum of the gains)_+ over the places.
 * @param rest the users outside the buffer
 * @param target about the bound's own size
 */
export function blockTerm(
  { draws, excess }: PreparedInput,
  moments: LogMoments,
  { kappa, theta }: SharpParameters,
  rest: number,
  shown: number,
  target: number,
  shared?: TiltedBuffer,
): BlockTerm {
  const size = shown + 1;
  const weight = theta * kappa;
  const places = rest + kappa * size;
  const logF = (ratio: number): number => moments.logAt(theta * ratio);
  const buffer = shared ?? new TiltedBuffer(draws, weight, saddleSlope(draws, weight, size, theta, logF));
  const { first, last, cut } = windowOf(draws, weight, buffer.slope, size, (rest * excess) / places, target);
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
  return { log: log - Math.log(places * 2 * theta), cut };
}

function logAddUp(a: number, b: number): number {
  const top = Math.max(a, b);
  return top + Math.log1p(Math.exp(Math.min(a, b) - top));
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
  for (let step = 0; step < 4; step++) {
    const next = (logF(centre + delta) - logF(Math.max(0, centre - delta))) / (2 * delta) / size;
    if (!Number.isFinite(next)) break;
    slope = step === 0 ? next : (slope + next) / 2;
    centre = Math.min(3, drawMoments(draws, weight, slope).mean);
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

/** Deviations of the tilted sum that the window has at least on either side. */
const WINDOW = 7;

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
  let last = point(size * mean + WINDOW * deviation + draws.step);
  const plain = drawMoments(draws, 0, 0);
  const stride = Math.max(1, Math.round((0.5 * Math.sqrt(size * plain.variance)) / draws.step));
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

/** Otherwise nothing but rounding is left. */
export function hasGains({ gains }: PreparedInput): boolean {
  return gains.values.at(-1)! > 0;
}

/** How closely a bound is evaluated; both are bounds. */
export type Effort = 'fine' | 'coarse';

/** The whole bound of one input, from above; 1 where it leaves the doubles. */
export function inputBound(
  input: PreparedInput,
  users: number,
  parameters: SharpParameters,
  target: number,
  effort: Effort = 'fine',
): number {
  const { draws, gains, excess, mass } = input;
  if (!hasGains(input)) return excess;
  const { buffer, kappa, theta } = parameters;
  const rest = users - 1 - buffer;
  const fine = effort === 'fine';
  const moments = new MinimumMoments(gains, rest, theta, fine ? FINE : COARSE);
  const negligible = Math.min(0.01, (NEGLIGIBLE * target) / excess);
  const { blocks, missed } = binomialBlocks(buffer, mass, negligible, fine ? FINE_BLOCKS : COARSE_BLOCKS);
  const typical = blocks.reduce((best, block) => (block.probability > best.probability ? block : best));
  const logF = (ratio: number): number => moments.logAt(theta * ratio);
  const slope = saddleSlope(draws, theta * kappa, typical.shown + 1, theta, logF);
  const shared = new TiltedBuffer(draws, theta * kappa, slope);
  let total = missed * excess;
  for (const { shown, probability } of blocks) {
    if (probability === 0) continue;
    const { log, cut } = blockTerm(input, moments, parameters, rest, shown, target, shared);
    const value = Math.exp(log) * (1 + 1e-12) + cut;
    total += probability * (value < excess ? value : excess);
  }
  return total < 1 ? total * (1 + 1e-12) : 1;
}
