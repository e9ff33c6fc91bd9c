/**
 * One round: the users' gradients randomized, shuffled dimension by dimension, and averaged by the analyzer.
 */
import {
  ParameterError,
  requirePositive,
  requireWithin,
  type RandomStream,
  type ShuffledGradients,
  type SimulationPath,
} from '@shuffle-dp/core';
import { largestShrinkage } from '@shuffle-dp/randomizers';
import { shuffle, shufflePerDimension } from '@shuffle-dp/shuffler';
import { averageCalibration } from './clip-laplace-calibration.ts';
import { isShuffled, type FrameworkSpec } from './framework-spec.ts';
import { gradientRandomizer } from './gradient-randomizer.ts';
import type { GradientSource } from './gradient-source.ts';
import { aggregateSampledBits } from './sampled-bits.ts';

/** Users whose rows are turned into columns together: a cache line of every column. */
const ROWS = 16;
/** Dimensions that are turned together: their cache lines stay at hand. */
const TILE = 128;

/**
 * 'messages': every message is kept and shuffled. 'aggregated': it is added up as it comes. The analyzer
 * looks at averages alone, which do not depend on the order: both give the same numbers but for rounding.
 */
export type GradientSimulation = SimulationPath;

/**
 * The analyzer's estimate of the average gradient. `budgets` are the users' local budgets per dimension, in
 * nats, one per user of the source; non-private and vector-rr ignore them. The sampled bits of vector-rr are
 * shuffled in both simulations.
 * @throws ParameterError
 */
export function aggregateGradients(
  source: GradientSource,
  budgets: Float64Array,
  spec: FrameworkSpec,
  stream: RandomStream,
  simulation: GradientSimulation = 'messages',
): Float64Array {
  requirePositive('clipBound', spec.clipBound);
  if (spec.keptShare !== undefined) requireWithin('keptShare', spec.keptShare, Number.MIN_VALUE, 1);
  const { kind, clipBound, messageBudget = NaN, levels = 1 } = spec;
  if (kind === 'vector-rr') return aggregateSampledBits(source, { clipBound, messageBudget, levels }, stream);
  if (kind !== 'non-private' && budgets.length !== source.users) {
    throw new ParameterError('budgets', budgets.length, `one for each of the ${source.users} users`);
  }
  const smallest = budgets.reduce((least, budget) => Math.min(least, budget), Infinity);
  const randomize = gradientRandomizer({ ...spec, kind }, source.dimensions, smallest);
  const send: Sender = (user, row) => {
    source.writeInto(user, row);
    randomize(row, budgets[user]!, stream.fork('user').fork(user));
  };
  if (!isShuffled(spec)) return averageInOrder(source, send);
  const average =
    simulation === 'aggregated' ? averageInOrder(source, send) : averageOfShuffled(source, send, stream);
  const seenBudgets = shuffle(
    { columns: { budget: budgets.slice() }, count: budgets.length },
    stream.fork('shuffle budgets'),
  );
  return corrected(average, seenBudgets.columns.budget, spec);
}

type Sender = (user: number, row: Float64Array) => void;

function averageOfShuffled(source: GradientSource, send: Sender, stream: RandomStream): Float64Array {
  const { users, dimensions } = source;
  const values = collectColumns(source, send);
  return averagePerDimension(shufflePerDimension({ values, users, dimensions }, stream.fork('shuffle')));
}

/** What undoes the bias of the messages. */
function corrected(average: Float64Array, budgets: Float64Array, spec: FrameworkSpec): Float64Array {
  if (spec.kind === 'uni-shuffle') return average;
  if (spec.kind === 'unbiased-clip-laplace') {
    const shrinkage = largestShrinkage(budgets.reduce((least, budget) => Math.min(least, budget), Infinity));
    return average.map((value) => value / shrinkage);
  }
  const calibrate = averageCalibration(budgets, spec.clipBound);
  return average.map(calibrate);
}

function averagePerDimension({ values, users, dimensions }: ShuffledGradients): Float64Array {
  const average = new Float64Array(dimensions);
  for (let k = 0; k < dimensions; k++) average[k] = averageOf(values, k * users, (k + 1) * users);
  return average;
}

function averageOf(values: Float32Array | Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[i]!;
  return sum / (to - from);
}

/** All users' messages, dimension-major and in single precision: rounding a message is post-processing. */
function collectColumns({ users, dimensions }: GradientSource, send: Sender): Float32Array {
  const values = new Float32Array(users * dimensions);
  const rows = new Float64Array(ROWS * dimensions);
  for (let first = 0; first < users; first += ROWS) {
    const count = Math.min(ROWS, users - first);
    for (let i = 0; i < count; i++) send(first + i, rows.subarray(i * dimensions, (i + 1) * dimensions));
    turnBlock(rows.subarray(0, count * dimensions), dimensions, values, users, first);
  }
  return values;
}

/** The messages of some users, row by row, who stand from `first` on in every dimension of `values`. */
function turnBlock(
  rows: Float64Array,
  dimensions: number,
  values: Float32Array,
  users: number,
  first: number,
): void {
  const count = rows.length / dimensions;
  for (let from = 0; from < dimensions; from += TILE) {
    const to = Math.min(dimensions, from + TILE);
    for (let i = 0; i < count; i++) {
      const row = i * dimensions;
      let place = from * users + first + i;
      for (let k = from; k < to; k++) {
        values[place] = rows[row + k]!;
        place += users;
      }
    }
  }
}

/** The messages added up as they come. */
function averageInOrder({ users, dimensions }: GradientSource, send: Sender): Float64Array {
  const sum = new Float64Array(dimensions);
  const row = new Float64Array(dimensions);
  for (let user = 0; user < users; user++) {
    send(user, row);
    for (let k = 0; k < dimensions; k++) sum[k] = sum[k]! + row[k]!;
  }
  return sum.map((value) => value / users);
}
