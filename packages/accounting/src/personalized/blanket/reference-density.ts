/**
 * The reference density w of the certified bound: the one law that the messages of all budgets are thinned to
 * (docs/personalized.md). A user of group t sends a message of law w with probability g_t = inf b_t / w, b_t
 * the blanket of the group. Any w gives a sound bound; here w is the blanket of one group, normalised, on the
 * cells where it pays to have one. Elsewhere the victim stands alone, and its mass there counts in full.
 *
 * The choice goes by the epsilon that Bernstein's inequality would give for k such messages, k their expected
 * number: by the variance sum (R_0 - R_1)^2 / w and by the largest ratio R_x / w, which rules where noise has
 * unbounded support.
 */
import { onceEach, onceEachObject, Real, type LikelihoodAtoms } from '@shuffle-dp/core';
import {
  ratioBounds,
  type BudgetGroup,
  type CellLaw,
  type RatioBounds,
  type VictimPair,
} from '../budget-group.ts';

export interface Reference {
  /** The group whose blanket it is. */
  readonly source: number;
  /** The victim's two laws against w, which has mass 1 on the covered cells and 0 elsewhere. */
  readonly atoms: LikelihoodAtoms;
  /** The same in the direction of the pair alone, with another law in the place of its first. */
  atomsFrom(first: CellLaw): LikelihoodAtoms;
  /** g_t for every group. */
  readonly shares: Float64Array;
}

/** What is lost by rounding when shares and densities are divided; taken off the shares. */
const ROUNDING = 1e-13;
/** 1/3 in Bernstein's inequality; the bound itself is not that sensitive to the largest ratio. */
const LINEAR_SHARE = 1 / 12;

/**
 * The references that look best for this victim, best first: the best blanket on all cells that the groups
 * cover, and the best with cells left out, where that seems a clear gain and leaves at most `allowance` of
 * the victim's mass uncovered. Each gives a sound bound. The estimate does not tell them apart well: evaluate
 * both.
 */
export function chooseReferences(
  groups: readonly BudgetGroup[],
  victim: number,
  pair: VictimPair,
  allowance: number,
): Reference[] {
  const others = groups.map(({ users }, g) => (g === victim ? users - 1 : users));
  let best: Candidate | null = null;
  let bestWhole: Candidate | null = null;
  for (const source of likelySources(groups)) {
    const { blanket } = groups[source]!;
    const coverage = coverageOf(groups)(source);
    const worth = expectedCoverage(coverage, others);
    const of = (covered: Float64Array): Candidate => {
      const cells = coveredLoss(pair, blanket.masses, covered);
      const shares = sharesOf(coverage, covered, cells.size);
      const expected = shares.reduce((sum, share, t) => sum + others[t]! * share, 0);
      const estimate = bernsteinEpsilon(cells, expected, allowance);
      return { source, covered, shares, uncoveredMass: cells.uncoveredMass, estimate };
    };
    const whole = of(wholeCells(pair, worth));
    const cut = of(cutCells(pair, worth, allowance));
    // Cells are left out for a clear gain only: what they hold counts in full.
    const candidate = isBetter(cut, whole, allowance, 0.99) ? cut : whole;
    if (!best || isBetter(candidate, best, allowance, 1)) best = candidate;
    if (!bestWhole || isBetter(whole, bestWhole, allowance, 1)) bestWhole = whole;
  }
  const chosen = best === bestWhole ? [best!] : [best!, bestWhole!];
  return chosen.map((candidate) => referenceOf(groups, pair, candidate));
}

/**
 * Of more groups some are left out: neighbours have blankets that are much alike, and each is compared with
 * all groups.
 */
const MOST_SOURCES = 24;

/** The groups with users, or so many of them, the first and the last among them. */
function likelySources(groups: readonly BudgetGroup[]): readonly number[] {
  const used = [...groups.keys()].filter((g) => groups[g]!.users > 0);
  if (used.length <= MOST_SOURCES) return used;
  const gap = (used.length - 1) / (MOST_SOURCES - 1);
  return Array.from({ length: MOST_SOURCES }, (_, i) => used[Math.round(i * gap)]!);
}

interface Candidate {
  readonly source: number;
  /** 1 for covered cells, 0 for the others. */
  readonly covered: Float64Array;
  readonly shares: Float64Array;
  readonly uncoveredMass: number;
  /** About the epsilon that this reference gives. */
  readonly estimate: number;
}

function isBetter(a: Candidate, b: Candidate, allowance: number, margin: number): boolean {
  const [lost, kept] = [a.uncoveredMass > allowance, b.uncoveredMass > allowance];
  if (lost !== kept) return kept;
  return lost ? a.uncoveredMass < b.uncoveredMass : a.estimate < margin * b.estimate;
}

/** The same for every victim of the groups, and most of the work. */
const coverageOf = onceEachObject((groups: readonly BudgetGroup[]) =>
  onceEach((source) => coverageBy(groups, source)),
);

/** For every group a lower bound of b_t / b_source in each cell; 0 where there is none. */
function coverageBy(groups: readonly BudgetGroup[], source: number): readonly Float64Array[] {
  const reference = groups[source]!.blanket;
  return groups.map(({ blanket }) => {
    const { least, most } = ratioBounds(blanket, reference);
    for (let y = 0; y < least.length; y++) {
      if (!(reference.masses[y]! > 0 && most[y]! < Infinity)) least[y] = 0;
    }
    return least;
  });
}

function expectedCoverage(coverage: readonly Float64Array[], others: readonly number[]): Float64Array {
  const worth = new Float64Array(coverage[0]!.length);
  for (const [t, ratios] of coverage.entries()) {
    const users = others[t]!;
    for (let y = 0; y < worth.length; y++) worth[y]! += users * ratios[y]!;
  }
  return worth;
}

/**
 * The cells that the groups cover. Of mirrored cells an interval in the middle, symmetric:
 * docs/worst-pairs.md needs that for the ends of the range to be the worst pair.
 */
function wholeCells(pair: VictimPair, worth: Float64Array): Float64Array {
  const covered = worth.map((value) => (value > 0 ? 1 : 0));
  if (!isMirrored(pair)) return covered;
  const last = covered.length - 1;
  let inner = 0;
  for (let y = 0; 2 * y <= last; y++) if (covered[y] === 0 || covered[last - y] === 0) inner = y + 1;
  return covered.fill(0, 0, inner).fill(0, covered.length - inner);
}

/**
 * These without the ones that hold `allowance` of the victim's mass: of mirrored cells the outermost pairs,
 * otherwise the cells of the least worth. Outputs in a bounded range, where even the outermost cells are
 * covered, stay whole.
 */
function cutCells(pair: VictimPair, worth: Float64Array, allowance: number): Float64Array {
  const covered = wholeCells(pair, worth);
  const mirrored = isMirrored(pair);
  if (mirrored && covered[0] === 1) return covered;
  const { first, second } = pair;
  const held = (y: number): number => Math.max(first.masses[y]!, second.masses[y]!);
  const last = worth.length - 1;
  const pieces = mirrored
    ? Array.from({ length: worth.length >> 1 }, (_, y) => [y, last - y])
    : Array.from(worth, (_, y) => [y]).sort(([a], [b]) => worth[a!]! - worth[b!]!);
  let dropped = 0;
  for (const cells of pieces) {
    for (const y of cells) dropped += held(y);
    if (dropped > allowance && covered[cells[0]!] === 1) break;
    for (const y of cells) covered[y] = 0;
  }
  return covered;
}

/**
 * Cells of an interval of outputs, where cell y is the mirror image of the one that is as far from the other
 * end.
 */
function isMirrored({ first, symmetric }: VictimPair): boolean {
  return symmetric && first.densities !== undefined;
}

/** What the blanket of one group, on the covered cells, says of the victim's loss; not normalised. */
interface CoveredLoss {
  /** Mass of the blanket there. */
  readonly size: number;
  /** The victim's mass elsewhere. */
  readonly uncoveredMass: number;
  /** sum (R_0 - R_1)^2 / blanket. */
  readonly variance: number;
  /** The largest R_x / blanket. */
  readonly largest: number;
}

function coveredLoss(
  { first, second }: VictimPair,
  blanket: Float64Array,
  covered: Float64Array,
): CoveredLoss {
  let size = 0;
  let uncoveredMass = 0;
  let variance = 0;
  let largest = 0;
  blanket.forEach((mass, y) => {
    if (covered[y] === 0) {
      uncoveredMass += Math.max(first.masses[y]!, second.masses[y]!);
      return;
    }
    size += mass;
    const difference = first.masses[y]! - second.masses[y]!;
    variance += (difference * difference) / mass;
    largest = Math.max(largest, first.masses[y]! / mass, second.masses[y]! / mass);
  });
  return { size, uncoveredMass, variance, largest };
}

/** g_t for every group, where w is a blanket of mass `size` on the covered cells. */
function sharesOf(coverage: readonly Float64Array[], covered: Float64Array, size: number): Float64Array {
  return leastCoverage(coverage, covered).map((least) =>
    least < Infinity ? Math.min(1, size * least) * (1 - ROUNDING) : 0,
  );
}

/** Of all cells that are covered, which most victims have in common, and of what was asked last. */
const leasts = new WeakMap<readonly Float64Array[], Leasts[]>();

interface Leasts {
  readonly covered: Float64Array;
  readonly least: Float64Array;
}

/** For every group the least ratio in a covered cell; infinite where none is. */
function leastCoverage(coverage: readonly Float64Array[], covered: Float64Array): Float64Array {
  const [first, last] = leasts.get(coverage) ?? [];
  for (const known of [first, last])
    if (known && covered.every((flag, y) => flag === known.covered[y])) return known.least;
  const least = Float64Array.from(coverage, (ratios) => {
    let smallest = Infinity;
    for (let y = 0; y < ratios.length; y++) {
      if (covered[y] === 1 && ratios[y]! < smallest) smallest = ratios[y]!;
    }
    return smallest;
  });
  const found = { covered, least };
  leasts.set(coverage, first ? [first, found] : [found]);
  return least;
}

/** About the epsilon among `expected` messages of law w, at the delta of `allowance`. */
function bernsteinEpsilon(
  { size, variance, largest }: CoveredLoss,
  expected: number,
  allowance: number,
): number {
  const depth = -Real.log(allowance);
  const linear = LINEAR_SHARE * depth * size * largest;
  return (linear + Math.sqrt(linear * linear + 2 * depth * expected * size * variance)) / expected;
}

function referenceOf(groups: readonly BudgetGroup[], pair: VictimPair, chosen: Candidate): Reference {
  const { source, covered, shares } = chosen;
  const { blanket, budget } = groups[source]!;
  const size = blanket.masses.reduce((sum, mass, y) => sum + mass * covered[y]!, 0);
  const others = blanket.masses.map((mass, y) => (covered[y] === 1 ? mass / size : 0));
  const scaledRatios = (law: CellLaw): RatioBounds => {
    const { least, most } = ratioBounds(law, blanket);
    const scaled = (ratios: Float64Array): Float64Array =>
      ratios.map((ratio, y) => (covered[y] === 1 ? ratio * size : 0));
    return { least: scaled(least), most: scaled(most) };
  };
  const against = (first: CellLaw, oneDirection: boolean): LikelihoodAtoms => {
    const atoms = {
      label: `budget ${budget}`,
      victim0: first.masses,
      victim1: pair.second.masses,
      others,
      symmetric: oneDirection,
    };
    if (!blanket.densities) return atoms;
    const [ratios0, ratios1] = [scaledRatios(first), scaledRatios(pair.second)];
    return {
      ...atoms,
      cellEnds: {
        ratio0Start: ratios0.least,
        ratio0End: ratios0.most,
        ratio1Start: ratios1.least,
        ratio1End: ratios1.most,
      },
    };
  };
  // Where points were left out their mirror image may be another set of points.
  const isSymmetric = isMirrored(pair) || (pair.symmetric && covered.every((flag) => flag === 1));
  return {
    source,
    shares,
    atoms: against(pair.first, isSymmetric),
    atomsFrom: (first) => against(first, true),
  };
}
