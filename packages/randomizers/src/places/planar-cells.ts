/**
 * Planar Laplace noise around the victim's two places and a third one, as atoms that tell at least as much
 * (docs/sharp-bound.md, "Laplace noise in the plane"). All distances in nats.
 */
import { Real } from '@shuffle-dp/core';
import {
  cellsOf,
  cornersOf,
  distanceOf,
  FURTHEST,
  lineNodes,
  nodesFor,
  ORDER,
  ringEdges,
  ringNodes,
  setNodes,
  shapeOf,
  stripNodes,
  STRIPS,
  type Corners,
  type EllipticCell,
  type Nodes,
  type Place,
} from './elliptic-cells.ts';
import { PlaceLattice, type PlaceAtoms } from './place-lattice.ts';

/** Of all masses of the victim's messages together; seen: 3e-12. */
const RULE_ERROR = 1e-11;
/** A cell no further from the third place than so many of its radii is cut into four, so often. */
const [CLEARANCE, MOST_CUTS] = [4, 7];
/** What bounds of logarithms are widened by: more than a rule errs by. */
const ROUNDING = 1e-6;

/** The cells around two places, for any third one. */
export class PlanarCells {
  readonly #half: number;
  readonly #strips: number;
  readonly #cells: readonly EllipticCell[];
  readonly #corners: Corners;
  readonly #nodes: Nodes;
  /** Of a cell that is cut: there are thousands, one after the other. */
  readonly #fine = nodesFor(ORDER * ORDER);
  readonly #ring = lineNodes();
  readonly #strip = lineNodes();

  readonly #coarseness: number;

  /**
   * @param separation of the victim's two places, at -separation / 2 and separation / 2
   * @param coarseness how wide cells are, over the usual width
   */
  constructor(separation: number, coarseness = 1) {
    this.#half = separation / 2;
    this.#coarseness = coarseness;
    this.#strips = Math.ceil((STRIPS / coarseness) * Math.max(1, Math.sqrt(separation)));
    const rings = ringEdges(this.#half, coarseness);
    this.#cells = cellsOf(this.#half, this.#strips, rings);
    this.#corners = cornersOf(this.#half, this.#strips, rings);
    this.#nodes = nodesFor(this.#cells.length * ORDER * ORDER);
    const inRings = rings.slice(1).map((to, ring) => ringNodes(rings[ring]!, to, this.#half));
    const step = Math.PI / 2 / this.#strips;
    const inStrips = Array.from({ length: 4 * this.#strips }, (_, k) =>
      stripNodes(k * step, (k + 1) * step, this.#half),
    );
    let node = 0;
    for (const ring of inRings)
      for (const strip of inStrips) {
        setNodes(this.#nodes, node, ring, strip, this.#half);
        node += ORDER * ORDER;
      }
  }

  /** Mass of either place's messages beyond all cells, and what the rule errs by, at most. */
  get missed(): number {
    const radius = FURTHEST - this.#half;
    return 2 * (1 + radius) * Real.exp(-radius) + RULE_ERROR;
  }

  /** For each side the atoms; exact but for the rule, whose error is below 1e-7 of each: seen 1.4e-8. */
  atomsOf(third: Place): readonly [PlaceAtoms, PlaceAtoms] {
    const levels = Array.from({ length: this.#strips + 1 }, (_, i) => this.#ratioAt(i));
    const sides = [-this.#half, this.#half].map(
      (x) => new PlaceLattice(levels, this.#coarseness, distanceOf(third, { x, y: 0 })),
    ) as [PlaceLattice, PlaceLattice];
    const { x, y, near, row } = this.#corners;
    const logs = new Float64Array(x.length);
    for (let i = 0; i < x.length; i++) {
      const dx = x[i]! - third.x;
      const dy = y[i]! - third.y;
      logs[i] = near[i]! - Math.sqrt(dx * dx + dy * dy);
    }
    const aparts = [-this.#half, this.#half].map((at) => distanceOf(third, { x: at, y: 0 }));
    const bounds = new Float64Array(2);
    const sums = new Float64Array(4);
    for (const cell of this.#cells) {
      const centre = distanceOf(cell.middle, third);
      setLogBounds(bounds, cell, this.#half, { apart: aparts[cell.side]!, centre, logs, row });
      sums.fill(0);
      if (centre > CLEARANCE * cell.radius) addRule(sums, this.#nodes, cell.node, third);
      else this.#addCut(sums, cell, third, MOST_CUTS);
      sides[cell.side].add(cell.strip, bounds[0]!, bounds[1]!, sums);
    }
    return [sides[0].atoms(), sides[1].atoms()];
  }

  /** Where the third place is in the cell or near, its density has a kink: finer towards it. */
  #addCut(
    sums: Float64Array,
    { from, to }: Pick<EllipticCell, 'from' | 'to'>,
    third: Place,
    cuts: number,
  ): void {
    const { middle, radius } = shapeOf(from, to, this.#half);
    if (cuts === 0 || distanceOf(middle, third) > CLEARANCE * radius) {
      ringNodes(from[0], to[0], this.#half, this.#ring);
      stripNodes(from[1], to[1], this.#half, this.#strip);
      setNodes(this.#fine, 0, this.#ring, this.#strip, this.#half);
      addRule(sums, this.#fine, 0, third);
      return;
    }
    const [m, v] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    this.#addCut(sums, { from, to: [m, v] }, third, cuts - 1);
    this.#addCut(sums, { from: [m, from[1]], to: [to[0], v] }, third, cuts - 1);
    this.#addCut(sums, { from: [from[0], v], to: [m, to[1]] }, third, cuts - 1);
    this.#addCut(sums, { from: [m, v], to }, third, cuts - 1);
  }

  /** The further place's density over the nearer one's. */
  #ratioAt(edge: number): number {
    return Real.exp(-2 * this.#half * Real.cos((edge * Math.PI) / 2 / this.#strips));
  }
}

/** Adds the sums of one cell's nodes. */
function addRule(sums: Float64Array, { x, y, near, mass, farMass }: Nodes, from: number, third: Place): void {
  const { x: toX, y: toY } = third;
  let all = 0;
  let far = 0;
  let own = 0;
  let ownFar = 0;
  for (let i = from; i < from + ORDER * ORDER; i++) {
    const dx = x[i]! - toX;
    const dy = y[i]! - toY;
    const ratio = Real.exp(near[i]! - Math.sqrt(dx * dx + dy * dy));
    all += mass[i]!;
    far += farMass[i]!;
    own += ratio * mass[i]!;
    ownFar += ratio * farMass[i]!;
  }
  sums[0]! += all;
  sums[1]! += far;
  sums[2]! += own;
  sums[3]! += ownFar;
}

/** What bounds of one cell's ratios are made of. */
interface CellView {
  /** Distance of the third place from the nearer one, and from the cell's middle. */
  readonly apart: number;
  readonly centre: number;
  /** Logs of the ratio at the corners of all cells, and how many a ring has. */
  readonly logs: Float64Array;
  readonly row: number;
}

/**
 * Writes bounds of the log of the third place's density over the nearer one's in a cell: between bilinear
 * values of the corners by the second derivatives, or by the distance from the middle; and never more than
 * the two places allow.
 */
function setLogBounds(bounds: Float64Array, cell: EllipticCell, half: number, view: CellView): void {
  const { middle, radius, speed, bend, from, to, corner } = cell;
  const { apart, centre, logs, row } = view;
  const own = middle.near - centre;
  let [least, most] = [Math.max(-apart, own - 2 * radius), Math.min(apart, own + 2 * radius)];
  const clear = centre - radius;
  if (clear > 0) {
    const [dm, dv] = [to[0] - from[0], to[1] - from[1]];
    const second = speed / clear + bend;
    const slack = (dm * dm * (cell.stretch + second) + dv * dv * (half + second)) / 8;
    const [a, b] = [logs[corner]!, logs[corner + 1]!];
    const [c, d] = [logs[corner + row]!, logs[corner + row + 1]!];
    least = Math.max(least, Math.min(a, b, c, d) - slack);
    most = Math.min(most, Math.max(a, b, c, d) + slack);
  }
  bounds[0] = least - ROUNDING;
  bounds[1] = most + ROUNDING;
}
