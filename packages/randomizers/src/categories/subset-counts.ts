/**
 * How many of many random k-subsets hold each element: drawn from the joint law of all counts, at a cost that
 * does not grow with the number of subsets.
 *
 * Elements are gone through one by one. What matters of a subset is how many of its k slots are still open:
 * with r open and m elements to come, it holds the next one with probability r/m. So users with equally many
 * open slots are one number, and a binomial draw says how many of them take the element. Subsets that are
 * sure to hold one element, and are uniform otherwise, have r/(m - 1) until theirs comes; until then they
 * differ in nothing, so those whose element it is are a random sample of them, and join the others after it.
 */
import { sampleBinomial, sampleHypergeometric, type RandomStream } from '@shuffle-dp/core';

/**
 * @param size k, from 1 to domain
 * @param uniform number of uniform k-subsets
 * @param sureOf how many k-subsets are uniform among those with a given element, for each element
 */
export function sampleSubsetCounts(
  domain: number,
  size: number,
  uniform: number,
  sureOf: Float64Array | null,
  stream: RandomStream,
): Float64Array {
  const counts = new Float64Array(domain);
  const free = new OpenSlots(size);
  const bound = new OpenSlots(size);
  free.add(size, uniform);
  if (sureOf !== null) for (const subsets of sureOf) bound.add(size - 1, subsets);
  for (let element = 0; element < domain; element++) {
    const left = domain - element;
    const arrived = sureOf?.[element] ?? 0;
    const joining = arrived > 0 ? bound.takeSample(arrived, stream) : null;
    const taken = free.fill(left, stream) + bound.fill(left - 1, stream);
    counts[element] = arrived + taken;
    if (joining !== null) free.addAll(joining);
  }
  return counts;
}

/** Subsets by the number of their open slots. */
class OpenSlots {
  readonly #subsets: Float64Array;
  #total = 0;
  /** All subsets with open slots have from `#low` to `#high` of them. */
  #low = Infinity;
  #high = 0;

  constructor(most: number) {
    this.#subsets = new Float64Array(most + 1);
  }

  add(open: number, subsets: number): void {
    if (subsets === 0) return;
    this.#subsets[open] = this.#subsets[open]! + subsets;
    this.#total += subsets;
    this.#low = Math.min(this.#low, open);
    this.#high = Math.max(this.#high, open);
  }

  addAll(other: readonly (readonly [open: number, subsets: number])[]): void {
    for (const [open, subsets] of other) this.add(open, subsets);
  }

  /** Gives the next of `left` elements to a random part of the subsets, and returns how many took it. */
  fill(left: number, stream: RandomStream): number {
    const subsets = this.#subsets;
    let taken = 0;
    // Upwards, so that nobody who moves down a slot is met again.
    for (let open = Math.max(1, this.#low); open <= this.#high; open++) {
      const here = subsets[open]!;
      if (here === 0) continue;
      const takers = open >= left ? here : sampleBinomial(here, open / left, stream);
      subsets[open] = here - takers;
      subsets[open - 1] = subsets[open - 1]! + takers;
      taken += takers;
    }
    if (this.#low > 0 && this.#low < Infinity) this.#low--;
    while (this.#high > 0 && subsets[this.#high] === 0) this.#high--;
    while (this.#low < this.#high && subsets[this.#low] === 0) this.#low++;
    return taken;
  }

  /** Takes a uniform sample of the subsets out. */
  takeSample(sample: number, stream: RandomStream): (readonly [open: number, subsets: number])[] {
    const taken: (readonly [number, number])[] = [];
    let population = this.#total;
    let wanted = sample;
    for (let open = this.#high; open >= 0 && wanted > 0; open--) {
      const here = this.#subsets[open]!;
      if (here === 0) continue;
      population -= here;
      const drawn = sampleHypergeometric(here, population, wanted, stream);
      if (drawn === 0) continue;
      this.#subsets[open] = here - drawn;
      wanted -= drawn;
      taken.push([open, drawn]);
    }
    this.#total -= sample;
    return taken;
  }
}
