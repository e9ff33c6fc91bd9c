import { expect, test } from 'vitest';
import { evaluatePublishedBounds, shuffledRenyiDivergence } from '@shuffle-dp/accounting';
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

// The formula of Girgis et al. with 50 digits (mpmath), where its last term, for few clones, is most of the
// bound; the last rows are those where it is the rest that matters.
test.each([
  [0.5, 10, 2, 1.1609604756392061],
  [0.5, 25, 7, 0.55637170029052257],
  [0.5, 60, 3, 0.071471745597014725],
  [1, 10, 3, 1.7298489741787263],
  [1, 25, 2, 1.5974069115928886],
  [1, 60, 20, 1.1299286392668992],
  [2, 25, 20, 2.2874422286739964],
  [2, 60, 2, 3.3138296536676353],
  [2, 60, 7, 2.3068310138670788],
  [1, 10_000, 2, 0.00059013087635936855],
  [1, 10_000, 30, 0.027908861867468333],
  [0.2, 3000, 8, 0.00014224298735545417],
])("epsilon0 = %d, n = %d, order %d: the paper's formula", (epsilon0, users, order, value) => {
  expect(shuffledRenyiDivergence(epsilon0, users, order) / value).toBeCloseTo(1, 12);
});

test.each([
  [1e-300, 1000, 1e-6],
  [0.01, 3, 1e-6],
  [0.5, 2, 1e-300],
  [1, 1000, 1e-6],
  [1, 1e6, 1e-9],
  [4, 10_000, 0.05],
])('epsilon0 = %d, n = %d, delta = %d: the least over all orders', (epsilon0, users, delta) => {
  const setting = { epsilon0, users, amplification: { variationRatio: null, blanket: [], homogeneous: [] } };
  const renyi = evaluatePublishedBounds(setting, { delta }).find(({ name }) => name === 'renyi')!;
  // All small orders, and ever wider steps up to 4096.
  let least = epsilon0;
  for (let order = 2; order <= 4096; order = Math.max(order + 1, Math.floor(order * 1.08)))
    least = Math.min(least, shuffledRenyiDivergence(epsilon0, users, order) - Math.log(delta) / (order - 1));
  expect(renyi.epsilon! / least).toBeCloseTo(1, 14);
});

test('refusals', () => {
  expect(() => shuffledRenyiDivergence(1, 100, 1)).toThrow('order = 1');
  expect(() => shuffledRenyiDivergence(0, 100, 2)).toThrow('epsilon0 = 0');
});
