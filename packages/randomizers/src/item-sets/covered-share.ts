/**
 * The share of the outputs that the items of one set cover together, where a random function gives each item
 * its share: its law, in classes of functions. Disjoint sets have independent shares.
 */
import { integrateSmooth, Real } from '@shuffle-dp/core';

/** Functions of one class. */
export interface CoveringClass {
  readonly probability: number;
  /**
   * E[what the items' shares lack of being separate; this class]: the mean in the class times its
   * probability, as a sum of positive terms. At short arcs it is far below the rounding of the share covered.
   */
  readonly overlap: number;
}

/** Where more are possible, neighbouring ones are taken together: a lower bound stays one. */
const MOST_CLASSES = 7;
/** Beyond so many items every covered share is in one class; shares vary little then. */
const MOST_ITEMS = 256;

/**
 * Items in random buckets, classes by how many buckets are hit.
 * @param chance of an item to be in a given bucket: a bit below 1 / buckets where some functions give it none
 * @param none the probability of that, with all digits
 */
export function hitBuckets(items: number, buckets: number, chance: number, none: number): CoveringClass[] {
  if (items > MOST_ITEMS)
    return [{ probability: 1, overlap: (items * none) / buckets + usualOverlap(items, chance) }];
  return fewClasses(
    Array.from(hitLaw(items, buckets, chance, none), (probability, d) => ({
      probability,
      overlap: (probability * (items - d)) / buckets,
    })),
  );
}

/** On average: items times the chance, less the chance that any has an output. */
export function usualOverlap(items: number, chance: number): number {
  let sum = 0;
  for (let before = 1; before < items; before++) sum -= Real.expm1(before * Real.log1p(-chance));
  return chance * sum;
}

/** Probabilities of the numbers of buckets that are hit. */
function hitLaw(items: number, buckets: number, chance: number, none: number): Float64Array {
  let hits = Float64Array.of(1);
  for (let item = 0; item < items; item++) {
    const next = new Float64Array(hits.length + 1);
    hits.forEach((probability, d) => {
      next[d]! += probability * (d * chance + none);
      next[d + 1]! += probability * (buckets - d) * chance;
    });
    hits = next;
  }
  return hits;
}

/** Functions in all of which the arcs overlap between two bounds, split onto these with their mean kept. */
export interface BoundedClass {
  /** Overlaps, in turns. */
  readonly least: number;
  readonly most: number;
  /** Probabilities that go onto either bound. */
  readonly atLeast: number;
  readonly atMost: number;
}

export interface BoundedArcs {
  readonly classes: readonly BoundedClass[];
  /** Probability that no two arcs overlap. */
  readonly apart: number;
}

/**
 * Ends of the classes for upper bounds: by how much arcs overlap in all, in arcs. Beyond the last there is
 * one more class.
 */
const OVERLAP_ENDS = [0, 1 / 4, 1 / 2, 3 / 4, 1, 3 / 2, 2];
const FINE_ENDS = [...Array.from({ length: 12 }, (_, i) => i / 12), 1, 9 / 8, 5 / 4, 3 / 2, 7 / 4, 2];
/** Of the rule in a class: exact for polynomials of a degree far above that of the density. */
const ORDER = 8;

/**
 * The same for upper bounds, by what overlaps. Of the gaps between beginnings j are short: then the overlaps
 * have the density of a sum of j uniform parts of an arc, times (free + overlaps)^(arcs - j - 1), a
 * polynomial between whole numbers of arcs. All sums are of positive terms.
 * @param free what arcs leave that do not overlap, with all digits
 * @param finely in three times as many classes
 */
export function boundedArcs(
  arcs: number,
  length: number,
  free: number = 1 - arcs * length,
  finely = false,
): BoundedArcs {
  const ends = [...(finely ? FINE_ENDS : OVERLAP_ENDS).filter((end) => end < arcs - 1), arcs - 1];
  const classes = ends.slice(1).map((to, i): BoundedClass => {
    const from = ends[i]!;
    let [atLeast, atMost] = [0, 0];
    for (let whole = Math.floor(from); whole < to; whole++) {
      const [low, high] = [Math.max(from, whole), Math.min(to, whole + 1)];
      const density = (overlap: number): number => overlapDensity(arcs, overlap, length, free) / (to - from);
      atLeast += integrateSmooth((x) => density(x) * (to - x), low, high, ORDER);
      atMost += integrateSmooth((x) => density(x) * (x - from), low, high, ORDER);
    }
    return { least: from * length, most: to * length, atLeast, atMost };
  });
  return { classes, apart: Real.power(free, arcs - 1) };
}

/** The density of what overlaps in all, in arcs, where anything does. */
function overlapDensity(arcs: number, overlap: number, length: number, free: number): number {
  let [sum, ways] = [0, arcs];
  for (let short = 1; short < arcs; short++) {
    // (arcs - 1)! / (arcs - short - 1)! of the simplex of gaps, ways to choose the short ones.
    ways *= (arcs - short) * length;
    sum += ways * uniformSum(short, overlap) * Real.power(free + overlap * length, arcs - short - 1);
    ways *= (arcs - short) / (short + 1);
  }
  return sum;
}

/** The density of a sum of so many uniform numbers, from its nearer end: there it has all digits. */
function uniformSum(count: number, place: number): number {
  const at = Math.min(place, count - place);
  let sum = 0;
  let term = 1;
  for (let k = 0; k <= count && k < at; k++) {
    sum += term * Real.power(at - k, count - 1);
    term *= -(count - k) / (k + 1);
  }
  for (let k = 2; k < count; k++) sum /= k;
  return Math.max(0, sum);
}

/**
 * Joins the neighbours that are together the rarest until there are few, and none too rare for its rounding.
 */
export function fewClasses(all: readonly CoveringClass[], most = MOST_CLASSES): CoveringClass[] {
  const classes = all.filter(({ probability }) => probability > 0);
  const together = (i: number): number => classes[i]!.probability + classes[i + 1]!.probability;
  for (;;) {
    const rarest = Math.min(...classes.map(({ probability }) => probability));
    if (classes.length === 1 || (classes.length <= most && rarest > 1e-6)) return classes;
    let at = 0;
    for (let i = 1; i + 1 < classes.length; i++) if (together(i) < together(at)) at = i;
    const [first, second] = [classes[at]!, classes[at + 1]!];
    classes.splice(at, 2, {
      probability: first.probability + second.probability,
      overlap: first.overlap + second.overlap,
    });
  }
}
