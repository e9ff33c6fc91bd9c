/**
 * Planar Laplace noise where all other users are at the place furthest from both of the victim's: the apex of
 * the lens of places within reach of either. All distances in nats.
 *
 * The law lives in the plane and is cut into cells; cells of about the same two likelihood ratios are put
 * together, which is post-processing and keeps a lower end one (docs/soundness.md, F3). The density has a
 * kink at each of the three places, so cells are polar around the nearest of them: every integrand is smooth
 * there.
 */
import { gaussLegendre, keptByKey, Real, type LikelihoodAtoms } from '@shuffle-dp/core';
import type { MetricPair } from './metric-privacy.ts';

/**
 * Atoms are told apart by so many steps of the log ratios: victim over others, and the victim's two. Over a
 * long reach, where single messages decide and an account costs most, by half as many.
 */
const OTHERS_STEPS = 48;
const VICTIM_STEPS = 12;
const LONG_REACH = 8;
/** Cells along the reach: no coarser than the atoms. */
const RADIAL_STEPS = 48;
const LARGEST_ANGLE = Math.PI / 48;
/** Points of the rule in a cell, along the reach and across it. */
const ORDER = 6;
/**
 * More than the rule and rounding leave out, relative to how the victim's laws differ: each law is averaged
 * with the other one by half of that, which brings them no further apart (convexity), and the lower end stays
 * one.
 */
const RULE_ERROR = 3e-14;
/** Beyond so many nats there is hardly any mass. */
const HARDLY_ANY = 64;
/** Below, doubles have few digits. */
const LEAST_MASS = 1e-300;
/** Beyond so many nats densities are zero in doubles. */
const FURTHEST = 760;

/**
 * With the victim at (0, 0) or (separation, 0) the apex is (separation / 2, height). Left of the middle line
 * are cells around the first place and around the apex; the right half is their mirror image.
 */
export function apexAtoms(pair: MetricPair): LikelihoodAtoms {
  return lately(`${pair.separation} ${pair.reach}`, () => makeAtoms(pair));
}

/** One pair is asked for at every number of users and every target; the atoms take tenths of a second. */
const lately = keptByKey<LikelihoodAtoms>(16);

function makeAtoms({ separation, reach }: MetricPair): LikelihoodAtoms {
  const middle = separation / 2;
  const height = Math.sqrt(reach - middle) * Math.sqrt(reach + middle);
  const sums = new AtomSums(separation, reach);
  const lens = { separation, reach, height };
  for (const wedge of wedges(separation, reach, middle, height)) addCells(wedge, lens, sums);
  return sums.atoms();
}

/** Points between two angles around one place, nearer than a line if there is one. */
interface Wedge {
  readonly x: number;
  readonly y: number;
  /** To the nearest other place. */
  readonly clearance: number;
  /** Between these angles, counted from `towards` in either direction. */
  readonly from: number;
  readonly to: number;
  readonly towards: number;
  /** 1 or -1: the direction in which angles are counted. */
  readonly turn: number;
  /** Of the line perpendicular to `towards`; infinite where there is none. */
  readonly lineDistance: number;
}

function* wedges(separation: number, reach: number, middle: number, height: number): Generator<Wedge> {
  const quarter = Math.PI / 2;
  const apexAngle = Real.atan2(height, middle);
  // Where the three places are equally far, as seen from the first.
  const corner = Real.atan2((height - middle * (middle / height)) / 2, middle);
  const victim = { x: 0, y: 0, clearance: separation };
  const right = { ...victim, towards: 0, lineDistance: middle };
  const above = { ...victim, towards: apexAngle, lineDistance: reach / 2 };
  yield* upToLine({ ...right, turn: -1, from: 0, to: quarter });
  yield* upToLine({ ...right, turn: 1, from: 0, to: corner });
  yield* upToLine({ ...above, turn: -1, from: 0, to: apexAngle - corner });
  yield* upToLine({ ...above, turn: 1, from: 0, to: quarter });
  yield* endless({ ...victim, towards: apexAngle + quarter, turn: 1, from: 0, to: Math.PI - apexAngle });
  const apex = { x: middle, y: height, clearance: reach };
  const below = { ...apex, towards: Math.PI + apexAngle, lineDistance: reach / 2 };
  yield* endless({ ...apex, towards: quarter, turn: 1, from: 0, to: apexAngle });
  yield* upToLine({ ...below, turn: -1, from: 0, to: quarter });
  yield* upToLine({ ...below, turn: 1, from: 0, to: quarter - apexAngle });
}

/** In wedges in which the distance of the line, lineDistance / cos, grows by about a quarter at most. */
function* upToLine(sector: Wedge): Generator<Wedge> {
  const { to, lineDistance } = sector;
  let from = 0;
  while (from < to && lineDistance / Real.cos(from) < FURTHEST) {
    const next = Math.min(to, from + Math.min(LARGEST_ANGLE, 0.2 / Real.tan(from)));
    // A sliver is left to the last wedge; so are angles that doubles do not tell apart.
    const end = next === from || to - next < 1e-3 * (next - from) ? to : next;
    yield { ...sector, from, to: end };
    from = end;
  }
  if (from < to) yield* endless({ ...sector, from });
}

function* endless(sector: Omit<Wedge, 'lineDistance'>): Generator<Wedge> {
  const { from, to } = sector;
  const count = Math.ceil((to - from) / LARGEST_ANGLE);
  const at = (i: number): number => from + ((to - from) * i) / count;
  for (let i = 0; i < count; i++)
    yield { ...sector, from: at(i), to: i + 1 === count ? to : at(i + 1), lineDistance: Infinity };
}

/**
 * Cells grow with the distance from the place, in which the density falls and the directions of the others
 * settle.
 */
function radialEdges(furthest: number, clearance: number, reach: number): number[] {
  const edges = [0];
  for (let radius = 0; radius < furthest;) {
    const smooth = Math.max(0.3 * clearance, 0.35 * radius);
    // Along a ray the log ratio changes by 2 at most, and beyond the other place by one less the cosine of
    // the angle between the two.
    const change = radius < reach ? 2 : 1 - Math.sqrt(1 - (reach / radius) ** 2);
    const fine = (2 * reach) / (RADIAL_STEPS * change);
    // The rule is exact to the last digits where nearly all of the mass is: of the rest there is 1e-26.
    radius += radius < HARDLY_ANY + reach ? Math.min(1, smooth, fine) : smooth;
    edges.push(Math.min(furthest, radius));
  }
  return edges;
}

/** @param lens its apex is at (separation / 2, height) */
function addCells(wedge: Wedge, lens: MetricPair & { readonly height: number }, sums: AtomSums): void {
  const { separation, reach, height } = lens;
  const { x, y, clearance, from, to, towards, turn, lineDistance } = wedge;
  const { nodes, weights } = gaussLegendre(ORDER);
  const most = Math.min(lineDistance / Real.cos(to), 2 * FURTHEST);
  const edges = radialEdges(lineDistance === Infinity ? FURTHEST : most, clearance, reach);
  const [turned, halfAngle] = [(from + to) / 2, (to - from) / 2];
  const rays = Array.from(nodes, (node, i) => {
    const offset = turned + halfAngle * node;
    const angle = towards + turn * offset;
    return {
      cos: Real.cos(angle),
      sin: Real.sin(angle),
      weight: halfAngle * weights[i]!,
      // Cells end at the line, at whatever angle.
      scale: lineDistance === Infinity ? 1 : lineDistance / Real.cos(offset) / most,
    };
  });
  for (let i = 1; i < edges.length; i++) {
    const [middle, half] = [(edges[i - 1]! + edges[i]!) / 2, (edges[i]! - edges[i - 1]!) / 2];
    let second = 0;
    let difference = 0;
    let others = 0;
    for (const { cos, sin, weight, scale } of rays) {
      for (let k = 0; k < nodes.length; k++) {
        const radius = scale * (middle + half * nodes[k]!);
        const area = weight * scale * half * weights[k]! * radius;
        // So close that squared distances round to zero, too.
        if (area === 0) continue;
        const atX = x + radius * cos;
        const atY = y + radius * sin;
        const fromFirst = Math.sqrt(atX * atX + atY * atY);
        const fromSecond = Math.sqrt((atX - separation) * (atX - separation) + atY * atY);
        const across = atX - separation / 2;
        const above = atY - height;
        const mass = area * Real.exp(-fromSecond);
        const gain = (separation * (separation - 2 * atX)) / (fromFirst + fromSecond);
        second += mass;
        difference += mass * Real.expm1(gain);
        others += area * Real.exp(-Math.sqrt(across * across + above * above));
      }
    }
    sums.add(second, difference, others);
  }
}

/**
 * Masses by atom. Left of the middle line the victim's first place is the nearer one: what it has beyond the
 * second is summed as such, which keeps its digits at small distances, and is positive, which keeps them at
 * large ones.
 */
class AtomSums {
  readonly #separation: number;
  readonly #reach: number;
  readonly #rows: number;
  readonly #columns: number;
  readonly #second: Float64Array;
  readonly #difference: Float64Array;
  readonly #others: Float64Array;
  /** Cells whose masses are too small to tell ratios by. */
  readonly #far = { second: 0, difference: 0, others: 0 };

  constructor(separation: number, reach: number) {
    this.#separation = separation;
    this.#reach = reach;
    const part = reach > LONG_REACH ? 2 : 1;
    this.#rows = OTHERS_STEPS / part;
    this.#columns = VICTIM_STEPS / part;
    this.#second = new Float64Array(this.#rows * this.#columns);
    this.#difference = new Float64Array(this.#rows * this.#columns);
    this.#others = new Float64Array(this.#rows * this.#columns);
  }

  /** The masses of one cell. */
  add(second: number, difference: number, others: number): void {
    if (!(second > LEAST_MASS && others > LEAST_MASS)) {
      this.#far.second += second;
      this.#far.difference += difference;
      this.#far.others += others;
      return;
    }
    // Log ratios of the cell: from -reach to reach, and from 0 to the separation.
    const fromOthers = Real.log((second + difference) / others);
    const ofVictim = Real.log1p(difference / second);
    const row = step((fromOthers + this.#reach) / (2 * this.#reach), this.#rows);
    const column = step(ofVictim / this.#separation, this.#columns);
    const atom = row * this.#columns + column;
    this.#second[atom]! += second;
    this.#difference[atom]! += difference;
    this.#others[atom]! += others;
  }

  atoms(): LikelihoodAtoms {
    // They are put together with the heaviest atom, of which they change nothing.
    const heaviest = this.#others.indexOf(Math.max(...this.#others));
    this.#second[heaviest]! += this.#far.second;
    this.#difference[heaviest]! += this.#far.difference;
    this.#others[heaviest]! += this.#far.others;
    const kept = Array.from(this.#others.keys()).filter((i) => this.#others[i]! > 0);
    const total = kept.reduce((sum, i) => sum + 2 * this.#second[i]! + this.#difference[i]!, 0);
    const lower = kept.map((i) => this.#second[i]! + (RULE_ERROR / 2) * this.#difference[i]!);
    const left = kept.map((i, k) => (lower[k]! + (1 - RULE_ERROR) * this.#difference[i]!) / total);
    const right = lower.map((mass) => mass / total);
    const half = kept.map((i) => this.#others[i]!);
    const twice = 2 * half.reduce((sum, mass) => sum + mass, 0);
    return Object.freeze({
      label: 'all others are at the place furthest from both of the victim',
      victim0: Float64Array.of(...left, ...right),
      victim1: Float64Array.of(...right, ...left),
      others: Float64Array.from([...half, ...half], (mass) => mass / twice),
      silent: 0,
      symmetric: true,
    });
  }
}

function step(share: number, steps: number): number {
  return Math.min(steps - 1, Math.max(0, Math.floor(share * steps)));
}
