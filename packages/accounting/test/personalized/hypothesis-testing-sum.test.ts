/** The sum of Liu et al. (CIKM 2024), Theorem 2, term by term, with nothing of the bound's own code. */
import { expect, it } from 'vitest';
import { evaluatePersonalizedBound, localDeltaTerm, personalizedBounds } from '@shuffle-dp/accounting';

/** By the sum of the logarithms of its factors. */
const logFactorials = [0];
for (let n = 1; n <= 400; n++) logFactorials.push(logFactorials[n - 1]! + Math.log(n));
const binomial = (k: number, n: number, p: number): number =>
  Math.exp(
    logFactorials[n]! -
      logFactorials[k]! -
      logFactorials[n - k]! +
      k * Math.log(p) +
      (n - k) * Math.log1p(-p),
  );

/**
 * Equal budgets, Laplace noise on [0, 1]: the error of the test between the ends of the range is
 * e^(-budget/2) / 2.
 */
function sumFrom(start: number, users: number, budget: number, epsilon: number): number {
  const error = Math.exp(-budget / 2) / 2;
  const weight = 1 - 2 * error;
  const ratio = (Math.exp(epsilon) - 2 * error) / weight;
  let sum = 0;
  for (let clones = start; clones < users; clones++) {
    const above = (clones + 1) * (ratio / (1 + ratio));
    let gain = 0;
    for (let a = 0; a <= clones; a++) {
      if (a + 1 > above) gain += binomial(a, clones, 0.5);
      if (a > above) gain -= ratio * binomial(a, clones, 0.5);
    }
    sum += binomial(clones, users - 1, 2 * error) * Math.max(0, gain);
  }
  return weight * sum;
}

it.each([
  [5, 2, 1, 0.1796, 0.2805],
  [10, 1, 0.5, 0.03899, 0.03908],
])('starts at 0: %i users of budget %d at epsilon %d', (users, budget, epsilon, printed, whole) => {
  expect(sumFrom(1, users, budget, epsilon)).toBeCloseTo(printed, 4);
  expect(sumFrom(0, users, budget, epsilon)).toBeCloseTo(whole, 4);
  const bound = personalizedBounds.find(({ name }) => name === 'hps')!;
  const budgets = new Float64Array(users).fill(budget);
  const setting = { budgets, mechanism: 'laplace', localDelta: 0, clip: 1 } as const;
  const { delta } = evaluatePersonalizedBound(bound, setting, { epsilon });
  expect(delta! / sumFrom(0, users, budget, epsilon)).toBeCloseTo(1, 9);
});

it.each([
  [10, 1, 0.05],
  // The counts that matter lie further below the mean, the smaller delta is.
  [400, 0.5, 1e-12],
  [400, 0.5, 1e-40],
  [400, 0.5, 1e-80],
  [400, 3, 1e-15],
])('ends at the epsilon of a delta: %i users of budget %d at %d', (users, budget, delta) => {
  const bound = personalizedBounds.find(({ name }) => name === 'hps')!;
  const budgets = new Float64Array(users).fill(budget);
  const setting = { budgets, mechanism: 'laplace', localDelta: 0, clip: 1 } as const;
  const { epsilon } = evaluatePersonalizedBound(bound, setting, { delta });
  expect(sumFrom(0, users, budget, epsilon!) / delta).toBeCloseTo(1, 6);
});

it('is 0 where budgets are so small that the two laws are one', () => {
  const bound = personalizedBounds.find(({ name }) => name === 'hps')!;
  const setting = {
    budgets: Float64Array.of(1e-17, 1e-18),
    mechanism: 'laplace',
    localDelta: 0,
    clip: 1,
  } as const;
  expect(evaluatePersonalizedBound(bound, setting, { delta: 1e-6 }).epsilon).toBe(0);
  expect(evaluatePersonalizedBound(bound, setting, { epsilon: 0 }).delta).toBe(0);
});

it('the clones count a local delta: 2.2e-6 for 10,000 users at 1e-10 and a largest budget of 2', () => {
  const local = { epsilon0: 2, localDelta: 1e-10, users: 10_000 };
  expect(localDeltaTerm(0.08, local)).toBeCloseTo((1.0832871 + 1) * (1 + 0.1353353 / 2) * 1e-6, 12);
  expect(localDeltaTerm(0.1, local)).toBeCloseTo(2.2476e-6, 9);
});
