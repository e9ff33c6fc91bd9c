import { expect, test } from 'vitest';
import { shuffledRenyiDivergence } from '@shuffle-dp/accounting';
import { binomialPmf } from '@shuffle-dp/core';

/** Renyi divergence of the stronger clones' pair, from its law. */
function pairRenyi(epsilon0: number, users: number, order: number): number {
  const p = Math.exp(epsilon0);
  const others = (a: number, b: number): number =>
    a < 0 || b < 0 || a + b > users - 1
      ? 0
      : binomialPmf(a + b, users - 1, 2 / (p + 1)) * binomialPmf(a, a + b, 0.5);
  let sum = 0;
  for (let a = 0; a <= users; a++) {
    for (let b = 0; a + b <= users; b++) {
      const [x, y] = [others(a - 1, b), others(a, b - 1)];
      const second = (x + p * y) / (p + 1);
      if (second > 0) sum += second * ((p * x + y) / (p + 1) / second) ** order;
    }
  }
  return Math.log(sum) / (order - 1);
}

test('the Renyi bound lies above the exact divergence of the stronger clones', () => {
  for (const epsilon0 of [0.2, 0.5, 1, 2]) {
    for (const users of [30, 120]) {
      for (const order of [2, 3, 5, 9]) {
        const exact = pairRenyi(epsilon0, users, order);
        expect(exact).toBeGreaterThan(0);
        expect(shuffledRenyiDivergence(epsilon0, users, order)).toBeGreaterThan(exact);
      }
    }
  }
});

test('order 2 is its formula', () => {
  const p = Math.exp(1);
  const clones = Math.floor(9999 / (2 * p)) + 1;
  const sum = 1 + (p - 1) ** 2 / (clones * p) + (1 + (p * p - 1) / p) ** 2 * Math.exp(-9999 / (8 * p));
  expect(shuffledRenyiDivergence(1, 10000, 2)).toBeCloseTo(Math.log(sum), 14);
});

test('refusals', () => {
  expect(() => shuffledRenyiDivergence(1, 100, 1)).toThrow('order = 1');
  expect(() => shuffledRenyiDivergence(0, 100, 2)).toThrow('epsilon0 = 0');
});
