import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { smallestFinder } from '../../src/learning/largest-values.ts';
import { uniform } from '../../../core/test/uniform.ts';

/**
 * By sorting: the places of all but the `kept` largest sizes, the front ones of those that equal the
 * threshold.
 */
function bySorting(row: readonly number[], kept: number): number[] {
  const threshold = row.map(Math.abs).sort((a, b) => a - b)[row.length - kept]!;
  const below = [...row.keys()].filter((k) => Math.abs(row[k]!) < threshold);
  const equal = [...row.keys()].filter((k) => Math.abs(row[k]!) === threshold);
  return [...below, ...equal.slice(0, row.length - kept - below.length)];
}

const sizes = fc.oneof(
  fc.double({ noNaN: true }),
  fc.constantFrom(0, -0, 0.1, -0.1, Number.MIN_VALUE, Infinity, -Infinity),
);

describe('the places of all but the largest numbers of a row', () => {
  it('are those that sorting finds, ties and extreme sizes included', () => {
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 60 }), uniform(0, 1), (row, share) => {
        const kept = Math.max(1, Math.ceil(share * row.length));
        const found = smallestFinder(row.length)(Float64Array.from(row), kept);
        expect([...found]).toEqual(bySorting(row, kept));
      }),
    );
  });

  it('are found in one row as if there had been no other before', () => {
    const stream = RandomStream.fromSeed('rows');
    const smallest = smallestFinder(7850);
    for (const scale of [1, 1e-3, 1e6]) {
      const row = Array.from({ length: 7850 }, () => scale * (stream.next() - 0.5));
      expect([...smallest(Float64Array.from(row), 1570)]).toEqual(bySorting(row, 1570));
    }
  });
});
