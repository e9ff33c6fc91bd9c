/**
 * Planar Laplace noise for users somewhere in a rectangle: what hides every two places of it at once
 * (docs/worst-pairs.md, "Places of a rectangle"), and where messages fall on a grid.
 */
import {
  gaussLegendre,
  ParameterError,
  Real,
  requireFinite,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
} from '@shuffle-dp/core';
import { likelihoodAtoms } from '../laws/likelihood-atoms.ts';
import { planarLaplace, planarPairProfile, type PlanarLaplace } from './planar-laplace.ts';

export interface Side {
  readonly low: number;
  readonly high: number;
}

/** A rectangle; both sides in one unit of length. */
export interface PlaneRegion {
  readonly x: Side;
  readonly y: Side;
}

/**
 * The region, where both of its sides have a length.
 *
 * @throws ParameterError for sides without length
 * @example requireRegion({ x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }).x.high // 3
 */
export function requireRegion(region: PlaneRegion): PlaneRegion {
  for (const name of ['x', 'y'] as const) {
    requireFinite(`region.${name}.low`, region[name].low);
    requirePositive(`region.${name}.high - region.${name}.low`, region[name].high - region[name].low);
  }
  return region;
}

/**
 * The largest distance of two places: that of opposite corners.
 *
 * @example diameterOf({ x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }) // 5
 */
export function diameterOf({ x, y }: PlaneRegion): number {
  return Real.hypot(x.high - x.low, y.high - y.low);
}

/**
 * Planar Laplace noise of so much that the two places furthest apart are told apart by at most epsilon0 nats.
 * Its amplification is of all pairs of places, with the others anywhere in the region.
 * @throws ParameterError
 * @example regionLaplace(2, { x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }).epsilonPerUnit // 0.4
 */
export function regionLaplace(epsilon0: number, region: PlaneRegion): PlanarLaplace {
  requirePositive('epsilon0', epsilon0);
  const separation = diameterOf(requireRegion(region));
  const noise = planarLaplace({ epsilonPerUnit: epsilon0 / separation, separation });
  return { ...noise, epsilon0, amplification: () => regionProfile(epsilon0) };
}

/**
 * With r half of the local budget, every user's density is at least e^-r times that around the centre, w, and
 * every two densities are between e^-r and e^r times w. Of all pairs of laws with such ratios and mass 1 the
 * three atoms here are the worst in F1.
 */
function regionProfile(epsilon0: number): AmplificationProfile {
  const half = epsilon0 / 2;
  const [most, least] = [Real.exp(half), Real.exp(-half)];
  const share = 1 / (1 + most);
  const rest = Real.tanh(half / 2);
  const { variationRatio, homogeneous } = planarPairProfile({ separation: epsilon0, reach: epsilon0 });
  return {
    variationRatio,
    blanket: [
      likelihoodAtoms(
        'every two places of the region, as far as their ratios to the density around its centre go',
        [
          [share * most, share * least, share * least],
          [share * least, share * most, share * least],
          [rest * least, rest * least, rest * least],
        ],
        true,
        -Real.expm1(-half),
      ),
    ],
    // All others in the corner of the victim's first place; the furthest place from both is outside.
    homogeneous,
  };
}

/** Nodes of the rule along an arc; the integrand is smooth. */
const NODES = 48;
/** Nats beyond which the noise is not followed: e^-70 of its mass. */
const FURTHEST = 70;

/** Mass of noise of scale 1 in the part [0, a] x [0, b] of a quadrant. */
function quadrantMass(a: number, b: number): number {
  if (a <= 0 || b <= 0) return 0;
  const [long, wide] = [Math.min(a, FURTHEST), Math.min(b, FURTHEST)];
  return triangleMass(long, Real.atan2(wide, long)) + triangleMass(wide, Real.atan2(long, wide));
}

/**
 * Of the triangle up to a line at this distance from the centre, over this angle from its foot: radius by
 * radius in closed form.
 */
function triangleMass(distance: number, angle: number): number {
  const { nodes, weights } = gaussLegendre(NODES);
  const half = angle / 2;
  let sum = 0;
  for (let i = 0; i < NODES; i++) {
    const radius = distance / Real.cos(half + half * nodes[i]!);
    // 1 - (1 + r) e^-r, without cancellation near 0.
    sum += weights[i]! * (-Real.expm1(-radius) - radius * Real.exp(-radius));
  }
  return (half * sum) / (2 * Math.PI);
}

/**
 * Where messages of each cell's middle fall: row by row of senders, the mass on each cell of a grid of `side`
 * x `side` cells, messages outside counting as those of the nearest cell. Cells are numbered along x, then
 * along y. Rows sum to 1.
 * @throws ParameterError
 * @example gridMasses({ x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }, 1, 2)[0] // 1
 */
export function gridMasses(region: PlaneRegion, side: number, epsilonPerUnit: number): Float64Array {
  requireInteger('side', side, 1, 64);
  requirePositive('epsilonPerUnit', epsilonPerUnit);
  const width = ((region.x.high - region.x.low) / side) * epsilonPerUnit;
  const height = ((region.y.high - region.y.low) / side) * epsilonPerUnit;
  // Signed masses of corners, at half-cells from the middle of the sender's: odd in both coordinates.
  const quadrant = new Float64Array((side + 1) * (side + 1));
  const at = (i: number, unit: number): number => (i === side ? FURTHEST : (i + 0.5) * unit);
  for (let i = 0; i <= side; i++)
    for (let j = 0; j <= side; j++) quadrant[i * (side + 1) + j] = quadrantMass(at(i, width), at(j, height));
  const signed = (i: number, j: number): number => {
    const [p, q] = [i < 0 ? -i - 1 : i, j < 0 ? -j - 1 : j];
    return (i < 0 ? -1 : 1) * (j < 0 ? -1 : 1) * quadrant[p * (side + 1) + q]!;
  };
  // The edge before a cell at a distance of k cells from the sender's; that of an outermost cell is at
  // infinity.
  const edge = (place: number, sender: number): number =>
    place === 0 ? -side - 1 : place === side ? side : place - sender - 1;
  const cells = side * side;
  const masses = new Float64Array(cells * cells);
  for (let sender = 0; sender < cells; sender++) {
    const [sx, sy] = [sender % side, Math.floor(sender / side)];
    for (let cell = 0; cell < cells; cell++) {
      const [cx, cy] = [cell % side, Math.floor(cell / side)];
      const [x0, x1, y0, y1] = [edge(cx, sx), edge(cx + 1, sx), edge(cy, sy), edge(cy + 1, sy)];
      const mass = signed(x1, y1) - signed(x0, y1) - signed(x1, y0) + signed(x0, y0);
      masses[sender * cells + cell] = Math.max(0, mass);
    }
  }
  return masses;
}

/**
 * The cell of a place; places outside are in the nearest one.
 *
 * @example cellOf({ x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }, 2, 2, 1) // 1
 */
export function cellOf(region: PlaneRegion, side: number, x: number, y: number): number {
  return along(region.x, side, x) + side * along(region.y, side, y);
}

/**
 * The middle of a cell. @throws ParameterError for a number that is no cell
 * @example middleOfCell({ x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }, 2, 1).x // 2.25
 */
export function middleOfCell(
  { x, y }: PlaneRegion,
  side: number,
  cell: number,
): { readonly x: number; readonly y: number } {
  if (!(cell >= 0 && cell < side * side)) throw new ParameterError('cell', cell, `below ${side * side}`);
  const middle = ({ low, high }: Side, place: number): number => low + ((place + 0.5) * (high - low)) / side;
  return { x: middle(x, cell % side), y: middle(y, Math.floor(cell / side)) };
}

function along({ low, high }: Side, side: number, value: number): number {
  return Math.min(side - 1, Math.max(0, Math.floor((side * (value - low)) / (high - low))));
}
