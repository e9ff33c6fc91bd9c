/**
 * Every input of the others for Laplace noise of scale 1 on a line (docs/sharp-bound.md, "Laplace noise"). Two steps make the inputs
 * and the outputs finite, both only to the adversary's advantage:
 *
 * - An input between two points of a grid, v apart, has a law of at least e^(-v^2/8) times a mixture of the laws of the two.
 * - With inputs on the grid, noise is a function of that of a mechanism which answers with points of the grid: between two
 *   neighbours all laws are multiples of e^y or e^-y, and both are mixtures of what the neighbours stand for.
 */
import type { LikelihoodAtoms, OtherInput, TypedInputs, TypedPair } from '@shuffle-dp/core';
import { likelihoodAtoms, type Atom } from '../laws/likelihood-atoms.ts';
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
  return { label, inputs, symmetric: true, revealed: -Math.expm1((-widest * widest) / 8) };
}

/** Positions of a pair in its range, by which its blanket is evaluated. */
const POSITIONS = 8;

/**
 * Blankets, F2, of all pairs of a range that are at most `separation` apart, at least half of the range. By docs/worst-pairs.md values on either
 * side of the middle may be moved outwards: until they are as far apart, and then to the ends of one of some cells of positions. Two values
 * on one side are at most half of the range apart, in the middle of one that reaches as far on both sides.
 */
function closerPairs(width: number, separation: number): LikelihoodAtoms[] {
  const spare = width - separation;
  const blankets: LikelihoodAtoms[] = [];
  for (let i = 0; 2 * i < POSITIONS; i++) {
    const from = (spare * i) / POSITIONS;
    const to = separation + (spare * (i + 1)) / POSITIONS;
    blankets.push(
      pairBlanket(
        `values closer still, from ${(from / width).toPrecision(2)} of the range on`,
        [from, to],
        [0, width],
      ),
    );
  }
  const half = width / 2;
  blankets.push(pairBlanket('values in one half of the range', [0, half], [-half, width]));
  return blankets;
}

/** @param ends of the others' inputs, around the victim's two */
function pairBlanket(
  label: string,
  [first, second]: readonly [number, number],
  ends: readonly [number, number],
): LikelihoodAtoms {
  const middle = (ends[0] + ends[1]) / 2;
  const points = [...between(first, middle, FINE_SPACING), ...between(middle, second, FINE_SPACING), second];
  const atoms = pointAtoms(points, [first, second, first], ends).map(([a, b, , blanket]): Atom => [
    a,
    b,
    blanket,
  ]);
  return likelihoodAtoms(label, atoms, Math.abs(first + second - 2 * middle) < 1e-12);
}

/** Between points of the grid where there is nothing to lose by many. */
const FINE_SPACING = 0.02;

/** From `from` on, `to` left out. */
function between(from: number, to: number, spacing: number): number[] {
  const count = Math.max(1, Math.ceil((to - from) / spacing));
  return to > from ? Array.from({ length: count }, (_, i) => from + ((to - from) * i) / count) : [];
}

/** Larger ones take too many cells. */
const LARGEST_BUDGET = 2.2;

/**
 * All pairs of a range of this width, in units of the noise: by how much less than the range they are apart. Cells of that, in each of which the
 * pair is mapped to the ends of its own range, the noise that of the widest and the others as far out as for the closest (docs/sharp-bound.md).
 */
export function rangeLaplaceInputs(width: number): TypedInputs | undefined {
  if (width > LARGEST_BUDGET) return undefined;
  const { first, ratio, last } = LADDERS.find(({ upTo }) => width <= upTo)!;
  const pairs: TypedPair[] = [];
  let short = 0;
  while (short < last) {
    const next = short === 0 ? first : short * ratio + first;
    const separation = width * (1 - short);
    const label =
      short === 0 ? 'the ends of the range' : `values closer by ${short.toPrecision(2)} of the range`;
    pairs.push(lineLaplacePair(label, separation, separation / (1 - next)));
    short = next;
  }
  return { pairs, rest: closerPairs(width, width * (1 - short)) };
}

/** Cells by the width: the first, how fast they grow, and where the blanket takes over. */
const LADDERS = [
  { upTo: 0.7, first: 0.008, ratio: 2.2, last: 0.1 },
  { upTo: 1.1, first: 0.005, ratio: 1.8, last: 0.22 },
  { upTo: 1.5, first: 0.005, ratio: 1.5, last: 0.28 },
  { upTo: LARGEST_BUDGET, first: 0.004, ratio: 1.25, last: 0.31 },
] as const;

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
 * What the points of a grid are answered with. Between its neighbours all laws have to be multiples of e^y or of e^-y.
 * @param centres of the victim's laws and of another user's
 * @param ends of the others' inputs: one or the other is the least likely
 */
function pointAtoms(
  points: readonly number[],
  centres: readonly [number, number, number],
  ends: readonly [number, number],
): TypedAtom[] {
  return points.map((point, i) => {
    // Half a cell on either side, which is tanh(v/2) of the density there, and all of the tails at the ends.
    const before = i === 0 ? 1 : Math.tanh((point - points[i - 1]!) / 2);
    const after = i === points.length - 1 ? 1 : Math.tanh((points[i + 1]! - point) / 2);
    const mass = (centre: number): number => (Math.exp(-Math.abs(point - centre)) * (before + after)) / 2;
    const [first, second, own] = centres;
    return [mass(first), mass(second), mass(own), Math.min(mass(ends[0]), mass(ends[1]))];
  });
}
