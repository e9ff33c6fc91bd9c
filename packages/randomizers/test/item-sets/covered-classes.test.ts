/** Classes of functions by the share that a set covers, against random places. */
import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { coveringArcs } from '../../src/item-sets/arcs/covering-arcs.ts';
import { hitBuckets, usualOverlap } from '../../src/item-sets/covered-share.ts';
import { range, total } from '../laws/enumeration.ts';

/** Correct code fails one of the statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;
/** Into which the functions with one overlap are cut. */
const OVERLAP_PARTS = 16;
/** Of the wheel's circle. */
const POINTS = 2 ** 31 - 1;

test.each([
  [4, 1 / 16],
  [3, 0.3],
  [2, 0.2],
  [1, 0.3],
  [5, 0.08],
])('classes of %d arcs of length %d: their sums, and what random places show', (arcs, length) => {
  const arc = Math.round(length * POINTS);
  const classes = coveringArcs(arcs, { points: POINTS, arc }).map(({ probability, overlap }) => ({
    probability,
    covered: probability * arcs * length - overlap,
  }));
  const sum = (of: (entry: (typeof classes)[number]) => number): number => total(classes.map(of));
  expect(sum(({ probability }) => probability)).toBeCloseTo(1, 12);
  // A point is missed by every arc with probability 1 - length, each on its own.
  const missed = (1 - arc / POINTS) ** arcs;
  expect(sum(({ covered }) => covered)).toBeCloseTo(1 - missed + arcs * (length - arc / POINTS), 12);
  // Classes are ordered by the share covered and do not overlap in it, unless two arcs or more overlap.
  const trials = 40_000;
  const stream = RandomStream.fromSeed(`arcs ${arcs} ${length}`);
  const shares = range(trials).map(() => {
    const starts = range(arcs)
      .map(() => stream.next())
      .toSorted((a, b) => a - b);
    const gaps = starts.map((start, i) => (starts[i + 1] ?? starts[0]! + 1) - start);
    return {
      overlaps: gaps.filter((gap) => gap < length).length,
      covered: total(gaps.map((gap) => Math.min(gap, length))),
    };
  });
  const compare = (
    entry: { probability: number; covered: number },
    seen: readonly { covered: number }[],
  ): void => {
    const { probability } = entry;
    const error = Math.sqrt((probability * (1 - probability)) / trials) + 1e-12;
    expect(zTest(seen.length / trials, probability, error)).toBeGreaterThan(SIGNIFICANCE);
    const mean = entry.covered / probability;
    const spread = Math.sqrt(
      total(seen.map(({ covered }) => (covered - mean) ** 2)) / seen.length / seen.length,
    );
    if (seen.length > 100)
      expect(
        zTest(total(seen.map(({ covered }) => covered)) / seen.length, mean, spread + 1e-9),
      ).toBeGreaterThan(SIGNIFICANCE);
  };
  compare(
    classes.at(-1)!,
    shares.filter(({ overlaps }) => overlaps === 0),
  );
  if (arcs === 1) return;
  const parts = Math.min(OVERLAP_PARTS, classes.length - 1);
  for (let part = 0; part < parts; part++) {
    // The covered share where one arc lies on the next: that of the others, and the short gap.
    const within = ({ overlaps, covered }: { overlaps: number; covered: number }): boolean =>
      overlaps === 1 && Math.floor((OVERLAP_PARTS * (covered - (arcs - 1) * length)) / length) === part;
    compare(classes.at(part - 1 - OVERLAP_PARTS)!, shares.filter(within));
  }
});

test.each([
  [1, 5, 3],
  [2, 9, 1],
  [2, 40, 18],
  [3, 40, 13],
  [4, 13, 3],
  [5, 11, 2],
])('%d arcs on a circle of %d points, each %d: every class is counted', (arcs, points, arc) => {
  /** By class: how many of all ways to place the arcs, and the points that overlap in them. */
  const ways = new Map<string, [ways: number, overlap: number]>();
  for (let code = 0; code < points ** arcs; code++) {
    const starts = range(arcs)
      .map((i) => Math.floor(code / points ** i) % points)
      .toSorted((a, b) => a - b);
    const overlaps = starts.map((start, i) =>
      Math.max(0, arc - ((starts[i + 1] ?? starts[0]! + points) - start)),
    );
    const short = overlaps.filter((overlap) => overlap > 0).length;
    const part = range(OVERLAP_PARTS).findIndex(
      (i) => Math.max(...overlaps) <= Math.floor(((arc - 1) * (i + 1)) / OVERLAP_PARTS),
    );
    // Many overlaps come first, then the longer ones of one; ties are with the first.
    const tied = new Set(starts).size < arcs;
    const longest = tied ? OVERLAP_PARTS - 1 : part;
    const many = tied ? arcs - 1 : short;
    const name = many === 1 ? `1${String.fromCodePoint(65 + longest)}` : String(many);
    const [seen, sum] = ways.get(name) ?? [0, 0];
    ways.set(name, [seen + 1, sum + total(overlaps)]);
  }
  const classes = coveringArcs(arcs, { points, arc });
  const counted = [...ways].toSorted(([a], [b]) => (a < b ? 1 : -1)).map(([, entry]) => entry);
  expect(classes.length).toBe(counted.length);
  for (const [i, [seen, sum]] of counted.entries()) {
    expect(classes[i]!.probability).toBeCloseTo(seen / points ** arcs, 14);
    expect(classes[i]!.overlap).toBeCloseTo(sum / points / points ** arcs, 14);
  }
});

test.each([
  [4, 20],
  [300, 20],
  [40, 50],
])('classes of %d items in %d buckets have the mean share', (items, buckets) => {
  const classes = hitBuckets(items, buckets, 1 / buckets, 0);
  expect(total(classes.map(({ probability }) => probability))).toBeCloseTo(1, 12);
  const overlap = items / buckets - 1 + (1 - 1 / buckets) ** items;
  expect(total(classes.map((entry) => entry.overlap))).toBeCloseTo(overlap, 12);
});

test.each([
  [10, 2 ** -20],
  [6, 1e-6],
  [7, 0.13],
  [2, 0.4999],
])('overlaps of %d arcs of length %d have all their digits', (arcs, length) => {
  const arc = Math.floor(length * POINTS);
  const share = arc / POINTS;
  const classes = coveringArcs(arcs, { points: POINTS, arc });
  const mean = total(classes.map(({ overlap }) => overlap));
  expect(Math.abs(mean / usualOverlap(arcs, share) - 1)).toBeLessThan(1e-13);
  // Two arcs of all the pairs, where more hardly ever meet.
  if (length < 1e-5) {
    const pairs = (arcs * (arcs - 1) * share * share) / 2;
    expect(Math.abs(mean / pairs - 1)).toBeLessThan(arcs * length);
  }
});

test('overlaps of buckets count items that have none', () => {
  // Of nine values in four buckets of two one is left over.
  const [items, buckets, chance, none] = [3, 4, 2 / 9, 1 / 9];
  const covered = 1 - (1 - chance) ** items;
  const overlap = total(hitBuckets(items, buckets, chance, none).map((entry) => entry.overlap));
  expect(overlap).toBeCloseTo(items / buckets - covered, 14);
});
