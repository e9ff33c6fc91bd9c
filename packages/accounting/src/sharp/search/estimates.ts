/** About what the sharp bound of one input is: for comparing parameters, never for a bound. */
import { keptByKey, onceEachObject, Real } from '@shuffle-dp/core';
import type { LossLaw } from '../../blanket/loss-law.ts';
import { middleWidth, type Block } from '../blocks.ts';
import { heavyMoments } from '../gains/heavy-moments.ts';
import { COARSE, MinimumMoments, type Resolution } from '../gains/minimum-moments.ts';
import { NormalMoments, type LogMoments } from '../gains/normal-moments.ts';
import { blockTerm, type SharpParameters } from '../input-bound.ts';
import type { PreparedInput } from '../prepared-input.ts';
import { blockEstimate } from './block-estimate.ts';

/**
 * The mean over the sizes of the buffer by some points of a normal law, in deviations below the middle, with
 * their weights on either side: what is above the middle continues what is found below.
 */
export interface SizePoints {
  readonly middle: number;
  readonly sides: readonly (readonly [deviations: number, weight: number])[];
}

/** Gauss and Hermite's three points: enough while parameters are moved. */
export const FEW_SIZES: SizePoints = { middle: 2 / 3, sides: [[Math.sqrt(3), 1 / 6]] };

/** Their five points. */
export const MORE_SIZES: SizePoints = {
  middle: 8 / 15,
  sides: [
    [1.355626, 0.222076],
    [2.85697, 0.0112574],
  ],
};

/**
 * And what is rarer: where a few messages hide the victim, sizes far below the middle may matter more than
 * all others.
 */
export const ALL_SIZES: SizePoints = { ...MORE_SIZES, sides: [...MORE_SIZES.sides, [4.5, 3e-5]] };

/** log of about the bound of one input. */
export type Estimate = (input: PreparedInput, parameters: SharpParameters) => number;

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

/** By the normal laws that sums tend to, at any numbers, whole or not. */
export function quickTerms(target: number): Term {
  return normalTerms(target, (gains, rest, theta) => new NormalMoments(gains, rest, theta));
}

/**
 * By normal laws for the buffer, and for the gains by how far those are from the bound's own moments, of
 * about as many users: where gains have heavy tails.
 */
export function heavyTerms(target: number, resolution: Resolution): Term {
  return normalTerms(target, (gains, rest, theta) => heavyMoments(gains, rest, theta, resolution));
}

/** @param momentsOf gains, for any number of users near `rest`, at about a tilt */
function normalTerms(
  target: number,
  momentsOf: (gains: LossLaw, rest: number, theta: number) => { of(rest: number): LogMoments },
): Term {
  const known = keptByKey<ReturnType<typeof momentsOf>>();
  return (input, parameters, rest, { shown }) => {
    const { gains } = input;
    const moments = known(gains, () => momentsOf(gains, rest, parameters.theta));
    return blockEstimate(input, moments.of(rest), parameters, { rest, shown }, target);
  };
}

/** Of a term, in sines. */
const EXACT_COST = 6000;

/**
 * As the bound has it, on a rough lattice where moments are coarse. Not cut at what no divergence exceeds: a
 * search needs a slope everywhere.
 */
export function exactTerms(target: number, resolution: Resolution): Term {
  const known = onceEachObject((_gains: LossLaw) => keptByKey<MinimumMoments>());
  const isRough = resolution === COARSE;
  return (input, parameters, rest, block) => {
    const { gains } = input;
    const { theta } = parameters;
    const moments = known(gains)(rest, () => new MinimumMoments(gains, rest, theta, resolution));
    if (input.work) input.work.sines += EXACT_COST;
    const term = isRough ? { ...input, draws: input.roughDraws() } : input;
    const { log, cut } = blockTerm(term, moments, parameters, rest, block, target);
    return Real.log(Real.exp(log) + cut);
  };
}

/**
 * log of about the bound.
 * @param round of the messages that a buffer shows, where terms need whole numbers
 */
export function estimator(
  users: number,
  term: Term,
  { middle: middleWeight, sides }: SizePoints,
  round: (shown: number) => number = (shown) => shown,
): Estimate {
  const estimate: Estimate = (input, parameters) => {
    if (input.buffers.length > 0) return Math.max(...input.buffers.map((one) => estimate(one, parameters)));
    const rest = users - 1 - parameters.buffer;
    if (!(rest >= 2)) return Infinity;
    const all = parameters.buffer * input.mass;
    const deviation = Math.sqrt(all * (1 - input.mass));
    const mean = all - lostByBlocks(all, deviation);
    const middle = term(input, parameters, rest, {
      shown: round(Math.max(0, mean)),
      probability: middleWeight,
    });
    if (!(middle < Infinity)) return Infinity;
    let sum = middleWeight * Real.exp(middle);
    for (const [point, weight] of sides) {
      const shown = round(Math.max(0, mean - point * deviation));
      const fewer = term(input, parameters, rest, { shown, probability: weight });
      sum += weight * (Real.exp(fewer) + Real.exp(Math.min(middle, 2 * middle - fewer)));
    }
    return Number.isNaN(sum) ? Infinity : Real.log(sum);
  };
  return estimate;
}

/** Blocks count what they show at the least of it: on average so many fewer messages. */
function lostByBlocks(mean: number, deviation: number): number {
  return Math.max(0, (middleWidth(mean) * deviation - 1) / 2);
}
