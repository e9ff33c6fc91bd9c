/**
 * Every pair of values and every value of the others for noise of density e^-|z| around the value: Laplace noise, or Clip-Laplace, conditioned
 * on the range (docs/sharp-bound.md, "Exponential noise on a grid"). Outputs are points of the grid too: between two neighbours all laws are
 * multiples of e^y or e^-y.
 */
import type { TypedInputs, TypedPair } from '@shuffle-dp/core';
import {
  asShare,
  gainVariance,
  gradedGrid,
  gridPairs,
  sparser,
  type OthersOnGrid,
} from '../laws/value-grid.ts';

export interface ExponentialNoise {
  /** Of the range of values, in units of the noise. */
  readonly width: number;
  /** Conditioned on the range. */
  readonly isClipped: boolean;
}

/** An epsilon after shuffling, at this local budget, that some ten thousand users have. */
const USUAL = 0.03;

/** Undefined for ranges of which bounds take too long. */
export function exponentialInputs(noise: ExponentialNoise): TypedInputs | undefined {
  if (noise.width > (noise.isClipped ? WIDEST_CLIPPED : WIDEST)) return undefined;
  const pairsNear = (epsilon: number): readonly TypedPair[] => exponentialPairs(noise, epsilon);
  return {
    get pairs() {
      return pairsNear(USUAL * noise.width * Math.exp(noise.width / 4));
    },
    pairsNear,
  };
}

const [WIDEST, WIDEST_CLIPPED] = [4.5, 1.5];

/** What users off the grid may reveal near the worst pair, and what the victim's grid may add to epsilon there, for a width up to 2. */
const [REVEALED, ADDED] = [0.002, 0.004];
/** How much more others may reveal ever further from the worst pair. */
const MORE_REVEALED = [1, 5, 20];

function exponentialPairs(noise: ExponentialNoise, epsilon: number): TypedPair[] {
  const { width, isClipped } = noise;
  // Where bounds are wider anyway.
  const leniency = Math.max(1, width / 2);
  // The integral of e^-|y - value|.
  const total = (value: number): number => (isClipped ? -Math.expm1(-value) - Math.expm1(value - width) : 2);
  const widest = (revealed: number, value: number): number => Math.sqrt(4 * revealed * total(value));
  const grid = gradedGrid(width, epsilon, {
    firstCost: (value) => 1 / total(value),
    secondCost: (value) => 1 / (4 * total(value)),
    variance: gainVariance(
      (output, value) => Math.exp(-Math.abs(output - value)) / total(value),
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
      const sides = Math.tanh((gaps[i - 1] ?? 0) / 2) + Math.tanh((gaps[i] ?? 0) / 2);
      return (sides * Math.exp(-Math.abs(point - value)) * (point === value ? ownFactor : 1)) / total(value);
    });
    const tails = isClipped ? [] : [Math.exp(-value) / 2, Math.exp(value - width) / 2];
    return Float64Array.from([...masses, ...tails]);
  };
  /** What a law between two points lacks to the average of theirs, at most. */
  const lacking = (from: number, to: number): number => {
    const mean = 1 / Math.cosh((to - from) / 2);
    return (2 * (1 - mean)) / Math.min(total(from), total(to));
  };
  const cellsAt = (i: number): number[] => [i - 1, i].filter((cell) => cell >= 0 && cell < gaps.length);
  return gridPairs(grid, {
    first: values.map((value, i) =>
      law(value, 1 + Math.max(...cellsAt(i).map((cell) => Math.sinh(gaps[cell]!)))),
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
