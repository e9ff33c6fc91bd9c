/**
 * Planar Laplace noise around the victim's two places and a third one, as atoms that tell at least as much
 * (docs/sharp-bound.md, "Laplace noise in the plane"). All distances in nats.
 *
 * Cells are rectangles of elliptic coordinates (m, v) around the middle of the two, (f cosh m cos v, f sinh m
 * sin v), f half of the distance: the two places are at f cosh m +- f cos v, so that the nearer one is
 * likelier by e^(2 f |cos v|).
 */
import { gaussLegendre, Real } from '@shuffle-dp/core';
import { PlaceLattice, type CellSums, type PlaceAtoms } from './place-lattice.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A rectangle of the coordinates. */
interface Cell {
  /** Edges of the rectangle. */
  readonly from: readonly [m: number, v: number];
  readonly to: readonly [m: number, v: number];
  /** 0 where the victim's first place, at -f, is nearer. */
  readonly side: 0 | 1;
  /** Which strip of |cos v|. */
  readonly strip: number;
  readonly middle: Place;
  /** No point of the cell is further from the middle. */
  readonly radius: number;
  /** Bounds of the squared derivative of a point by either coordinate, and of its second derivatives. */
  readonly speed: number;
  readonly bend: number;
  /** The middle and the four corners, with the distance of the nearer place. */
  readonly marks: readonly Mark[];
  /** Its first node. */
  readonly node: number;
}

interface Mark extends Place {
  readonly near: number;
}

/** Points of a rule, of one cell after the other. */
interface Nodes {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Distance of the nearer place. */
  readonly near: Float64Array;
  /** Mass under the nearer place, and that under the other. */
  readonly mass: Float64Array;
  readonly farMass: Float64Array;
}

/** Of the rule in a cell, in either coordinate. */
const ORDER = 4;
/** Of all masses of the victim's messages together; seen: 3e-12. */
const RULE_ERROR = 1e-11;
/** A cell no further from the third place than so many of its radii is cut into four, so often. */
const [CLEARANCE, MOST_CUTS] = [6, 9];
/** Width of the cells where most messages are, of those further out, and where they are hardly any. */
const [WIDTH, FAR_WIDTH, FURTHEST_WIDTH] = [0.13, 0.6, 1.2];
const [FAR, FURTHEST] = [12, 45];
/** Of m, for places close to each other. */
const LARGEST_STEP = 0.3;
/** Strips of v between a place and the middle line, for places up to one nat apart. */
const STRIPS = 16;
/** What bounds of logarithms are widened by: more than a rule errs by. */
const ROUNDING = 1e-6;

/** The cells around two places, for any third one. */
export class PlanarCells {
  readonly #half: number;
  readonly #strips: number;
  readonly #cells: readonly Cell[];
  readonly #nodes: Nodes;
  /** Of a cell that is cut. */
  readonly #fine = nodesFor(ORDER * ORDER);

  readonly #coarseness: number;

  /**
   * @param separation of the victim's two places, at -separation / 2 and separation / 2
   * @param coarseness how wide cells are, over the usual width
   */
  constructor(separation: number, coarseness = 1) {
    this.#half = separation / 2;
    this.#coarseness = coarseness;
    this.#strips = Math.ceil((STRIPS / coarseness) * Math.max(1, Math.sqrt(separation)));
    this.#cells = cellsOf(this.#half, this.#strips, coarseness);
    this.#nodes = nodesFor(this.#cells.length * ORDER * ORDER);
    for (const { from, to, node } of this.#cells)
      setNodes({ all: this.#nodes, first: node, order: ORDER }, from, to, this.#half);
  }

  /** Mass of either place's messages beyond all cells, and what the rule errs by, at most. */
  get missed(): number {
    const radius = FURTHEST - this.#half;
    return 2 * (1 + radius) * Real.exp(-radius) + RULE_ERROR;
  }

  /** For each side the atoms; exact but for the rule, whose error is below 1e-8 of each. */
  atomsOf(third: Place): readonly [PlaceAtoms, PlaceAtoms] {
    const levels = Array.from({ length: this.#strips + 1 }, (_, i) => this.#ratioAt(i));
    const sides = [-this.#half, this.#half].map(
      (x) => new PlaceLattice(levels, this.#coarseness, distanceOf(third, { x, y: 0 })),
    ) as [PlaceLattice, PlaceLattice];
    for (const cell of this.#cells) {
      const [least, most] = logRatios(cell, third, this.#half);
      sides[cell.side].add(cell.strip, least, most, this.#sumsOf(cell, third));
    }
    return [sides[0].atoms(), sides[1].atoms()];
  }

  #sumsOf({ marks, radius, node, from, to }: Cell, third: Place): CellSums {
    return distanceOf(marks[0]!, third) > CLEARANCE * radius
      ? ruleSums(this.#nodes, node, ORDER * ORDER, third)
      : this.#cutSums(from, to, third, MOST_CUTS);
  }

  /** Where the third place is in the cell or near, its density has a kink: finer towards it. */
  #cutSums(from: Corner, to: Corner, third: Place, cuts: number): CellSums {
    const { middle, radius } = shapeOf(from, to, this.#half);
    if (cuts === 0 || distanceOf(middle, third) > CLEARANCE * radius) {
      setNodes({ all: this.#fine, first: 0, order: ORDER }, from, to, this.#half);
      return ruleSums(this.#fine, 0, ORDER * ORDER, third);
    }
    const [m, v] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const sums = [0, 0, 0, 0] as [number, number, number, number];
    for (const [a, b] of [
      [from, [m, v]],
      [
        [m, from[1]],
        [to[0], v],
      ],
      [
        [from[0], v],
        [m, to[1]],
      ],
      [[m, v], to],
    ] as const) {
      this.#cutSums(a, b, third, cuts - 1).forEach((part, i) => (sums[i]! += part));
    }
    return sums;
  }

  /** The further place's density over the nearer one's. */
  #ratioAt(edge: number): number {
    return Real.exp(-2 * this.#half * Real.cos((edge * Math.PI) / 2 / this.#strips));
  }
}

/** Of so many nodes from one on. */
function ruleSums({ x, y, near, mass, farMass }: Nodes, from: number, count: number, third: Place): CellSums {
  let [all, far, own, ownFar] = [0, 0, 0, 0];
  for (let i = from; i < from + count; i++) {
    const [dx, dy] = [x[i]! - third.x, y[i]! - third.y];
    const ratio = Real.exp(near[i]! - Math.sqrt(dx * dx + dy * dy));
    all += mass[i]!;
    far += farMass[i]!;
    own += ratio * mass[i]!;
    ownFar += ratio * farMass[i]!;
  }
  return [all, far, own, ownFar];
}

type Corner = readonly [m: number, v: number];

/**
 * Bounds of the log of the third place's density over the nearer one's in a cell: between bilinear values of
 * the corners by the second derivatives, or by the distance from the middle; and never more than the two
 * places allow.
 */
function logRatios(cell: Cell, third: Place, half: number): [least: number, most: number] {
  const { marks, radius, speed, bend, side, from, to } = cell;
  const apart = distanceOf(third, { x: side === 0 ? -half : half, y: 0 });
  const centre = distanceOf(marks[0]!, third);
  const own = marks[0]!.near - centre;
  let [least, most] = [Math.max(-apart, own - 2 * radius), Math.min(apart, own + 2 * radius)];
  const clear = centre - radius;
  if (clear <= 0) return [least - ROUNDING, most + ROUNDING];
  const [dm, dv] = [to[0] - from[0], to[1] - from[1]];
  const second = speed / clear + bend;
  const slack = (dm * dm * (half * Real.cosh(to[0]) + second) + dv * dv * (half + second)) / 8;
  let [low, high] = [Infinity, -Infinity];
  for (let i = 1; i < marks.length; i++) {
    const log = marks[i]!.near - distanceOf(marks[i]!, third);
    low = Math.min(low, log);
    high = Math.max(high, log);
  }
  least = Math.max(least, low - slack);
  most = Math.min(most, high + slack);
  return [least - ROUNDING, most + ROUNDING];
}

function distanceOf(a: Place, b: Place): number {
  const [dx, dy] = [a.x - b.x, a.y - b.y];
  return Math.sqrt(dx * dx + dy * dy);
}

function markAt(m: number, v: number, half: number): Mark {
  return { ...placeAt(m, v, half), near: half * (Real.cosh(m) - Math.abs(Real.cos(v))) };
}

function placeAt(m: number, v: number, half: number): Place {
  return { x: half * Real.cosh(m) * Real.cos(v), y: half * Real.sinh(m) * Real.sin(v) };
}

function cellsOf(half: number, strips: number, coarseness: number): Cell[] {
  const rings = ringEdges(half, coarseness);
  const cells: Cell[] = [];
  for (let ring = 1; ring < rings.length; ring++) {
    for (let k = 0; k < 4 * strips; k++) {
      const step = Math.PI / 2 / strips;
      const from = [rings[ring - 1]!, k * step] as const;
      const to = [rings[ring]!, (k + 1) * step] as const;
      const quarter = Math.floor(k / strips);
      const along = k % strips;
      cells.push({
        from,
        to,
        // cos v is positive in the first and the last quarter: there the second place, at +half, is nearer.
        side: quarter === 0 || quarter === 3 ? 1 : 0,
        // Strips are counted from |cos v| = 1 on.
        strip: quarter % 2 === 0 ? along : strips - 1 - along,
        ...shapeOf(from, to, half),
        marks: [
          markAt((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, half),
          ...[from, to].flatMap(([m]) => [from, to].map(([, v]) => markAt(m, v, half))),
        ],
        node: cells.length * ORDER * ORDER,
      });
    }
  }
  return cells;
}

function ringEdges(half: number, coarseness: number): number[] {
  const end = Real.log(FURTHEST / half + Math.sqrt((FURTHEST / half) ** 2 - 1));
  const edges = [0];
  for (let m = 0; m < end;) {
    const radius = half * Real.cosh(m);
    const width = Math.min(
      Math.max(coarseness * WIDTH, 0.02 * radius * radius),
      radius < FAR ? FAR_WIDTH : FURTHEST_WIDTH,
    );
    m += Math.min(LARGEST_STEP, width / radius);
    edges.push(Math.min(m, end));
  }
  return edges;
}

function shapeOf(from: Corner, to: Corner, half: number): Pick<Cell, 'middle' | 'radius' | 'speed' | 'bend'> {
  const [m, v] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const sine = Real.sinh(to[0]);
  // |y_m|^2 = |y_v|^2 = f^2 (sinh(m)^2 + sin(v)^2) and |y_mm|^2 = |y_vv|^2 = f^2 (sinh(m)^2 + cos(v)^2).
  const speed = half * half * (sine * sine + Math.max(squaredSine(from[1]), squaredSine(to[1])));
  const bend = half * Math.sqrt(sine * sine + 1);
  const radius = Math.sqrt(speed) * Real.hypot((to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
  return { middle: placeAt(m, v, half), radius: radius * (1 + 1e-12), speed, bend };
}

function squaredSine(v: number): number {
  return Real.sin(v) ** 2;
}

function nodesFor(count: number): Nodes {
  const array = (): Float64Array => new Float64Array(count);
  return { x: array(), y: array(), near: array(), mass: array(), farMass: array() };
}

/** A product of two Gauss rules, with the area f^2 (sinh(m)^2 + sin(v)^2). */
function setNodes(
  { all, first, order }: { readonly all: Nodes; readonly first: number; readonly order: number },
  [fromM, fromV]: Corner,
  [toM, toV]: Corner,
  half: number,
): void {
  const { nodes, weights } = gaussLegendre(order);
  const [dm, dv] = [(toM - fromM) / 2, (toV - fromV) / 2];
  let node = first;
  for (let i = 0; i < order; i++) {
    const m = fromM + dm * (1 + nodes[i]!);
    const [cosh, sinh] = [Real.cosh(m), Real.sinh(m)];
    for (let k = 0; k < order; k++) {
      const v = fromV + dv * (1 + nodes[k]!);
      const [cos, sin] = [Real.cos(v), Real.sin(v)];
      const near = half * (cosh - Math.abs(cos));
      const area = weights[i]! * weights[k]! * dm * dv * half * half * (sinh * sinh + sin * sin);
      all.x[node] = half * cosh * cos;
      all.y[node] = half * sinh * sin;
      all.near[node] = near;
      all.mass[node] = (area * Real.exp(-near)) / (2 * Math.PI);
      all.farMass[node] = all.mass[node]! * Real.exp(-2 * half * Math.abs(cos));
      node++;
    }
  }
}
