/**
 * Good parameters of the sharp bound for the worst of some inputs: any are valid, so nothing here has to be
 * certain.
 */
import { Real } from '@shuffle-dp/core';
import { saddlePoint } from '../../blanket/exponential-tilt.ts';
import type { LossLaw } from '../../blanket/loss-law.ts';
import type { Block } from '../blocks.ts';
import { blockEstimate } from './block-estimate.ts';
import { blockTerm, hasGains, type PreparedInput, type SharpParameters } from '../input-bound.ts';
import { COARSE, MinimumMoments, ROUGH, type Resolution } from '../gains/minimum-moments.ts';
import { NormalMoments } from '../gains/normal-moments.ts';

/** Factors of the first guess that are tried together: steps along one parameter alone can get stuck. */
const GRID = {
  buffer: [0.45, 0.9, 1.7, 3],
  kappa: [0.4, 0.85, 1.5],
  theta: [0.87, 0.97, 1.08],
} as const;
/**
 * Where none of these gives a bound: shares of the users, weights, and factors of the tilt, for gains of
 * heavy tails.
 */
const FAR_GRID = {
  share: [0.1, 0.3, 0.6],
  kappa: [1, 5, 25],
  theta: [0.6, 0.35, 0.2, 0.1],
} as const;
const FIRST_STEP = 1.2;
/** Whether an improvement starts on the grid, and its last step. */
interface Effort {
  readonly widely: boolean;
  readonly lastStep: number;
}
const WIDELY: Effort = { widely: true, lastStep: 1.01 };
const NEARBY: Effort = { widely: false, lastStep: 1.01 };
/** By the bound's own terms, which take a thousand times as long as estimates. */
const COSTLY: Effort = { widely: false, lastStep: 1.03 };
/** Of more inputs some are left out: neighbours in a list are much alike. */
const MOST_INPUTS = 64;
/** Inputs that may be searched for together, and how much worse than them another may be, in log delta. */
const MOST_ROUNDS = 4;
const CLOSE = 0.002;
/** Where the normal moments are too small by this much, in log delta, the exact ones go on. */
const FAR_FROM_NORMAL = 0.08;
/**
 * The mean over the sizes of the buffer by five points of a normal law (Gauss and Hermite), in deviations
 * from the middle: those above it by continuing what is found below.
 */
const MIDDLE_WEIGHT = 8 / 15;
const SIDES = [
  [1.355626, 0.222076],
  [2.85697, 0.0112574],
] as const;

/**
 * Parameters for the worst of all inputs.
 * @param users in all, at least 4; @param target about the bound's own size
 */
export function searchParameters(
  all: readonly PreparedInput[],
  users: number,
  target: number,
  known?: SharpParameters,
): Found | null {
  const stride = Math.ceil(all.length / MOST_INPUTS);
  const inputs = all.filter((input, i) => i % stride === 0 && hasGains(input));
  if (inputs.length === 0)
    return { parameters: { buffer: (users - 1) % 2, kappa: 1, theta: 1 }, log: Infinity };
  const estimate = estimator(users, quickTerms(target));
  // From where others have ended, and as if nothing were known: either may get stuck.
  let best = searchFrom(inputs, guess(inputs[0]!, users), users, estimate, WIDELY);
  if (known) {
    const near = searchFrom(inputs, known, users, estimate, NEARBY);
    if (near.log < best.log) best = near;
  }
  const { active, parameters } = best;
  const estimateBy = (resolution: Resolution): Estimate => estimator(users, exactTerms(target, resolution));
  if (best.log === Infinity) {
    // Chernoff's bound is almost free, and tells where others are worth their cost.
    const rough = improved(active, parameters, users, estimateBy(ROUGH), WIDELY);
    return rough.log < Infinity
      ? improved(active, rough.parameters, users, estimateBy(COARSE), COSTLY)
      : null;
  }
  const exact = estimateBy(COARSE);
  const log = Math.max(...active.map((input) => exact(input, parameters)));
  if (log < best.log + FAR_FROM_NORMAL) return best;
  const found = improved(active, parameters, users, exact, COSTLY);
  return found.log < Infinity ? found : null;
}

/** Inputs join one by one: the worst at the start, then whichever is worse at what was found. */
function searchFrom(
  inputs: readonly PreparedInput[],
  start: SharpParameters,
  users: number,
  estimate: Estimate,
  effort: Effort,
): Found & { readonly active: readonly PreparedInput[] } {
  const active = [worstAt(inputs, start, estimate).input];
  let best: Found = { parameters: effort.widely ? guess(active[0]!, users) : start, log: Infinity };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    best = improved(active, best.parameters, users, estimate, effort);
    const worst = worstAt(inputs, best.parameters, estimate);
    if (active.includes(worst.input) || worst.log <= best.log + CLOSE) break;
    active.push(worst.input);
  }
  return { ...best, active };
}

export interface Found {
  readonly parameters: SharpParameters;
  /** log of the estimate for the worst of the inputs. */
  readonly log: number;
}

function improved(
  inputs: readonly PreparedInput[],
  start: SharpParameters,
  users: number,
  estimate: Estimate,
  { widely, lastStep }: Effort,
): Found {
  const hasPlaces = inputs.some(({ hasPlacesInBuffer }) => hasPlacesInBuffer);
  let best: Found = { parameters: start, log: Infinity };
  const tried = (parameters: SharpParameters): boolean => {
    let log = -Infinity;
    for (const input of inputs) {
      log = Math.max(log, estimate(input, parameters));
      if (!(log < best.log)) return false;
    }
    best = { parameters, log };
    return true;
  };
  tried(start);
  if (widely) {
    for (const a of GRID.buffer)
      for (const b of hasPlaces ? GRID.kappa : [1])
        for (const c of GRID.theta) tried(scaled(start, users, a, b, c));
    if (best.log === Infinity) {
      for (const share of FAR_GRID.share)
        for (const kappa of hasPlaces ? FAR_GRID.kappa : [1])
          for (const c of FAR_GRID.theta)
            tried(scaled({ ...start, buffer: share * users, kappa }, users, 1, 1, c));
    }
    // Around what gives no bound steps would only cost.
    if (best.log === Infinity) return best;
  }
  for (let step = FIRST_STEP; step > lastStep; step = Math.sqrt(step)) {
    for (let moved = true, rounds = 0; moved && rounds < 4; rounds++) {
      moved = false;
      for (const factor of [step, 1 / step]) {
        const tilt = 1 + (factor - 1) / 3;
        if (tried(scaled(best.parameters, users, 1, 1, tilt))) moved = true;
        if (hasPlaces && tried(scaled(best.parameters, users, 1, factor, 1))) moved = true;
        if (tried(scaled(best.parameters, users, factor, 1, 1))) moved = true;
        // What the buffer is worth among the places stays about the same.
        if (hasPlaces && tried(scaled(best.parameters, users, factor, 1 / factor, 1))) moved = true;
        // Along an edge between two inputs that are equally bad.
        if (tried(scaled(best.parameters, users, factor, 1, tilt))) moved = true;
        if (tried(scaled(best.parameters, users, factor, 1, 1 / tilt))) moved = true;
      }
    }
  }
  return best;
}

type Estimate = (input: PreparedInput, parameters: SharpParameters) => number;

/**
 * log of about what a buffer that shows so many messages contributes, were it certain to: its probability
 * only decides how closely ratios are cut.
 */
type Term = (
  input: PreparedInput,
  parameters: SharpParameters,
  rest: number,
  block: Pick<Block, 'shown' | 'probability'>,
) => number;

/** By the normal laws that sums tend to. */
function quickTerms(target: number): Term {
  const known = new Map<LossLaw, NormalMoments>();
  return (input, parameters, rest, { shown }) => {
    const { gains } = input;
    let moments = known.get(gains);
    if (moments === undefined) known.set(gains, (moments = new NormalMoments(gains, rest, parameters.theta)));
    return blockEstimate(input, moments.of(rest), parameters, { rest, shown }, target);
  };
}

/** As the bound has it. Not cut at what no divergence exceeds: a search needs a slope everywhere. */
function exactTerms(target: number, resolution: Resolution): Term {
  const known = new Map<LossLaw, Map<number, MinimumMoments>>();
  return (input, parameters, rest, block) => {
    const { gains } = input;
    const own = known.get(gains) ?? new Map<number, MinimumMoments>();
    known.set(gains, own);
    const moments = own.get(rest) ?? new MinimumMoments(gains, rest, parameters.theta, resolution);
    own.set(rest, moments);
    const { log, cut } = blockTerm(input, moments, parameters, rest, block, target);
    return Real.log(Real.exp(log) + cut);
  };
}

/** log of about the bound. */
function estimator(users: number, term: Term): Estimate {
  return (input, parameters) => {
    const rest = users - 1 - parameters.buffer;
    const mean = parameters.buffer * input.mass;
    const deviation = Math.sqrt(mean * (1 - input.mass));
    const middle = term(input, parameters, rest, { shown: Math.floor(mean), probability: MIDDLE_WEIGHT });
    if (!(middle < Infinity)) return Infinity;
    let sum = MIDDLE_WEIGHT * Real.exp(middle);
    for (const [point, weight] of SIDES) {
      const shown = Math.max(0, Math.floor(mean - point * deviation));
      const fewer = term(input, parameters, rest, { shown, probability: weight });
      sum += weight * (Real.exp(fewer) + Real.exp(Math.min(middle, 2 * middle - fewer)));
    }
    return Number.isNaN(sum) ? Infinity : Real.log(sum);
  };
}

function worstAt(
  inputs: readonly PreparedInput[],
  parameters: SharpParameters,
  estimate: Estimate,
): { readonly input: PreparedInput; readonly log: number } {
  let worst = { input: inputs[0]!, log: -Infinity };
  for (const input of inputs) {
    const log = estimate(input, parameters);
    if (log > worst.log) worst = { input, log };
  }
  return worst;
}

/**
 * By how much less the variance is with the others' own laws than with the blanket, where the latter is not
 * known.
 */
const USUALLY_NARROWER = 0.3;

/**
 * From the variances of the gains, with and without the blanket, and from how much the ratios vary
 * (docs/sharp-bound.md).
 */
function guess({ gains, draws, mass }: PreparedInput, users: number): SharpParameters {
  const variance = gains.values.reduce((sum, value, i) => sum + gains.probabilities[i]! * value * value, 0);
  const theta = saddlePoint(gains, users)!.theta;
  const blanketVariance =
    draws.gains.reduce((sum, gain, i) => sum + draws.probabilities[i]! * gain * gain, 0) / mass;
  const narrower = blanketVariance > 0 ? Math.max(0, 1 - variance / blanketVariance) : USUALLY_NARROWER;
  const spread = Math.sqrt(narrower * draws.deviation * draws.deviation * users);
  return scaled(
    {
      buffer: Math.max(2 * spread, 10 / mass),
      kappa: blanketVariance > 0 ? variance / (mass * blanketVariance) : 1,
      theta,
    },
    users,
    1,
    1,
    1,
  );
}

/** With an even number of users beside the buffer, at least two. */
export function scaled(
  { buffer, kappa, theta }: SharpParameters,
  users: number,
  bufferFactor: number,
  kappaFactor: number,
  thetaFactor: number,
): SharpParameters {
  const wanted = Math.min(Math.round(buffer * bufferFactor), users - 3);
  const parity = (users - 1 - wanted) % 2;
  return {
    buffer: Math.max(0, wanted - parity) + (wanted - parity < 0 ? 2 : 0),
    kappa: kappa * kappaFactor,
    theta: theta * thetaFactor,
  };
}
