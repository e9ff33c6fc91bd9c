/**
 * The types of inputs that accountants are told, against the laws themselves: message by message, for every
 * three values.
 */
import { describe, expect, test } from 'vitest';
import type { OtherInput, TypedInputs } from '@shuffle-dp/core';
import {
  collision,
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetExponential,
  subsetSelection,
  symmetricUnaryEncoding,
  vectorRandomizedResponse,
} from '@shuffle-dp/randomizers';
import { probabilitiesOf, range, total, type AnyOracle } from './enumeration.ts';

const ORACLES: [string, AnyOracle][] = [
  ['GRR, d = 2', generalizedRandomizedResponse({ domain: 2, epsilon0: 1 })],
  ['GRR, d = 5', generalizedRandomizedResponse({ domain: 5, epsilon0: 3 })],
  ['SUE, d = 2', symmetricUnaryEncoding({ domain: 2, epsilon0: 1 })],
  ['SUE, d = 4', symmetricUnaryEncoding({ domain: 4, epsilon0: 1.3 })],
  ['OUE, d = 4', optimizedUnaryEncoding({ domain: 4, epsilon0: 0.8 })],
  ['subset, d = 6, k = 2', subsetSelection({ domain: 6, epsilon0: 1, subsetSize: 2 })],
  ['subset, d = 5, k = 4', subsetSelection({ domain: 5, epsilon0: 1, subsetSize: 4 })],
  ['subset, d = 2', subsetSelection({ domain: 2, epsilon0: 1 })],
  ['BLH, d = 5', localHashing({ domain: 5, epsilon0: 1, hashRange: 2 })],
  ['local hash, d = 3, l = 3', localHashing({ domain: 3, epsilon0: 1, hashRange: 3 })],
  ['local hash, d = 6, l = 3', localHashing({ domain: 6, epsilon0: 1, hashRange: 3 })],
  ['local hash, d = 4, l = 5', localHashing({ domain: 4, epsilon0: 1.5, hashRange: 5 })],
  ['Hadamard, d = 2', hadamardResponse({ domain: 2, epsilon0: 1 })],
  ['Hadamard, d = 3', hadamardResponse({ domain: 3, epsilon0: 1 })],
  ['Hadamard, d = 6', hadamardResponse({ domain: 6, epsilon0: 2 })],
] as unknown as [string, AnyOracle][];

interface Cell {
  readonly victim0: number;
  readonly victim1: number;
  readonly own: number;
  /** The least of blanket over the first victim's mass. */
  readonly cover: number;
}

/** Atoms with equal ratios taken together, under names made of their ratios. */
function cellsOf(rows: readonly [number, number, number, number][]): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [p, q, own, blanket] of rows) {
    const key = [q / p, own / p].map((ratio) => ratio.toPrecision(9)).join();
    const known = cells.get(key) ?? { victim0: 0, victim1: 0, own: 0, cover: Infinity };
    cells.set(key, {
      victim0: known.victim0 + p,
      victim1: known.victim1 + q,
      own: known.own + own,
      cover: Math.min(known.cover, blanket / p),
    });
  }
  return cells;
}

function cellsOfInput({ victim0, victim1, own, blanket }: OtherInput): Map<string, Cell> {
  return cellsOf(Array.from(own, (mass, y) => [victim0[y]!, victim1[y]!, mass, blanket[y]!]));
}

function isSame(told: Map<string, Cell>, seen: Map<string, Cell>): boolean {
  if (told.size !== seen.size) return false;
  return [...seen].every(([key, cell]) => {
    const other = told.get(key);
    return (
      other !== undefined &&
      Math.abs(other.victim0 / cell.victim0 - 1) < 1e-9 &&
      Math.abs(other.own / cell.own - 1) < 1e-9
    );
  });
}

/**
 * Every input of another user, beside any two of the victim's, is of one type of one pair, and every type is
 * met.
 */
function faultsOf(laws: readonly (readonly number[])[], { pairs }: TypedInputs): object {
  let [unmatched, uncovered] = [0, 0];
  const infimum = laws[0]!.map((_, y) => Math.min(...laws.map((law) => law[y]!)));
  const told = pairs.map(({ inputs }) => inputs.map(cellsOfInput));
  const met = new Set<string>();
  for (const x0 of range(laws.length)) {
    for (const x1 of range(laws.length)) {
      if (x0 === x1) continue;
      const seen = laws.map((law) =>
        cellsOf(infimum.map((low, y) => [laws[x0]![y]!, laws[x1]![y]!, law[y]!, low])),
      );
      // One pair stands for both values, with all that the others may hold beside them.
      const pair = told.findIndex((inputs) =>
        seen.every((cells) => inputs.some((input) => isSame(input, cells))),
      );
      if (pair < 0) {
        unmatched++;
        continue;
      }
      for (const cells of seen) {
        const type = told[pair]!.findIndex((input) => isSame(input, cells));
        met.add(`${pair} ${type}`);
        // What every input is said to give is no more than the least of them.
        for (const [key, { cover }] of told[pair]![type]!) {
          if (!(cover <= cells.get(key)!.cover * (1 + 1e-12))) uncovered++;
        }
      }
    }
  }
  const unmet = told.reduce((sum, inputs) => sum + inputs.length, 0) - met.size;
  return { unmatched, uncovered, unmet };
}

const NO_FAULTS = { unmatched: 0, uncovered: 0, unmet: 0 };

/** How far masses are from one, and blankets from each other; infinite where an output is not covered. */
function largestError({ pairs }: TypedInputs): number {
  let error = 0;
  for (const { inputs } of pairs) {
    for (const { victim0, victim1, own, blanket } of inputs) {
      for (const law of [victim0, victim1, own]) error = Math.max(error, Math.abs(total(law) - 1));
      error = Math.max(error, Math.abs(total(blanket) - total(inputs[0]!.blanket)));
      if (!(Math.min(...blanket) > 0)) return Infinity;
    }
  }
  return error;
}

describe.each(ORACLES)('%s', (_, oracle) => {
  const typed = oracle.amplification().typed!;

  test('the types are all there are', () => {
    expect(faultsOf(probabilitiesOf(oracle), typed)).toEqual(NO_FAULTS);
    expect(typed.domain).toBe(oracle.domain);
  });

  test('laws have mass one, blankets cover what is shown', () => {
    expect(largestError(typed)).toBeLessThan(1e-13);
  });
});

/** All sets of `size` values below `domain`. */
function subsets(domain: number, size: number): number[][] {
  if (size === 0) return [[]];
  return range(domain).flatMap((last) => subsets(last, size - 1).map((set) => [...set, last]));
}

describe.each([
  { domain: 7, items: 2, subsetSize: 2 },
  { domain: 5, items: 3, subsetSize: 1 },
  { domain: 6, items: 2, subsetSize: 3 },
  { domain: 6, items: 1, subsetSize: 2 },
])('exponential subsets of $subsetSize of $domain, sets of $items', (parameters) => {
  const { domain, items, subsetSize } = parameters;
  const typed = subsetExponential({ ...parameters, epsilon0: 1.2 }).amplification().typed!;

  test('the types are all there are', () => {
    const sets = subsets(domain, items);
    const laws = sets.map((set) => {
      const weights = subsets(domain, subsetSize).map((message) =>
        message.some((value) => set.includes(value)) ? Math.exp(1.2) : 1,
      );
      return weights.map((weight) => weight / total(weights));
    });
    expect(faultsOf(laws, typed)).toEqual(NO_FAULTS);
  });

  test('laws have mass one, blankets cover what is shown', () => {
    expect(largestError(typed)).toBeLessThan(1e-13);
  });
});

describe.each([
  { domain: 4, items: 1, buckets: 2 },
  { domain: 4, items: 2, buckets: 3 },
  { domain: 4, items: 3, buckets: 4 },
])('$items of $domain items in $buckets random buckets', (parameters) => {
  const { domain, items, buckets } = parameters;
  const mechanism = collision({ ...parameters, epsilon0: 1.2 });
  const typed = mechanism.amplification().typed!;

  test('the types are all there are', () => {
    // Every function, in which an item may be in no bucket, and every bucket.
    const chance = mechanism.supportProbability.other;
    // Of the values of the function, those that are left over: 1 - buckets chance has seven digits of it.
    const values = 2 ** 31 - 1;
    const none = (values % buckets) / values;
    const own = Math.exp(1.2) / (items * Math.exp(1.2) + buckets - items);
    const functions = range((buckets + 1) ** domain).map((f) =>
      range(domain).map((item) => Math.floor(f / (buckets + 1) ** item) % (buckets + 1)),
    );
    const laws = subsets(domain, items).map((set) =>
      functions.flatMap((bucketOf) => {
        const weight = bucketOf.reduce((w, b) => w * (b < buckets ? chance : none), 1);
        const hit = new Set(set.map((item) => bucketOf[item]!).filter((b) => b < buckets));
        const other = (1 - hit.size * own) / (buckets - hit.size);
        return range(buckets).map((b) => weight * (hit.has(b) ? own : other));
      }),
    );
    expect(faultsOf(laws, typed)).toEqual(NO_FAULTS);
  });

  test('laws have mass one, blankets cover what is shown', () => {
    expect(largestError(typed)).toBeLessThan(1e-12);
  });
});

describe.each([1, 2, 4])('vectors of %d bits', (bits) => {
  const randomizer = vectorRandomizedResponse({ dimensions: bits, sampled: bits, epsilon0: 1.7 });
  const typed = randomizer.amplification().typed!;

  test('the types are all there are', () => {
    const rows = range(2 ** bits).map((word) => range(bits).map((i) => (word >>> i) & 1));
    const laws = rows.map((row) => rows.map((_, word) => Math.exp(randomizer.logProbability([word], row))));
    expect(faultsOf(laws, typed)).toEqual(NO_FAULTS);
    expect(typed.domain).toBe(2 ** bits);
  });

  test('laws have mass one, blankets cover what is shown', () => {
    expect(largestError(typed)).toBeLessThan(1e-13);
  });
});
