/**
 * Pairs of points of a grid for noise of density e^-|z| (docs/sharp-bound.md, "Exponential noise on a grid"):
 * for wide ranges and large epsilons, where what the grid adds to epsilon is small and the victim's message
 * may be one of the buffer's. Outputs are points of the grid too.
 */
import { Real, type TypedPair } from '@shuffle-dp/core';
import {
  gainVariance,
  gradedGrid,
  gridPairs,
  sparser,
  asShare,
  type OthersOnGrid,
} from '../laws/value-grid.ts';
import { totalOf, type ExponentialNoise } from './exponential-noise.ts';

/**
 * What users off the grid may reveal near the worst pair, and what the victim's grid may add to epsilon
 * there, for a width up to 2.
 */
const [REVEALED, ADDED] = [0.002, 0.004];
/** How much more others may reveal ever further from the worst pair. */
const MORE_REVEALED = [1, 5, 20];

/**
 * Every pair of points of a grid that suits epsilons of about this size; none where they would be too many.
 */
export function exponentialGridPairs(noise: ExponentialNoise, epsilon: number): TypedPair[] {
  const { width, isClipped } = noise;
  // Where bounds are wider anyway.
  const leniency = Math.max(1, width / 2);
  const total = totalOf(noise);
  const widest = (revealed: number, value: number): number => Math.sqrt(4 * revealed * total(value));
  const grid = gradedGrid(width, epsilon, {
    firstCost: (value) => 1 / total(value),
    secondCost: (value) => 1 / (4 * total(value)),
    variance: gainVariance(
      (output, value) => Real.exp(-Math.abs(output - value)) / total(value),
      isClipped ? [0, width] : [-4, width + 4],
      [0, width / 4, width / 2, width],
    ),
    added: ADDED * leniency,
    widest: widest(REVEALED * leniency, 0),
  });
  if (grid === null) return [];
  const { values } = grid;
  const gaps = values.slice(1).map((value, i) => value - values[i]!);
  /** Of a value's law what lies on either side of each point, and beyond the ends. */
  const law = (value: number, ownFactor = 1): Float64Array => {
    const masses = values.map((point, i) => {
      const sides = Real.tanh((gaps[i - 1] ?? 0) / 2) + Real.tanh((gaps[i] ?? 0) / 2);
      return (sides * Real.exp(-Math.abs(point - value)) * (point === value ? ownFactor : 1)) / total(value);
    });
    const tails = isClipped ? [] : [Real.exp(-value) / 2, Real.exp(value - width) / 2];
    return Float64Array.from([...masses, ...tails]);
  };
  /** What a law between two points lacks to the average of theirs, at most. */
  const lacking = (from: number, to: number): number => {
    const mean = 1 / Real.cosh((to - from) / 2);
    return (2 * (1 - mean)) / Math.min(total(from), total(to));
  };
  const cellsAt = (i: number): number[] => [i - 1, i].filter((cell) => cell >= 0 && cell < gaps.length);
  return gridPairs(grid, {
    first: values.map((value, i) =>
      law(value, 1 + Math.max(...cellsAt(i).map((cell) => Real.sinh(gaps[cell]!)))),
    ),
    second: values.map((value, i) => {
      const left = 1 - Math.max(...cellsAt(i).map((cell) => lacking(values[cell]!, values[cell + 1]!)));
      return law(value).map((mass) => left * mass);
    }),
    others: MORE_REVEALED.map((more): OthersOnGrid => {
      const held = sparser(values, (from) => widest(REVEALED * leniency * more, from));
      return {
        values: held.map((i) => ({
          label: `others at ${asShare(values[i]!, values)} of the range`,
          own: law(values[i]!),
        })),
        revealed: Math.max(...held.slice(1).map((i, k) => lacking(values[held[k]!]!, values[i]!))),
      };
    }),
  });
}
