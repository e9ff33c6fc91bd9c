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
  const { classes, apart } = boundedArcs(arcs, length);

  test('are in one class each, and overlap on average what a point is hit twice by', () => {
    const probability = classes.reduce((sum, { atLeast, atMost }) => sum + atLeast + atMost, apart);
    expect(probability).toBeCloseTo(1, 13);
    const overlap = classes.reduce(
      (sum, { least, most, atLeast, atMost }) => sum + least * atLeast + most * atMost,
      0,
    );
    expect(overlap).toBeCloseTo(arcs * length - (1 - (1 - length) ** arcs), 13);
    for (const { atLeast, atMost } of classes) expect(Math.min(atLeast, atMost)).toBeGreaterThanOrEqual(0);
  });

  test('fall into the classes as often as random ones do', () => {
    const stream = RandomStream.fromSeed(`arcs ${arcs}`);
    const hits = classes.map(() => 0);
    let separate = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const starts = range(arcs)
        .map(() => stream.next())
        .toSorted((a, b) => a - b);
      const covered = starts.reduce((sum, start, i) => {
        const next = i + 1 < arcs ? starts[i + 1]! : starts[0]! + 1;
        return sum + Math.min(length, next - start);
      }, 0);
      const overlap = arcs * length - covered;
      if (overlap < 1e-12) separate++;
      else hits[classes.findLastIndex(({ least }) => overlap >= least)]!++;
    }
    const expectHits = (count: number, probability: number): void => {
      const deviation = Math.sqrt(probability * (1 - probability) * TRIALS) + 1;
      expect(Math.abs(count - probability * TRIALS)).toBeLessThan(DEVIATIONS * deviation);
    };
    expectHits(separate, apart);
    classes.forEach(({ atLeast, atMost }, i) => expectHits(hits[i]!, atLeast + atMost));
  });
});

// Eighty digits: integrals by Gauss's rule of the density of sums of uniform parts.
test.each([
  [3, 2 ** -20, 0, 7.15253804628446233e-7, 7.15253918315283954e-7],
  [3, 2 ** -20, 5, 4.54747350886464119e-13, 2.27373675443232059e-13],
  [6, 2 ** -20, 5, 2.27372672554950727e-11, 1.13687081662095236e-11],
  [6, 2 ** -20, 6, 1.59015805779465507e-16, 1.44560455100038649e-17],
  [6, 0.125, 0, 0.00319749116897583008, 0.00489479303359985352],
  [6, 0.125, 6, 0.215911865234375, 0.034271240234375],
])('%d arcs of length %d: class %d has all digits', (arcs, length, at, least, most) => {
  const { atLeast, atMost } = boundedArcs(arcs, length).classes[at]!;
  expect(Math.abs(atLeast / least - 1)).toBeLessThan(1e-14);
  expect(Math.abs(atMost / most - 1)).toBeLessThan(1e-14);
});
