/** Three caps: what they have in common, and the pair of caps that stands for all. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { capInput, capTypes } from '../../src/vectors/cap-types.ts';
import { capOverlap, capThreshold } from '../../src/vectors/spherical-cap.ts';
import { twoLevelLaw } from '../../src/laws/two-level-law.ts';
import { range, total } from '../laws/enumeration.ts';

const SIGNIFICANCE = 1e-7;

function randomDirection(dimensions: number, stream: RandomStream): number[] {
  const vector = range(dimensions).map(() => {
    // A normal variable by Box and Muller.
    return Math.sqrt(-2 * Math.log(stream.nextOpen())) * Math.cos(2 * Math.PI * stream.next());
  });
  const length = Math.sqrt(total(vector.map((x) => x * x)));
  return vector.map((x) => x / length);
}

const dot = (a: readonly number[], b: readonly number[]): number => total(a.map((x, i) => x * b[i]!));

describe('two caps', () => {
  test.each([2, 3, 4, 7, 100, 65_536])('in %d dimensions', (dimensions) => {
    for (const area of [0.5, 0.3, 0.01]) {
      const threshold = capThreshold(dimensions, area);
      // Of equal vectors one cap, of opposite ones nothing.
      expect(capOverlap(dimensions, threshold, 0) / area).toBeCloseTo(1, 8);
      expect(capOverlap(dimensions, threshold, Math.PI)).toBeLessThan(1e-12);
      // Falling and convex in the angle.
      const shares = range(31).map((i) => capOverlap(dimensions, threshold, (Math.PI * i) / 30));
      for (let i = 1; i < 30; i++) {
        expect(shares[i]!).toBeLessThanOrEqual(shares[i - 1]!);
        expect(2 * shares[i]!).toBeLessThanOrEqual(shares[i - 1]! + shares[i + 1]! + 1e-12);
      }
    }
  });

  test('on the circle they are arcs, and half spheres are wedges', () => {
    const threshold = capThreshold(2, 0.4);
    expect(capOverlap(2, threshold, 2)).toBeCloseTo(0.4 - 1 / Math.PI, 8);
    expect(capOverlap(9, 0, 2)).toBeCloseTo((1 - 2 / Math.PI) / 2, 12);
  });
});

describe.each([
  [3, 0.4],
  [5, 0.3],
  [12, 0.25],
  [4, 0.5],
])('three caps in %d dimensions, each %d of the sphere', (dimensions, area) => {
  const stream = RandomStream.fromSeed(`caps ${dimensions} ${area}`);
  const threshold = capThreshold(dimensions, area);
  const least = 3 * capOverlap(dimensions, threshold, (2 * Math.PI) / 3);

  test('have in common what is said, at least, and exactly that at 120 degrees', () => {
    const points = range(4000).map(() => randomDirection(dimensions, stream));
    const common = (centres: number[][]): number => {
      const covered = points.filter((y) => centres.some((v) => dot(v, y) >= threshold)).length;
      return 3 * area - covered / points.length;
    };
    const error = Math.sqrt(1 / 4 / points.length);
    const flat = range(3).map((i) => {
      const angle = (2 * Math.PI * i) / 3;
      return [Math.cos(angle), Math.sin(angle), ...range(dimensions - 2).map(() => 0)];
    });
    expect(zTest(common(flat), least, error)).toBeGreaterThan(SIGNIFICANCE);
    for (let trial = 0; trial < 40; trial++) {
      const centres = range(3).map(() => {
        // Near the flat triangle, and anywhere.
        const free = randomDirection(dimensions, stream);
        const near = flat[trial % 3]!;
        const mixed = free.map((x, i) => x + (trial % 2) * near[i]!);
        const length = Math.sqrt(dot(mixed, mixed));
        return mixed.map((x) => x / length);
      });
      expect(common(centres)).toBeGreaterThan(least - 6 * error);
    }
  });
});

test('any three arcs of a ring are dominated by two apart, of which the third covers as much as they have in common', () => {
  const stream = RandomStream.fromSeed('rings');
  const size = 12;
  let checked = 0;
  for (let trial = 0; trial < 400; trial++) {
    const width = 2 + stream.integerBelow(5);
    const law = twoLevelLaw(width / size, 0.2 + 3 * stream.next());
    const [v, w, x] = [0, stream.integerBelow(size), stream.integerBelow(size)];
    const growth = Math.exp(0.5 * stream.next());
    const inArc = (from: number, y: number): boolean => (y - from + size) % size < width;
    const density = (from: number, y: number): number => (inArc(from, y) ? law.high : law.low);
    const count = (holds: (y: number) => boolean): number => range(size).filter(holds).length / size;
    const [both, all] = [
      count((y) => inArc(v, y) && inArc(w, y)),
      count((y) => inArc(v, y) && inArc(w, y) && inArc(x, y)),
    ];
    const firstHalf = count((y) => inArc(v, y) && inArc(x, y)) + (growth / (1 + growth)) * (both - all);
    const secondHalf = count((y) => inArc(w, y) && inArc(x, y)) + (1 / (1 + growth)) * (both - all);
    // Where the third arc has no room outside of the others for what they have in common, it covers all of
    // itself.
    const spare = count((y) => inArc(x, y) && !inArc(v, y) && !inArc(w, y));
    if (spare < both) continue;
    checked++;
    const told = capInput(law, firstHalf, secondHalf, law.share - firstHalf - secondHalf);
    for (let i = 0; i < 20; i++) {
      // Convex and homogeneous functions of gain, input and blanket.
      const [a, b, sign] = [4 * stream.next() - 2, 2 * stream.next(), stream.next() < 0.5 ? 1 : -1];
      const f = (gain: number, own: number, base: number): number =>
        Math.max(0, sign * gain + a * own + b * base);
      const seen =
        total(range(size).map((y) => f(density(v, y) - growth * density(w, y), density(x, y), law.low))) /
        size;
      const bound = total(
        range(told.own.length).map((y) =>
          f(told.victim0[y]! - growth * told.victim1[y]!, told.own[y]!, told.blanket[y]!),
        ),
      );
      expect(bound).toBeGreaterThanOrEqual(seen - 1e-12);
    }
  }
  expect(checked).toBeGreaterThan(100);
});

describe('the types of caps', () => {
  const law = twoLevelLaw(0.25, 1);
  const least = 0.05;
  const [pair] = capTypes(law, least)!.pairs;

  test('laws have mass one with what is hidden', () => {
    for (const { victim0, victim1, own, hidden = 0, blanket } of pair!.inputs) {
      expect(total(victim0)).toBeCloseTo(1, 12);
      expect(total(victim1)).toBeCloseTo(1, 12);
      expect(total(own) + hidden).toBeCloseTo(1, 12);
      expect(total(blanket)).toBeCloseTo(law.low, 12);
    }
  });

  test('every cap covers as much of each part as one of them says', () => {
    const parts = pair!.inputs.map(({ victim0, victim1, own, blanket }) => {
      const covered = (holds: (y: number) => boolean): number =>
        total(
          range(own.length)
            .filter((y) => holds(y) && own[y]! > 2 * blanket[y]!)
            .map((y) => blanket[y]! / law.low),
        );
      return [
        covered((y) => victim0[y]! > victim1[y]!),
        covered((y) => victim0[y]! < victim1[y]!),
        covered((y) => victim0[y]! === victim1[y]!),
      ] as const;
    });
    const stream = RandomStream.fromSeed('covered');
    for (let trial = 0; trial < 2000; trial++) {
      const both = least + (law.share - least) * stream.next() ** 3;
      const first = both * stream.next();
      const [x, y, z] = [first, both - first, law.share - both];
      expect(parts.some(([a, b, c]) => a <= x + 1e-12 && b <= y + 1e-12 && c <= z + 1e-12)).toBe(true);
    }
  });

  test('there are none where three caps need not meet', () => {
    expect(capTypes(law, 0)).toBeUndefined();
    const halves = capTypes(twoLevelLaw(0.5, 1), 0.5)!.pairs[0]!.inputs;
    expect(halves.length).toBeGreaterThan(4);
    for (const { own, hidden = 0 } of halves) expect(total(own) + hidden).toBeCloseTo(1, 12);
  });
});
