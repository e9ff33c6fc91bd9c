/** Classes of functions by the share that a set covers, against random places. */
import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { coveringArcs, hitBuckets, usualOverlap } from '../../src/item-sets/covered-share.ts';
import { range, total } from '../laws/enumeration.ts';

/** Correct code fails one of the statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;
/** Into which the functions with one overlap are cut. */
const OVERLAP_PARTS = 16;

test.each([
  [4, 1 / 16],
  [3, 0.3],
  [2, 0.2],
  [1, 0.3],
  [5, 0.08],
])('classes of %d arcs of length %d: their sums, and what random places show', (arcs, length) => {
  const classes = coveringArcs(arcs, length).map(({ probability, overlap }) => ({
    probability,
    covered: probability * arcs * length - overlap,
  }));
  const sum = (of: (entry: (typeof classes)[number]) => number): number => total(classes.map(of));
  expect(sum(({ probability }) => probability)).toBeCloseTo(1, 12);
  // A point is missed by every arc with probability 1 - length, each on its own.
  expect(sum(({ covered }) => covered)).toBeCloseTo(1 - (1 - length) ** arcs, 12);
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
  const classes = coveringArcs(arcs, length);
  const mean = total(classes.map(({ overlap }) => overlap));
  expect(Math.abs(mean / usualOverlap(arcs, length) - 1)).toBeLessThan(1e-13);
  // Two arcs of all the pairs, where more hardly ever meet.
  if (length < 1e-5) {
    const pairs = (arcs * (arcs - 1) * length * length) / 2;
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
