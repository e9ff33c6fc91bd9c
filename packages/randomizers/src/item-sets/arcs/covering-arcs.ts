/**
 * Arcs of one length that begin at random points of a circle: the law of what they overlap, in classes of
 * functions, without error. The circle has finitely many points, and what are powers and integrals on a
 * continuous one are rising factorials, x (x + 1) … (x + k - 1), and their sums. All terms are positive but
 * for one small part of a mean.
 */
import { binomialCoefficient, Real } from '@shuffle-dp/core';
import { fewClasses, usualOverlap, type CoveringClass } from '../covered-share.ts';

/** Of more arcs there are too many classes, by how many overlap. */
const MOST_ARCS = 10;
const MOST_CLASSES = 20;
/** Parts into which the functions with one overlap are cut by its length. */
const OVERLAP_PARTS = 16;

/** A circle, and what its arcs hold of it. */
export interface CirclePoints {
  readonly points: number;
  /** Points of an arc. */
  readonly arc: number;
}

/**
 * Classes by the number of arcs that overlap the next, and for one overlap by its length, the most overlaps
 * first. Functions that put two arcs at one point are with these.
 * @param arcs such that all of them are fewer points than the circle has
 */
export function coveringArcs(arcs: number, circle: CirclePoints): CoveringClass[] {
  const { points, arc } = circle;
  if (arcs > MOST_ARCS) return [{ probability: 1, overlap: usualOverlap(arcs, arc / points) }];
  const [first, ...others] = atDifferentPoints(arcs, circle, OVERLAP_PARTS);
  const tied = tiedArcs(arcs, circle);
  const most = {
    probability: first!.probability + tied.probability,
    overlap: first!.overlap + tied.overlap,
  };
  return fewClasses([most, ...others], MOST_CLASSES);
}

/** @param parts into which those with one overlap are cut by its length */
function atDifferentPoints(arcs: number, circle: CirclePoints, parts: number): CoveringClass[] {
  const longest = circle.arc - 1;
  const classes = [overlapsBetween(arcs, 0, circle, 0, 0)];
  if (arcs > 1) {
    const ends = Array.from({ length: parts + 1 }, (_, i) => Math.floor((longest * i) / parts));
    for (let i = 0; i < parts; i++) classes.push(overlapsBetween(arcs, 1, circle, ends[i]!, ends[i + 1]!));
  }
  for (let short = 2; short < arcs; short++) classes.push(overlapsBetween(arcs, short, circle, 0, longest));
  return classes.reverse();
}

/**
 * Arcs at different points of which so many begin less than an arc before the next, and overlap it by more
 * than `from` and at most `to` points each. With u the points of all overlaps, the other gaps have free + u
 * points beyond an arc each, which they share in (free + u + 1) … (free + u + power) / power! ways.
 */
function overlapsBetween(
  arcs: number,
  short: number,
  { points, arc }: CirclePoints,
  from: number,
  to: number,
): CoveringClass {
  const power = arcs - short - 1;
  const least = from * short;
  const free = points - arcs * arc + least;
  const moments = momentsOfParts(short, to - from, points, power + 1);
  let [probability, more] = [0, 0];
  for (let k = 0; k <= power; k++) {
    const ways = binomialCoefficient(power, k) * rising(free + 1, power - k, points);
    probability += ways * moments[k]!;
    more += ways * (moments[k + 1]! - (k / points) * moments[k]!);
  }
  // (arcs - 1)! / power! of the order of the arcs, and ways to choose the short gaps.
  let choices = binomialCoefficient(arcs, short);
  for (let k = power + 1; k < arcs; k++) choices *= k;
  return { probability: choices * probability, overlap: choices * (more + (least / points) * probability) };
}

/** Arcs of which two or more begin at one point, and overlap in whole. */
function tiedArcs(arcs: number, circle: CirclePoints): CoveringClass {
  const { points, arc } = circle;
  let [probability, overlap] = [0, 0];
  for (let different = 1; different < arcs; different++) {
    const share = partitions(arcs, different) * Real.power(points, different - arcs);
    for (const apart of atDifferentPoints(different, circle, 1)) {
      probability += share * apart.probability;
      const tied = ((arcs - different) * arc) / points;
      overlap += share * (apart.overlap + tied * apart.probability);
    }
  }
  return { probability, overlap };
}

/**
 * Sums over so many numbers from 1 to `most` of the rising factorials of their sum, all in units of `points`
 * each.
 */
function momentsOfParts(count: number, most: number, points: number, highest: number): Float64Array {
  let moments = new Float64Array(highest + 1);
  moments[0] = 1;
  for (let part = 0; part < count; part++) {
    moments = moments.map((_, k) => {
      let sum = 0;
      for (let r = 0; r <= k; r++)
        sum += (binomialCoefficient(k, r) * moments[k - r]! * rising(most, r + 1, points)) / (r + 1);
      return sum;
    });
  }
  return moments;
}

/** x (x + 1) … (x + count - 1), each divided by `unit`. */
function rising(x: number, count: number, unit: number): number {
  let product = 1;
  for (let i = 0; i < count; i++) product *= (x + i) / unit;
  return product;
}

/** Ways to divide so many things into so many groups: Stirling's numbers of the second kind. */
function partitions(things: number, groups: number): number {
  if (groups === things) return 1;
  if (groups === 0) return 0;
  return groups * partitions(things - 1, groups) + partitions(things - 1, groups - 1);
}
