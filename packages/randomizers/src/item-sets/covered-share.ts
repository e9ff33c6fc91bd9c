/**
 * The share of the outputs that the items of one set cover together, where a random function gives each item its share: its law, in
 * classes of functions. Disjoint sets have independent shares.
 */
import { Real } from '@shuffle-dp/core';

/** Functions of one class. */
export interface CoveringClass {
  readonly probability: number;
  /** E[covered share; this class]: the mean in the class times its probability. */
  readonly covered: number;
}

/** Where more are possible, neighbouring ones are taken together: a lower bound stays one. */
const MOST_CLASSES = 7;
/** Beyond so many items every covered share is in one class; shares vary little then. */
const MOST_ITEMS = 256;
/** Inclusion and exclusion over more arcs lose too many digits. */
const MOST_ARCS = 10;
/** Parts into which the functions with one overlap are cut by its length. */
const OVERLAP_PARTS = 4;

/**
 * Items in random buckets, classes by how many buckets are hit.
 * @param chance of an item to be in a given bucket: a bit below 1 / buckets where some functions give it none
 */
export function hitBuckets(items: number, buckets: number, chance: number): CoveringClass[] {
  if (items > MOST_ITEMS) return [{ probability: 1, covered: -Real.expm1(items * Real.log1p(-chance)) }];
  return fewClasses(
    Array.from(hitLaw(items, buckets, chance), (probability, d) => ({
      probability,
      covered: (probability * d) / buckets,
    })),
  );
}

/** Probabilities of the numbers of buckets that are hit. */
function hitLaw(items: number, buckets: number, chance: number): Float64Array {
  const none = Math.max(0, 1 - buckets * chance);
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

/**
 * Arcs of one length at random places of a circle of length 1, classes by the number of arcs that overlap the next, and for one
 * overlap by its length. With R = 1 - (what some gaps between beginnings are at least), these gaps are as long with probability
 * R^(arcs - 1), and the rest is shared out evenly.
 * @param length below 1 / arcs
 */
export function coveringArcs(arcs: number, length: number): CoveringClass[] {
  if (arcs > MOST_ARCS) return [{ probability: 1, covered: -Real.expm1(arcs * Real.log1p(-length)) }];
  return fewClasses([
    ...moreOverlaps(arcs, length),
    ...oneOverlap(arcs, length, OVERLAP_PARTS),
    apart(arcs, length),
  ]);
}

/** Functions of one class, in all of which the covered share lies between two bounds. */
export interface BoundedClass extends CoveringClass {
  readonly least: number;
  readonly most: number;
}

/** Of one overlap, for upper bounds: more add little. */
const BOUNDED_PARTS = 2;

/** The same for upper bounds. */
export function boundedArcs(arcs: number, length: number): BoundedClass[] {
  const all = arcs * length;
  const one = oneOverlap(arcs, length, BOUNDED_PARTS).map((entry, i): BoundedClass => {
    const part = (short: number): number => all - length + (length * short) / BOUNDED_PARTS;
    return { ...entry, least: part(i), most: i + 1 === BOUNDED_PARTS ? all : part(i + 1) };
  });
  // Long gaps leave an arc each, the short ones less than one.
  const more = moreOverlaps(arcs, length).map((entry, i): BoundedClass => {
    return { ...entry, least: (i + 1) * length, most: all };
  });
  return [...more, ...one, { ...apart(arcs, length), least: all, most: all }];
}

/** What is left of the circle where so many gaps are an arc at least. */
function restOf(gaps: number, length: number): number {
  return 1 - gaps * length;
}

function apart(arcs: number, length: number): CoveringClass {
  const rest = restOf(arcs, length);
  return classOf(Real.power(rest, arcs - 1), Real.power(rest, arcs));
}

/** By the length of the one short gap, in equal parts of an arc. */
function oneOverlap(arcs: number, length: number, parts: number): CoveringClass[] {
  if (arcs === 1) return [];
  return Array.from({ length: parts }, (_, i) => {
    // From the rest where the short gap is a whole part of an arc to that where it is the next.
    const more = restOf(arcs - 1, length) - (length * i) / parts;
    const less = restOf(arcs - 1, length) - (length * (i + 1)) / parts;
    return classOf(
      arcs * (Real.power(more, arcs - 1) - Real.power(less, arcs - 1)),
      (arcs - 1) * (Real.power(more, arcs) - Real.power(less, arcs)),
    );
  });
}

/** By the number of long gaps, from 1 to arcs - 2. */
function moreOverlaps(arcs: number, length: number): CoveringClass[] {
  return Array.from({ length: Math.max(0, arcs - 2) }, (_, i) => {
    const long = i + 1;
    let [probability, free] = [0, 0];
    let ways = 1;
    for (let others = 0; others <= arcs - long; others++) {
      probability += ways * Real.power(restOf(long + others, length), arcs - 1);
      free += ((ways * long) / arcs) * Real.power(restOf(long + others, length), arcs);
      ways *= -(arcs - long - others) / (others + 1);
    }
    const choices = binomial(arcs, long);
    return classOf(choices * probability, choices * free);
  });
}

function classOf(probability: number, free: number): CoveringClass {
  return { probability, covered: probability - free };
}

function binomial(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/** Joins the neighbours that are together the rarest until there are few, and none too rare for its rounding. */
function fewClasses(all: readonly CoveringClass[]): CoveringClass[] {
  const classes = all.filter(({ probability }) => probability > 0);
  const together = (i: number): number => classes[i]!.probability + classes[i + 1]!.probability;
  for (;;) {
    const rarest = Math.min(...classes.map(({ probability }) => probability));
    if (classes.length === 1 || (classes.length <= MOST_CLASSES && rarest > 1e-6)) return classes;
    let at = 0;
    for (let i = 1; i + 1 < classes.length; i++) if (together(i) < together(at)) at = i;
    const [first, second] = [classes[at]!, classes[at + 1]!];
    classes.splice(at, 2, {
      probability: first.probability + second.probability,
      covered: first.covered + second.covered,
    });
  }
}
