import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { LinearHashFamily } from '@shuffle-dp/randomizers';
import { LARGEST_FAMILY, hashResponse, respondWithHashes } from '../../src/categories/hash-response.ts';

const CELLS = 2 ** 12;
const LOW = 2 ** 20;
const UNDECIDED = 0xff;

/** A stream whose blocks of words are those of a list in turn, and whose further draws are counted. */
function scripted(words: Uint32Array) {
  const stream = RandomStream.fromSeed('hash response');
  const further = { integers: [] as number[], doubles: 0 };
  let read = 0;
  Object.assign(stream, {
    fillUint32: (target: Uint32Array, start: number, end: number) => {
      for (let i = start; i < end; i++) target[i] = words[read++]!;
    },
    integerBelow: (bound: number) => {
      further.integers.push(bound);
      return bound - 1;
    },
    next: () => {
      further.doubles++;
      return 0;
    },
  });
  return { stream, further };
}

function respond(response: ReturnType<typeof hashResponse>, values: Uint32Array, words: Uint32Array) {
  const { stream, further } = scripted(words);
  const seeds = new Uint32Array(values.length);
  const buckets = new Uint16Array(values.length);
  respondWithHashes(response, values, seeds, buckets, stream);
  return { seeds, buckets, further };
}

/**
 * Families of one to eleven digits, the largest tables of halves (169 by 169) and the most buckets among
 * them.
 */
describe.each([
  [2, 2, 0.7],
  [1000, 2, 0.8],
  [1024, 3, 0.54],
  [30, 3, 0.4],
  [300, 5, 0.6],
  [150, 13, 0.9],
  [40, 61, 0.01640001],
])('%d values, %d buckets', (domain, range, own) => {
  const family = new LinearHashFamily(domain, range);
  const { size } = family;
  const response = hashResponse(domain, range, size, own);

  test('is small enough', () => {
    expect(size).toBeLessThanOrEqual(LARGEST_FAMILY);
  });

  test('cells and what is left of them add up to the law of the bucket', () => {
    const cells = (shift: number): number => response.shifts.filter((cell) => cell === shift).length;
    const left = cells(UNDECIDED);
    const { unshiftedOfRest } = response;
    expect(unshiftedOfRest).toBeGreaterThanOrEqual(0);
    expect(unshiftedOfRest).toBeLessThanOrEqual(1);
    expect((cells(0) + left * unshiftedOfRest) / CELLS).toBeCloseTo(own, 15);
    for (let shift = 1; shift < range; shift++) {
      const share = (cells(shift) + (left * (1 - unshiftedOfRest)) / (range - 1)) / CELLS;
      expect(share).toBeCloseTo((1 - own) / (range - 1), 15);
    }
  });

  test('all functions have equally many of the 20 bits, the rest is drawn again', () => {
    const words = Uint32Array.from({ length: LOW }, (_, low) => low);
    const { seeds, further } = respond(response, new Uint32Array(LOW), words);
    const counts = new Uint32Array(size);
    for (const seed of seeds) counts[seed]!++;
    const again = LOW % size;
    expect(further.integers).toEqual(Array.from({ length: again }, () => size));
    counts[size - 1]! -= again;
    expect(new Set(counts)).toEqual(new Set([Math.floor(LOW / size)]));
  });

  test('a bucket is the hash of the value under the function sent, moved by the cell', () => {
    const count = 3 * CELLS + 1;
    const source = RandomStream.fromSeed('words');
    const values = Uint32Array.from({ length: count }, () => source.integerBelow(domain));
    const words = Uint32Array.from({ length: count }, (_, i) => (i % CELLS) * LOW + source.integerBelow(LOW));
    const { seeds, buckets, further } = respond(response, values, words);
    let undecided = 0;
    let wrong = 0;
    for (let i = 0; i < count; i++) {
      let shift = response.shifts[i % CELLS]!;
      if (shift === UNDECIDED) {
        undecided++;
        // The further draw is 0, and what is drawn below a bound is the last.
        shift = response.unshiftedOfRest > 0 ? 0 : range - 1;
      }
      if (buckets[i] !== (family.hash(seeds[i]!, values[i]!) + shift) % range) wrong++;
    }
    expect(wrong).toBe(0);
    expect(further.doubles).toBe(undecided);
  });
});

test('two laws in turn do not mix their tables', () => {
  const families = [new LinearHashFamily(50, 3), new LinearHashFamily(20, 5)];
  const responses = families.map(({ domain, range, size }) => hashResponse(domain, range, size, 1));
  const source = RandomStream.fromSeed('in turn');
  for (let round = 0; round < 6; round++) {
    const family = families[round % 2]!;
    const values = Uint32Array.from({ length: 100 }, () => source.integerBelow(family.domain));
    const seeds = new Uint32Array(100);
    const buckets = new Uint16Array(100);
    respondWithHashes(responses[round % 2]!, values, seeds, buckets, source);
    expect(Array.from(buckets)).toEqual(Array.from(values, (value, i) => family.hash(seeds[i]!, value)));
  }
});
