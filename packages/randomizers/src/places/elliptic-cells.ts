/**
 * Cells of outputs around the victim's two places: rectangles of elliptic coordinates (m, v) around the
 * middle of the two, (f cosh m cos v, f sinh m sin v), f half of the distance. The two places are at
 * f cosh m +- f cos v, so that the nearer one is likelier by e^(2 f |cos v|). All distances in nats.
 */
import { gaussLegendre, Real } from '@shuffle-dp/core';

export interface Place {
  readonly x: number;
  readonly y: number;
}

export type Corner = readonly [m: number, v: number];

/** A rectangle of the coordinates. */
export interface EllipticCell {
  /** Edges of the rectangle. */
  readonly from: readonly [m: number, v: number];
  readonly to: readonly [m: number, v: number];
  /** 0 where the victim's first place, at -f, is nearer. */
  readonly side: 0 | 1;
  /** Which strip of |cos v|. */
  readonly strip: number;
  readonly middle: Mark;
  /** No point of the cell is further from the middle. */
  readonly radius: number;
  /** Bounds of the squared derivative of a point by either coordinate, and of its second derivatives. */
  readonly speed: number;
  readonly bend: number;
  /** f cosh m at its outer edge: of the distance of the nearer place, the second derivative by m. */
  readonly stretch: number;
  /** Of its corners the first, from which the others are 1, a row, and a row and 1 further. */
  readonly corner: number;
  /** Its first node. */
  readonly node: number;
}

/** A point, with the distance of the nearer place. */
export interface Mark extends Place {
  readonly near: number;
}

/** The corners of all cells, ring by ring. */
export interface Corners {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly near: Float64Array;
  /** From one ring to the next. */
  readonly row: number;
}

/** Points of a rule, of one cell after the other. */
export interface Nodes {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Distance of the nearer place. */
  readonly near: Float64Array;
  /** Mass under the nearer place, and that under the other. */
  readonly mass: Float64Array;
  readonly farMass: Float64Array;
}

/** Of the rule in a cell, in either coordinate. */
export const ORDER = 4;
/** Width of the cells where most messages are, of those further out, and where they are hardly any. */
const [WIDTH, FAR_WIDTH, FURTHEST_WIDTH] = [0.13, 0.6, 1.2];
const FAR = 12;
/** All cells end there: beyond is less than what the rule errs by. */
export const FURTHEST = 32;
/** Of m, for places close to each other. */
const LARGEST_STEP = 0.3;
/** Strips of v between a place and the middle line, for places up to one nat apart. */
export const STRIPS = 16;

export function distanceOf(a: Place, b: Place): number {
  const [dx, dy] = [a.x - b.x, a.y - b.y];
  return Math.sqrt(dx * dx + dy * dy);
}

function markAt(m: number, v: number, half: number): Mark {
  const [cosh, cos] = [Real.cosh(m), Real.cos(v)];
  return { x: half * cosh * cos, y: half * Real.sinh(m) * Real.sin(v), near: half * (cosh - Math.abs(cos)) };
}

/** All corners, the last of a ring the first again. */
export function cornersOf(half: number, strips: number, rings: readonly number[]): Corners {
  const row = 4 * strips + 1;
  const array = (): Float64Array => new Float64Array(row * rings.length);
  const corners = { x: array(), y: array(), near: array(), row };
  for (const [ring, m] of rings.entries()) {
    for (let k = 0; k < row; k++) {
      const { x, y, near } = markAt(m, (k * Math.PI) / 2 / strips, half);
      corners.x[ring * row + k] = x;
      corners.y[ring * row + k] = y;
      corners.near[ring * row + k] = near;
    }
  }
  return corners;
}

export function cellsOf(half: number, strips: number, rings: readonly number[]): EllipticCell[] {
  const cells: EllipticCell[] = [];
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
        stretch: half * Real.cosh(to[0]),
        corner: (ring - 1) * (4 * strips + 1) + k,
        node: cells.length * ORDER * ORDER,
      });
    }
  }
  return cells;
}

export function ringEdges(half: number, coarseness: number): number[] {
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

export function shapeOf(
  from: Corner,
  to: Corner,
  half: number,
): Pick<EllipticCell, 'middle' | 'radius' | 'speed' | 'bend'> {
  const [m, v] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const sine = Real.sinh(to[0]);
  // |y_m|^2 = |y_v|^2 = f^2 (sinh(m)^2 + sin(v)^2) and |y_mm|^2 = |y_vv|^2 = f^2 (sinh(m)^2 + cos(v)^2).
  const speed = half * half * (sine * sine + Math.max(squaredSine(from[1]), squaredSine(to[1])));
  const bend = half * Math.sqrt(sine * sine + 1);
  const radius = Math.sqrt(speed) * Real.hypot((to[0] - from[0]) / 2, (to[1] - from[1]) / 2);
  return { middle: markAt(m, v, half), radius: radius * (1 + 1e-12), speed, bend };
}

function squaredSine(v: number): number {
  return Real.sin(v) ** 2;
}

export function nodesFor(count: number): Nodes {
  const array = (): Float64Array => new Float64Array(count);
  return { x: array(), y: array(), near: array(), mass: array(), farMass: array() };
}

/** Points of a Gauss rule in one coordinate, and what all cells between its edges share. */
export interface LineNodes {
  /** cosh and sinh of m, or cos and sin of v. */
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
  readonly weights: Float64Array;
  /** e^(-f cosh m), or e^(f |cos v|): their product is the density's. */
  readonly powers: Float64Array;
}

/** Room for them. */
export function lineNodes(): LineNodes {
  const array = (): Float64Array => new Float64Array(ORDER);
  return { cosines: array(), sines: array(), weights: array(), powers: array() };
}

/** Between two values of m; `line` is overwritten. */
export function ringNodes(from: number, to: number, half: number, line = lineNodes()): LineNodes {
  return setLine(line, from, to, (i, m) => {
    const cosh = Real.cosh(m);
    line.cosines[i] = cosh;
    line.sines[i] = Real.sinh(m);
    line.powers[i] = Real.exp(-half * cosh);
  });
}

/** Between two values of v; `line` is overwritten. */
export function stripNodes(from: number, to: number, half: number, line = lineNodes()): LineNodes {
  return setLine(line, from, to, (i, v) => {
    const cos = Real.cos(v);
    line.cosines[i] = cos;
    line.sines[i] = Real.sin(v);
    line.powers[i] = Real.exp(half * Math.abs(cos));
  });
}

/** @param set writes all but the weights of a point */
function setLine(
  line: LineNodes,
  from: number,
  to: number,
  set: (i: number, place: number) => void,
): LineNodes {
  const { nodes, weights } = gaussLegendre(ORDER);
  const half = (to - from) / 2;
  for (let i = 0; i < ORDER; i++) {
    set(i, from + half * (1 + nodes[i]!));
    line.weights[i] = weights[i]! * half;
  }
  return line;
}

/** A product of two Gauss rules, with the area f^2 (sinh(m)^2 + sin(v)^2), from a first node on. */
export function setNodes(all: Nodes, first: number, ring: LineNodes, strip: LineNodes, half: number): void {
  let node = first;
  for (let i = 0; i < ORDER; i++) {
    const [cosh, sinh] = [ring.cosines[i]!, ring.sines[i]!];
    for (let k = 0; k < ORDER; k++) {
      const [cos, sin] = [strip.cosines[k]!, strip.sines[k]!];
      const area = ring.weights[i]! * strip.weights[k]! * half * half * (sinh * sinh + sin * sin);
      const nearer = strip.powers[k]!;
      all.x[node] = half * cosh * cos;
      all.y[node] = half * sinh * sin;
      all.near[node] = half * (cosh - Math.abs(cos));
      all.mass[node] = (area * ring.powers[i]! * nearer) / (2 * Math.PI);
      // The further place is likelier by e^(-2 f |cos v|).
      all.farMass[node] = all.mass[node]! / (nearer * nearer);
      node++;
    }
  }
}
