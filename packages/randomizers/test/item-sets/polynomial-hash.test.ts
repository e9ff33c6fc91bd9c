import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { FIELD, PolynomialHash } from '../../src/item-sets/polynomial-hash.ts';
import { range } from '../laws/enumeration.ts';

const P = BigInt(FIELD);

function choose(n: number, k: number): bigint {
  let [above, below] = [1n, 1n];
  for (let i = 0; i < k; i++) {
    above *= BigInt(n - i);
    below *= BigInt(i + 1);
  }
  return k > n ? 0n : above / below;
}

function powerMod(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % P];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** Whether a square matrix over the field is invertible, by elimination. */
function isInvertible(rows: bigint[][]): boolean {
  for (let column = 0; column < rows.length; column++) {
    const pivot = rows.findIndex((row, i) => i >= column && row[column] !== 0n);
    if (pivot < 0) return false;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const inverse = powerMod(rows[column]![column]!, P - 2n);
    for (let i = column + 1; i < rows.length; i++) {
      const factor = (rows[i]![column]! * inverse) % P;
      rows[i] = rows[i]!.map((entry, j) => (((entry - factor * rows[column]![j]!) % P) + P) % P);
    }
  }
  return true;
}

describe('polynomials over the field of 2^31 - 1 elements', () => {
  const stream = RandomStream.fromSeed('polynomials');

  test.each([1, 2, 3, 12, 18])('values of %d coefficients are those of the definition, both ways', (k) => {
    const domain = 600;
    const hash = new PolynomialHash(domain, k);
    const coefficients = range(k).map((j) => (j % 3 === 0 ? FIELD - 1 : stream.integerBelow(FIELD)));
    const values = new Int32Array(domain);
    hash.use(coefficients);
    const single = range(domain).map((item) => hash.valueOf(item));
    hash.writeValues(values);
    const defined = range(domain).map((item) =>
      Number(coefficients.reduce((sum, c, j) => sum + BigInt(c) * choose(item, j), 0n) % P),
    );
    expect(single).toEqual(defined);
    expect([...values]).toEqual(defined);
  });

  test('the values at any k items determine the coefficients: they are independent and uniform', () => {
    const k = 12;
    for (let trial = 0; trial < 20; trial++) {
      const items = new Set<number>();
      while (items.size < k) items.add(stream.integerBelow(trial < 10 ? k + 2 : 65_536));
      expect(isInvertible([...items].map((item) => range(k).map((j) => choose(item, j) % P)))).toBe(true);
    }
    expect(isInvertible([range(3), range(3), range(3)].map((row) => row.map(BigInt)))).toBe(false);
  });

  test('functions of messages are those that were drawn', () => {
    const hash = new PolynomialHash(9, 3);
    const columns = hash.allocate(5);
    hash.fill(columns, 5, stream);
    hash.forEach(columns, 5, (message) => {
      const seen = hash.valueOf(7);
      const [a, b, c] = [0, 1, 2].map((j) => BigInt(columns[`coefficient${j}`]![message]!));
      expect(seen).toBe(Number((a! + 7n * b! + 21n * c!) % P));
    });
    expect(hash.bits).toBeCloseTo(93, 6);
  });
});
