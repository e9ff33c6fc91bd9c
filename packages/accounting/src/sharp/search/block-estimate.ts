/**
 * About what a block of the bound is, a hundred times faster: for comparing parameters, never for a bound.
 * The expectation over the buffer is an integral over the mean ratio with the saddle point's density, by
 * points a deviation apart: not at one saddle point alone, as ratios far out may matter as much where gains
 * are seldom hidden.
 */
import { Real } from '@shuffle-dp/core';
import { logAddUp } from '../buffer/buffer-chords.ts';
import type { BufferLaw } from '../buffer/buffer.ts';
import { RatioTails } from '../buffer/ratio-tails.ts';
import type { LogMoments } from '../gains/normal-moments.ts';
import { parametersFor, placesLog, placesOf, type SharpParameters } from '../input-bound.ts';
import type { PreparedInput } from '../prepared-input.ts';
import { closestCut, ratioCut } from '../buffer/ratio-window.ts';
import { saddleSlope } from '../buffer/saddle-slope.ts';
import { DrawTable } from './draw-table.ts';

/** The first of the points, how many there are and how far apart, in deviations about the saddle point. */
const [LOWEST, POINTS, SPACING] = [-3.75, 10, 1.25];
/** What is summed over them, with the gains and without: a search asks ten thousand times. */
const [parts, tilted] = [new Float64Array(POINTS), new Float64Array(POINTS)];

/** Of an estimate, in sines. */
const COST = 250;

/**
 * About the log of `blockTerm`, what the cut adds included. @param sizes users outside the buffer, and
 * messages of the blanket in it
 */
export function blockEstimate(
  input: PreparedInput,
  moments: LogMoments,
  given: SharpParameters,
  { rest, shown }: { readonly rest: number; readonly shown: number },
  target: number,
): number {
  const parameters = parametersFor(input, given);
  const { kappa, theta } = parameters;
  const { draws, work } = input;
  if (work) work.sines += COST;
  const size = shown + 1;
  const weight = theta * kappa;
  const logF = (ratio: number): number => moments.logAt(theta * ratio);
  const table = DrawTable.of(draws, weight, size);
  const slope = saddleSlope(draws, (at) => table.at(at), size, theta, logF);
  const places = placesOf(rest, input, target);
  const logPlaces = placesLog(places, parameters, shown);
  const tails = { plain: RatioTails.of(draws, 0), weighted: table.tails };
  const { last, cut } = ratioCut(draws, tails, size, closestCut(draws, size), {
    target,
    scale: (rest * input.excess) / (places.users + kappa * size),
    logAtCut: (ratio) => logF(ratio) - logPlaces,
  });
  const most = (last * draws.step) / size;
  let log = bulk(draws, table, size, { slope, most }, logF);
  if (last < draws.largestPoint * size) log = logAddUp(log, logF(most) + table.tails.log(size, last, 1));
  return Real.log(Real.exp(log - logPlaces) + cut * places.factor);
}

/**
 * log of about E e^(weight * sum of the gains) F(mean ratio) over mean ratios up to `most`, the weight that
 * of the table.
 */
function bulk(
  draws: BufferLaw,
  table: DrawTable,
  size: number,
  { slope, most }: { readonly slope: number; readonly most: number },
  logF: (ratio: number) => number,
): number {
  const centre = table.at(slope);
  if (draws.deviation === 0 || !(centre.variance > 0)) {
    return size * (centre.log - slope * centre.mean) + logF(centre.mean);
  }
  const step = 1 / Math.sqrt(size * centre.variance);
  for (let i = 0; i < POINTS; i++) {
    const tilt = slope + (LOWEST + i * SPACING) * step;
    const { log, mean, variance } = table.at(tilt);
    const density = size * (log - tilt * mean) + Real.log(variance) / 2;
    tilted[i] = density + size * slope * mean;
    parts[i] = mean <= most ? density + logF(mean) : -Infinity;
  }
  // The density is off by the same factor everywhere, nearly: tilted, it has to have the mass that is known.
  return logSum(parts) - logSum(tilted) + size * centre.log;
}

function logSum(logs: Float64Array): number {
  let top = -Infinity;
  for (const log of logs) top = Math.max(top, log);
  if (!(top > -Infinity && top < Infinity)) return top;
  let sum = 0;
  for (const log of logs) sum += Real.exp(log - top);
  return top + Real.log(sum);
}
