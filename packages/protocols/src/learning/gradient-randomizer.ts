/**
 * What one user does with their gradient: clip each coordinate, randomize it, and keep only some of the
 * result.
 */
import { sampleSubset, type MeanRandomizer, type RandomStream } from '@shuffle-dp/core';
import { clipLaplace, laplaceMechanism, largestShrinkage } from '@shuffle-dp/randomizers';
import type { NoiseFrameworkSpec } from './framework-spec.ts';
import { smallestFinder } from './largest-values.ts';

/** Replaces the values of a row by the user's messages; budgets in nats, per dimension. */
export type GradientRandomizer = (row: Float64Array, budget: number, stream: RandomStream) => void;

/** For rows of this many numbers. @throws ParameterError for a budget that is not positive */
export function gradientRandomizer(
  spec: NoiseFrameworkSpec,
  dimensions: number,
  smallestBudget: number,
): GradientRandomizer {
  if (spec.kind === 'non-private') return () => undefined;
  const mechanismOf = mechanism(spec, smallestBudget);
  if (spec.kind !== 's-apes') return (row, budget, stream) => randomizeBy(mechanismOf(budget), row, stream);
  const { keptShare = 1, sparsification = 'largest' } = spec;
  const kept = Math.max(1, Math.round(keptShare * dimensions));
  const smallest = smallestFinder(dimensions);
  const dummies = new Float64Array(dimensions - kept);
  return (row, budget, stream) => {
    const randomizer = mechanismOf(budget);
    randomizeBy(randomizer, row, stream.fork('values'));
    if (kept === dimensions) return;
    const dropped =
      sparsification === 'largest'
        ? smallest(row, kept)
        : randomDropped(dimensions, kept, stream.fork('choice'));
    // Dummies keep the number of messages of a dimension, and with it the amplification.
    dummies.fill(0);
    randomizeBy(randomizer, dummies, stream.fork('dummies'));
    replace(row, dropped, dummies);
  };
}

function randomizeBy(randomizer: MeanRandomizer, row: Float64Array, stream: RandomStream): void {
  randomizer.randomizeInto(row, { columns: { value: row }, count: 0 }, stream);
}

function replace(row: Float64Array, places: Uint32Array, by: Float64Array): void {
  for (let i = 0; i < places.length; i++) row[places[i]!] = by[i]!;
}

function mechanism(spec: NoiseFrameworkSpec, smallestBudget: number): (budget: number) => MeanRandomizer {
  const inputRange = { low: -spec.clipBound, high: spec.clipBound };
  switch (spec.kind) {
    case 'apes':
    case 's-apes':
      return (epsilon0) => clipLaplace({ epsilon0, inputRange, correction: 'average' });
    case 'unbiased-clip-laplace': {
      const shrinkage = largestShrinkage(smallestBudget);
      return (epsilon0) => clipLaplace({ epsilon0, inputRange, correction: 'user', shrinkage });
    }
    case 'ldp-min': {
      const same = laplaceMechanism({ epsilon0: smallestBudget, inputRange });
      return () => same;
    }
    case 'pldp':
    case 'uni-shuffle':
    case 'non-private':
      return (epsilon0) => laplaceMechanism({ epsilon0, inputRange });
  }
}

function randomDropped(length: number, kept: number, stream: RandomStream): Uint32Array {
  const dropped = new Uint32Array(length - kept);
  sampleSubset(length - kept, length, dropped, 0, stream);
  return dropped;
}
