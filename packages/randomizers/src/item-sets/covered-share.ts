/**
 * The share of the outputs that the items of one set cover together, where a random function gives each item its share: its law, in
 * classes of functions. Disjoint sets have independent shares.
 */

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

/** Items in random buckets, classes by how many buckets are hit. */
export function hitBuckets(items: number, buckets: number): CoveringClass[] {
  if (items > MOST_ITEMS) return [{ probability: 1, covered: -Math.expm1(items * Math.log1p(-1 / buckets)) }];
  let hits = Float64Array.of(1);
  for (let item = 0; item < items; item++) {
    const next = new Float64Array(hits.length + 1);
    hits.forEach((probability, d) => {
      next[d]! += (probability * d) / buckets;
      next[d + 1]! += (probability * (buckets - d)) / buckets;
    });
    hits = next;
  }
  return fewClasses(
    Array.from(hits, (probability, d) => ({ probability, covered: (probability * d) / buckets })),
  );
}

/**
 * Arcs of one length at random places of a circle of length 1, classes by the number of arcs that overlap the next, and for one
 * overlap by its length. With R = 1 - (what some gaps between beginnings are at least), these gaps are as long with probability
 * R^(arcs - 1), and the rest is shared out evenly.
 * @param length below 1 / arcs
 */
export function coveringArcs(arcs: number, length: number): CoveringClass[] {
  if (arcs > MOST_ARCS) return [{ probability: 1, covered: -Math.expm1(arcs * Math.log1p(-length)) }];
  const rest = (gaps: number): number => 1 - gaps * length;
  const apart = classOf(rest(arcs) ** (arcs - 1), rest(arcs) ** arcs);
  if (arcs === 1) return [apart];
  const oneOverlap = Array.from({ length: OVERLAP_PARTS }, (_, i) => {
    // From the rest where the short gap is a whole part of an arc to that where it is the next.
    const more = rest(arcs - 1) - (length * i) / OVERLAP_PARTS;
    const less = rest(arcs - 1) - (length * (i + 1)) / OVERLAP_PARTS;
    return classOf(
      arcs * (more ** (arcs - 1) - less ** (arcs - 1)),
      (arcs - 1) * (more ** arcs - less ** arcs),
    );
  });
  const moreOverlaps = Array.from({ length: arcs - 2 }, (_, i) => {
    const long = i + 1;
    let [probability, free] = [0, 0];
    let ways = 1;
    for (let others = 0; others <= arcs - long; others++) {
      probability += ways * rest(long + others) ** (arcs - 1);
      free += ((ways * long) / arcs) * rest(long + others) ** arcs;
      ways *= -(arcs - long - others) / (others + 1);
    }
    const choices = binomial(arcs, long);
    return classOf(choices * probability, choices * free);
  });
  return fewClasses([...moreOverlaps, ...oneOverlap, apart]);
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
