/**
 * Every input of the others for Laplace noise of scale 1 on a line (docs/sharp-bound.md, "Laplace noise").
 * Two steps make the inputs and the outputs finite, both only to the adversary's advantage:
 *
 * - An input between two points of a grid, v apart, has a law of at least e^(-v^2/8) times a mixture of the
 *   laws of the two.
 * - With inputs on the grid, noise is a function of that of a mechanism which answers with points of the
 *   grid: between two neighbours all laws are multiples of e^y or e^-y, and both are mixtures of what the
 *   neighbours stand for.
 */
import { Real, type OtherInput, type TypedPair } from '@shuffle-dp/core';
import { pointMasses } from './exponential-noise.ts';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';

/** Between points of the grid, for a separation up to 2; more beyond, where less precision is asked for. */
const SPACING = 0.1;

/**
 * The victim holds 0 or `separation`, the others anything within `reach` of both.
 * @param reach at least `separation`
 */
export function lineLaplacePair(label: string, separation: number, reach: number): TypedPair {
  const { points, widest } = gridOf(separation, reach);
  const inputs = points.map((point): OtherInput =>
    otherInput(
      `others at ${Number((point / separation).toPrecision(3))} of the way`,
      pointAtoms(points, [0, separation, point], [separation - reach, reach]),
    ),
  );
  return { label, inputs, symmetric: true, revealed: -Real.expm1((-widest * widest) / 8) };
}

/** From `from` on, `to` left out. */
function between(from: number, to: number, spacing: number): number[] {
  const count = Math.max(1, Math.ceil((to - from) / spacing));
  return to > from ? Array.from({ length: count }, (_, i) => from + ((to - from) * i) / count) : [];
}

interface Grid {
  readonly points: readonly number[];
  /** Between two neighbours, at most. */
  readonly widest: number;
}

/** With the victim's two values and the others' ends. */
function gridOf(separation: number, reach: number): Grid {
  const margin = reach - separation;
  const spacing = SPACING * Math.max(1, separation / 2);
  const points = [
    ...between(-margin, 0, spacing),
    ...between(0, separation, spacing),
    ...between(separation, reach, spacing),
    reach,
  ];
  const gaps = points.slice(1).map((point, i) => point - points[i]!);
  return { points, widest: Math.max(...gaps) };
}

/**
 * What the points of a grid are answered with. Between its neighbours all laws have to be multiples of e^y or
 * of e^-y.
 * @param centres of the victim's laws and of another user's
 * @param ends of the others' inputs: one or the other is the least likely
 */
function pointAtoms(
  points: readonly number[],
  [first, second, own]: readonly [number, number, number],
  ends: readonly [number, number],
): TypedAtom[] {
  // Half a cell on either side, which is tanh(v/2) of the density there, and all of the tails at the ends.
  const masses = pointMasses(points, false);
  return points.map((point, i) => {
    const mass = (centre: number): number => (Real.exp(-Math.abs(point - centre)) * masses[i]!) / 2;
    return [mass(first), mass(second), mass(own), Math.min(mass(ends[0]), mass(ends[1]))];
  });
}
