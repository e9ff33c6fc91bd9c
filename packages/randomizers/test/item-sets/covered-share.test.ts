/** What arcs cover, by classes, against random arcs and closed forms. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { boundedArcs } from '../../src/item-sets/covered-share.ts';
import { range } from '../laws/enumeration.ts';

const TRIALS = 20_000;
/** Deviations of a share; the some 30 comparisons here exceed it with probability below 1e-6. */
const DEVIATIONS = 6;

describe.each([
  { arcs: 1, length: 0.4 },
  { arcs: 2, length: 0.3 },
  { arcs: 4, length: 1 / 16 },
  { arcs: 6, length: 0.12 },
])('$arcs arcs of length $length', ({ arcs, length }) => {
  const classes = boundedArcs(arcs, length);

  test('are in one class each, and cover on average what a point is hit by', () => {
    const sum = (of: 'probability' | 'covered'): number => classes.reduce((all, entry) => all + entry[of], 0);
    expect(sum('probability')).toBeCloseTo(1, 13);
    expect(sum('covered')).toBeCloseTo(1 - (1 - length) ** arcs, 13);
    for (const { probability, covered, least, most } of classes) {
      expect(covered).toBeGreaterThanOrEqual(probability * least * (1 - 1e-12));
      expect(covered).toBeLessThanOrEqual(probability * most * (1 + 1e-12));
    }
  });

  test('fall into the classes as often as random ones do', () => {
    const stream = RandomStream.fromSeed(`arcs ${arcs}`);
    const hits = classes.map(() => 0);
    for (let trial = 0; trial < TRIALS; trial++) {
      const starts = range(arcs)
        .map(() => stream.next())
        .toSorted((a, b) => a - b);
      const covered = starts.reduce((sum, start, i) => {
        const next = i + 1 < arcs ? starts[i + 1]! : starts[0]! + 1;
        return sum + Math.min(length, next - start);
      }, 0);
      const own = classes.findLastIndex(({ least }) => covered >= least - 1e-12);
      hits[own]!++;
    }
    classes.forEach(({ probability }, i) => {
      const deviation = Math.sqrt(probability * (1 - probability) * TRIALS) + 1;
      expect(Math.abs(hits[i]! - probability * TRIALS)).toBeLessThan(DEVIATIONS * deviation);
    });
  });
});
