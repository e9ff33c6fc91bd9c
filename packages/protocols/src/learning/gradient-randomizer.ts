/** What one user does with their gradient: clip each coordinate, randomize it, and keep only some of the result. */
import { sampleSubset, type MeanRandomizer, type RandomStream } from '@shuffle-dp/core';
import quickselect from 'quickselect';
import { clipLaplace, laplaceMechanism, largestShrinkage } from '@shuffle-dp/randomizers';
import type { NoiseFrameworkSpec } from './framework-spec.ts';

/** Replaces the values of a row by the user's messages; budgets in nats, per dimension. */
export type GradientRandomizer = (row: Float64Array, budget: number, stream: RandomStream) => void;

/** @throws ParameterError for a budget that is not positive */
export function gradientRandomizer(spec: NoiseFrameworkSpec, smallestBudget: number): GradientRandomizer {
  if (spec.kind === 'non-private') return () => undefined;
  const mechanismOf = mechanism(spec, smallestBudget);
  const randomize = (row: Float64Array, budget: number, stream: RandomStream): void =>
    mechanismOf(budget).randomizeInto(row, { columns: { value: row }, count: 0 }, stream);
  if (spec.kind !== 's-apes') return randomize;
  const { keptShare = 1, sparsification = 'largest' } = spec;
  return (row, budget, stream) => {
    randomize(row, budget, stream.fork('values'));
    const kept = Math.max(1, Math.round(keptShare * row.length));
    if (kept === row.length) return;
    const dropped =
      sparsification === 'largest'
        ? allButLargest(row, kept)
        : randomDropped(row.length, kept, stream.fork('choice'));
    // Dummies keep the number of messages of a dimension, and with it the amplification.
    const dummies = new Float64Array(dropped.length);
    randomize(dummies, budget, stream.fork('dummies'));
    for (let i = 0; i < dropped.length; i++) row[dropped[i]!] = dummies[i]!;
  };
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

/** Indices of all values but the `kept` largest in size. */
function allButLargest(row: Float64Array, kept: number): Uint32Array {
  const sizes = new Float64Array(row.length);
  for (let k = 0; k < row.length; k++) sizes[k] = Math.abs(row[k]!);
  const last = row.length - kept;
  const threshold = nthSmallest(sizes.slice(), last);
  const dropped = new Uint32Array(last);
  let count = 0;
  for (let k = 0; k < row.length; k++) if (sizes[k]! < threshold) dropped[count++] = k;
  // Equal sizes, which continuous noise makes only at the ends of the range, fill up from the front.
  for (let k = 0; count < last; k++) if (sizes[k] === threshold) dropped[count++] = k;
  return dropped;
}

/** Of these numbers, which come into another order; the smallest is the 0th. */
function nthSmallest(numbers: Float64Array, n: number): number {
  // The library's types know arrays alone; it reads, writes and compares by index.
  quickselect(numbers as unknown as number[], n);
  return numbers[n]!;
}

function randomDropped(length: number, kept: number, stream: RandomStream): Uint32Array {
  const dropped = new Uint32Array(length - kept);
  sampleSubset(length - kept, length, dropped, 0, stream);
  return dropped;
}
