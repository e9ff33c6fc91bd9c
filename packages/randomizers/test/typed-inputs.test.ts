/** The types of inputs that accountants are told, against the laws themselves: message by message, for every three values. */
import { describe, expect, test } from 'vitest';
import type { OtherInput } from '@shuffle-dp/core';
import {
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import { probabilitiesOf, range, total, type AnyOracle } from './laws/enumeration.ts';

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

describe.each(ORACLES)('%s', (_, oracle) => {
  const laws = probabilitiesOf(oracle);
  const infimum = laws[0]!.map((__, y) => Math.min(...laws.map((law) => law[y]!)));
  const { pairs, domain } = oracle.amplification().typed!;
  const told = pairs[0]!.inputs.map(cellsOfInput);

  test('every value of another user, beside any two of the victim, is of one type, and every type is met', () => {
    const met = new Set<number>();
    for (const x0 of range(oracle.domain)) {
      for (const x1 of range(oracle.domain)) {
        if (x0 === x1) continue;
        for (const x of range(oracle.domain)) {
          const rows = infimum.map((low, y): [number, number, number, number] => [
            laws[x0]![y]!,
            laws[x1]![y]!,
            laws[x]![y]!,
            low,
          ]);
          const seen = cellsOf(rows);
          const type = told.findIndex((cells) => isSame(cells, seen));
          expect(type).toBeGreaterThanOrEqual(0);
          met.add(type);
          // What every input is said to give is no more than the least of them.
          for (const [key, { cover }] of told[type]!) {
            expect(cover).toBeLessThanOrEqual(seen.get(key)!.cover * (1 + 1e-12));
          }
        }
      }
    }
    expect(met.size).toBe(told.length);
    expect(domain).toBe(oracle.domain);
  });

  test('laws have mass one, blankets cover what is shown', () => {
    for (const { victim0, victim1, own, blanket } of pairs[0]!.inputs) {
      for (const law of [victim0, victim1, own]) expect(total(law)).toBeCloseTo(1, 12);
      expect(Math.min(...blanket)).toBeGreaterThan(0);
      expect(total(blanket)).toBeCloseTo(total(pairs[0]!.inputs[0]!.blanket), 13);
    }
  });
});
