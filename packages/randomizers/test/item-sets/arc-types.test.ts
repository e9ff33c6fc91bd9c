/** Types of arcs against random functions: wider in convex order, and no more than they have to be. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { wheel } from '@shuffle-dp/randomizers';
import { twoLevelLaw } from '../../src/laws/two-level-law.ts';
import { range, total } from '../laws/enumeration.ts';
import { densityAt, leastAllowance, setsOf } from './arc-densities.ts';

/**
 * Deviations of a mean over random functions; the some 3,000 comparisons here exceed it with probability
 * below 1e-5.
 */
const DEVIATIONS = 6.5;
const FUNCTIONS = 2000;
const EPSILON = 0.1;

describe.each([
  { items: 3, length: 0.2, epsilon0: 1, near: 10 },
  { items: 4, length: 1 / 16, epsilon0: 2, near: 0.1 },
  { items: 4, length: 1 / 16, epsilon0: 4, near: 0.2 },
  { items: 4, length: 1 / 16, epsilon0: 4, near: 0.001 },
  { items: 2, length: 0.3, epsilon0: 4, near: 1 },
])('$items arcs of length $length, budget $epsilon0, epsilon $near', ({ items, length, epsilon0, near }) => {
  const pairs = wheel({ domain: 60, items, epsilon0, length }).amplification().typed!.pairsNear!(near);
  const share = items * length;
  const high = Math.exp(epsilon0) / (share * Math.exp(epsilon0) + 1 - share);
  const low = high * Math.exp(-epsilon0);

  test('laws have mass one with what is hidden', () => {
    for (const { inputs } of pairs) {
      for (const { victim0, victim1, own, hidden = 0, blanket } of inputs) {
        // From above and from below, by what rounding may cost.
        expect(total(victim0)).toBeGreaterThan(1 - 1e-11);
        expect(total(victim0)).toBeLessThan(1 + 0.03 * near + 1e-11);
        expect(total(victim1)).toBeLessThan(1 + 1e-11);
        expect(total(victim1)).toBeGreaterThan(1 - 0.03 * near - 1e-11);
        expect(total(own) + hidden).toBeCloseTo(1, 11);
        expect(total(blanket)).toBeCloseTo(low, 8);
      }
    }
  });

  test('gains and ratios are wider than those of random functions', () => {
    const stream = RandomStream.fromSeed(`arcs ${items} ${length}`);
    const growth = Math.exp(EPSILON);
    // Convex functions of the densities of gain and input, growing in the gain, falling in the input's, of
    // which a part may be hidden.
    const tests: ((gain: number, own: number) => number)[] = [-0.5, 0, 0.5, 2].flatMap((a) => [
      (gain: number, own: number) => Math.max(0, gain + a * low - 0.1 * own),
      (gain: number, own: number) => Math.max(0, gain + a * low) ** 2 / own,
      (gain: number, own: number) => own * Math.exp((gain + a * low) / own / (10 * Math.exp(epsilon0))),
    ]);
    for (const [shared, { inputs }] of pairs.entries()) {
      for (const { label, victim0, victim1, own, blanket } of inputs) {
        const sets = setsOf(label, items, shared);
        const sums = tests.map(() => 0);
        const squares = tests.map(() => 0);
        for (let trial = 0; trial < FUNCTIONS; trial++) {
          const starts = range(5 * items).map(() => stream.next());
          const [p, q, r] = sets.map((set) =>
            densityAt(
              set.map((item) => starts[item]!),
              { high, points: 1, arc: length },
            ),
          );
          tests.forEach((f, i) => {
            const value = f(p! - growth * q!, r!);
            sums[i]! += value;
            squares[i]! += value * value;
          });
        }
        tests.forEach((f, i) => {
          const told = range(own.length).reduce((sum, y) => {
            const base = blanket[y]! / low;
            return sum + base * f((victim0[y]! - growth * victim1[y]!) / base, own[y]! / base);
          }, 0);
          const mean = sums[i]! / FUNCTIONS;
          const deviation = Math.sqrt(Math.max(0, squares[i]! / FUNCTIONS - mean * mean) / FUNCTIONS);
          expect(told).toBeGreaterThan(mean - DEVIATIONS * deviation - 1e-9);
        });
      }
    }
  });
});

/**
 * What two sets share decides how their covered shares go together. Where an output is in no arc of either,
 * the mean product of by how much the densities are above the lowest one is, against the table's entry for so
 * many shared items, that of random functions.
 */
test.each([
  [1, 2],
  [2, 1],
])('a set that shares %d and %d items goes together with each as random functions do', (first, second) => {
  const [items, length, epsilon0] = [4, 1 / 16, 4];
  const high = Math.exp(epsilon0) / (items * length * Math.exp(epsilon0) + 1 - items * length);
  const low = high * Math.exp(-epsilon0);
  const trials = 100_000;
  const pairs = wheel({ domain: 60, items, epsilon0, length }).amplification().typed!.pairsNear!(0.2);
  const input = pairs[0]!.inputs.find(
    ({ label }) => label.match(/\d+/g)!.map(Number).join() === [0, first, second].join(),
  )!;
  const { own, victim0, victim1, blanket } = input;
  const { revealed: moved = 0 } = pairs[0]!;
  // Without what points may move.
  const victims = [victim0.map((mass) => mass / (1 + moved)), victim1.map((mass) => mass / (1 - moved))];
  const told = victims.map((victim) =>
    range(own.length).reduce((sum, y) => {
      const base = blanket[y]! / low;
      const [ofOwn, ofVictim] = [own[y]! / base, victim[y]! / base];
      // The victim's levels are between low and high; only an output of its own has `high`.
      const missed = ofOwn < high * (1 - 1e-9) && Math.abs(ofVictim - high) > 1e-9 * high;
      return missed ? sum + base * (ofOwn - low) * (ofVictim - low) : sum;
    }, 0),
  );
  const stream = RandomStream.fromSeed(`entries ${first} ${second}`);
  [first, second].forEach((shared, victim) => {
    let [sum, square] = [0, 0];
    for (let trial = 0; trial < trials; trial++) {
      const starts = range(2 * items - shared).map(() => stream.next());
      if (starts.some((start) => start > 1 - length)) continue;
      const [x, v] = [starts.slice(0, items), starts.slice(items - shared)].map(
        (set) => densityAt(set, { high, points: 1, arc: length }) - low,
      );
      sum += x! * v!;
      square += (x! * v!) ** 2;
    }
    const mean = sum / trials;
    const error = Math.sqrt((square / trials - mean * mean) / trials);
    // Rounding to cells takes a little from one and gives it to the other.
    expect(Math.abs(told[victim]! - mean)).toBeLessThan(DEVIATIONS * error + 0.01 * mean);
  });
});

test.each([
  [2, 11, 3],
  [3, 40, 9],
  [4, 100, 20],
  [5, 300, 40],
  [6, 1000, 100],
])('densities of %d arcs on a circle of %d points, each %d, are near the continuous ones', (...given) => {
  const [items, points, arc] = given;
  const separate = twoLevelLaw((items * arc) / points, 2);
  const { low, high, rise } = separate;
  const circle = { high, points, arc };
  const stream = RandomStream.fromSeed(`points ${points}`);
  const allowed = ((rise / low) * Math.floor(items / 2)) / (points - items * arc);
  let most = 0;
  for (let trial = 0; trial < 20_000; trial++) {
    // In no arc: outside they begin anywhere, in points or between them.
    const starts = range(items).map(() => stream.next() * (points - arc));
    const moved = densityAt(starts, circle) - densityAt(starts.map(Math.floor), circle);
    most = Math.max(most, Math.abs(moved) / low);
  }
  expect(most).toBeLessThan(allowed);
  // Nothing less will do, but for what is rare.
  expect(most).toBeGreaterThan(0.2 * allowed);
});

// The long test has more points.
test.each([
  [11, 3],
  [10, 2],
])('types allow for what densities on a circle of %d points, arcs of %d, are', (points, arc) => {
  expect(leastAllowance(points, arc)).toBeGreaterThan(-1e-12);
});
