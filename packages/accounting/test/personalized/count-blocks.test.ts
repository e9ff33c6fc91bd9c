/**
 * The counts of hiding messages in blocks: against the sum over every count, each with its own exact
 * divergence.
 */
import { describe, expect, it } from 'vitest';
import { personalizedBlanketEpsilon } from '@shuffle-dp/accounting';
import { grrGroup } from './laws.ts';

const DOMAIN = 4;

/**
 * Randomized response of the victim among `messages` uniform ones, its own included: all counts of its two
 * values.
 */
function divergenceAmongUniform(budget: number, messages: number, epsilon: number): number {
  const factorials = [0];
  for (let i = 1; i <= messages; i++) factorials.push(factorials[i - 1]! + Math.log(i));
  const lie = 1 / (Math.exp(budget) + DOMAIN - 1);
  const [likely, unlikely] = [Math.exp(budget) * lie * DOMAIN, lie * DOMAIN];
  const grown = Math.exp(epsilon);
  let expected = 0;
  for (let a = 0; a <= messages; a++) {
    for (let b = 0; a + b <= messages; b++) {
      const rest = messages - a - b;
      const ways = factorials[messages]! - factorials[a]! - factorials[b]! - factorials[rest]!;
      const probability = Math.exp(ways + rest * Math.log(DOMAIN - 2) - messages * Math.log(DOMAIN));
      const excess =
        a * (likely - grown * unlikely) + b * (unlikely - grown * likely) + rest * unlikely * (1 - grown);
      expected += probability * Math.max(0, excess);
    }
  }
  return expected / messages;
}

/** The law of the number of successes of these coins. */
function successes(probabilities: readonly number[]): number[] {
  let law = [1];
  for (const p of probabilities) {
    law = [...law, 0].map((mass, k) => mass * (1 - p) + (k > 0 ? law[k - 1]! * p : 0));
  }
  return law;
}

describe('many counts in one block', () => {
  it.each([
    { users: [60, 30], budgets: [0.5, 3], victim: 1, delta: 1e-3 },
    { users: [60, 30], budgets: [0.5, 3], victim: 0, delta: 1e-5 },
    { users: [20, 100, 40], budgets: [1, 2, 4], victim: 2, delta: 1e-2 },
  ])('say no less than every count for itself: %j', ({ users, budgets, victim, delta }) => {
    const groups = budgets.map((budget, t) => grrGroup(budget, users[t]!, DOMAIN));
    const upper = personalizedBlanketEpsilon(groups, victim, delta);
    expect(upper).toBeLessThan(budgets[victim]!);
    const share = (budget: number): number => DOMAIN / (Math.exp(budget) + DOMAIN - 1);
    const coins = budgets.flatMap((budget, t) =>
      Array.from({ length: users[t]! - (t === victim ? 1 : 0) }, () => share(budget)),
    );
    let exact = 0;
    successes(coins).forEach((mass, k) => {
      if (mass > 1e-15) exact += mass * divergenceAmongUniform(budgets[victim]!, k + 1, upper);
    });
    expect(exact).toBeLessThanOrEqual(delta * (1 + 1e-9));
    expect(exact).toBeGreaterThan(0.7 * delta);
  });
});
