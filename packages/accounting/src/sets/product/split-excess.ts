/**
 * By how much the divergence of losses that are split onto a lattice may exceed that of the losses themselves
 * (docs/sets.md, "Lower end"): a loss at a distance of epsilon at which the split may carry it across has at
 * most the mean of a bell over where the split puts it. The mean of the bell is therefore what a lower end
 * subtracts.
 */
import { Real } from '@shuffle-dp/core';
import type { LatticeFactor } from './tilted-factors.ts';

/** The bell, as a function of the split total's distance of epsilon. */
export interface SplitExcess {
  /** At epsilon itself; 0 where nothing was split. */
  readonly most: number;
  /** In nats. */
  readonly deviation: number;
  /** It is 0 beyond, in steps. */
  readonly reach: number;
}

/** 1/2 + log 2: a split that carries a total no further needs no more than near epsilon. */
const FAR = 1.193;

export function splitExcess(step: number, factors: readonly LatticeFactor[]): SplitExcess {
  let [square, whole] = [0, 0];
  for (const { copies, labels } of factors) {
    for (const role of ['sent', 'unsent'] as const) {
      const widest = labels.reduce((most, label) => Math.max(most, label[role].widest), 0);
      square += copies * widest * widest;
      whole += copies * widest;
    }
  }
  const deviation = (step / 2) * Math.sqrt(square);
  const growth = Math.max(deviation, step * whole - FAR) + (deviation * deviation) / 8;
  return { most: deviation * Real.exp(growth) * (1 + 1e-12), deviation, reach: 2 * whole };
}

/** @param distance of epsilon, in nats; within the reach */
export function excessAt({ most, deviation }: SplitExcess, distance: number): number {
  const deviations = distance / deviation;
  return most * Real.exp(-0.5 * deviations * deviations);
}

/** The largest value of the bell times exp(-tilt distance). */
export function largestWeighed({ most, deviation }: SplitExcess, tilt: number): number {
  return most * Real.exp(0.5 * (tilt * deviation) ** 2) * (1 + 1e-12);
}
