/** Overlaps of arcs in cells, against all places of all arcs written out and a closed form. */
import { describe, expect, test } from 'vitest';
import { integrateSmooth } from '@shuffle-dp/core';
import { sharedOverlaps } from '../../../src/item-sets/arcs/shared-arcs.ts';
import { range, total } from '../../laws/enumeration.ts';

describe.each([
  { items: 2, length: 0.3, parts: 3 },
  { items: 3, length: 0.2, parts: 1 },
  { items: 3, length: 0.26, parts: 2 },
  { items: 4, length: 0.3, parts: 1 },
])('$items arcs of length $length in $parts cells', ({ items, length, parts }) => {
  const excess = Float64Array.from(range((items - 1) * parts + 1), (cells) => cells / (2 + cells));
  const { chance, means } = sharedOverlaps({ items, length, parts }, items - 1, excess);

  test('the law of one set, and means of another with shared items, by all places', () => {
    const line = (1 / length - 1) * parts;
    const rest = line % 1;
    for (let shared = 1; shared <= items; shared++) {
      const tables = new Map<number, Float64Array>();
      const tableAt = (begin: number): Float64Array => {
        const sums = tables.get(begin) ?? excess.map(() => 0);
        if (tables.has(begin)) return sums;
        tables.set(begin, sums);
        everyPlace(2 * items - shared, widths(line, begin), (places, mass) => {
          const other = shared < items ? excess[overlapOf(places.slice(items - shared))]! : 1;
          sums[overlapOf(places.slice(0, items))]! += mass * other;
        });
        return sums;
      };
      for (const overlap of excess.keys()) {
        const at = (begin: number): number => tableAt(begin)[overlap]!;
        const expected = integrateSmooth(at, 0, rest, 4) + integrateSmooth(at, rest, 1, 4);
        expect((shared < items ? means[shared]! : chance)[overlap]).toBeCloseTo(expected, 11);
      }
    }
  });

  test('rounding keeps the mean', () => {
    // The gaps of s uniform places on a line of length l are longer than t with probability (1 - t / l)^s.
    const line = 1 - length;
    const mean = length - (line / (items + 1)) * (1 - (1 - length / line) ** (items + 1));
    const rounded = chance.reduce((sum, mass, cells) => sum + (mass * cells * length) / parts, 0);
    expect(total(chance)).toBeCloseTo(1, 12);
    expect(rounded).toBeCloseTo((items - 1) * mean, 12);
  });

  function overlapOf(places: readonly number[]): number {
    const sorted = places.toSorted((a, b) => a - b);
    return total(sorted.slice(1).map((place, i) => Math.max(0, parts - (place - sorted[i]!))));
  }
});

/** Of the cells of a line, the first of which is as wide as told. */
function widths(line: number, begin: number): number[] {
  const all: number[] = [begin];
  let at = begin;
  while (at + 1 < line) {
    all.push(1);
    at += 1;
  }
  return [...all, line - at].map((width) => width / line);
}

function everyPlace(
  count: number,
  masses: readonly number[],
  visit: (places: readonly number[], mass: number) => void,
): void {
  const places: number[] = [];
  const add = (mass: number): void => {
    if (places.length === count) visit(places, mass);
    else {
      masses.forEach((one, cell) => {
        places.push(cell);
        add(mass * one);
        places.pop();
      });
    }
  };
  add(1);
}
