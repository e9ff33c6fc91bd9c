/** What blankets leave of 1, which is handed on as a number of its own. */
import { describe, expect, it } from 'vitest';
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { RANDOMIZERS, vectorRandomizedResponse } from '@shuffle-dp/randomizers';

interface ByBudget {
  readonly name: string;
  blanketsAt(epsilon0: number): readonly LikelihoodAtoms[];
}

/** Blankets of outputs that are points; those of continuous outputs are integrals over cells. */
const CASES: readonly ByBudget[] = [
  ...RANDOMIZERS.filter(({ example }) => 'epsilon0' in example).map(({ name, model, example }): ByBudget => ({
    name,
    blanketsAt: (epsilon0) => model({ ...example, epsilon0 }).amplification.blanket,
  })),
  ...[1, 8, 32].map((sampled): ByBudget => ({
    name: `vector-rr, ${sampled} of 40 bits`,
    blanketsAt: (epsilon0) =>
      vectorRandomizedResponse({ dimensions: 40, sampled, epsilon0 }).amplification().blanket,
  })),
].filter(({ blanketsAt }) => {
  const blankets = blanketsAt(1);
  return blankets.length > 0 && blankets.every(({ cellEnds }) => !cellEnds);
});

describe.each(CASES)('$name', ({ blanketsAt }) => {
  it.each([1e-9, 1e-4, 0.1, 1, 3, 10, 30, 100])('leaves of 1 what it says, at a budget of %d', (epsilon0) => {
    for (const { others, silent } of blanketsAt(epsilon0)) {
      const left = others.reduce((rest, mass) => rest - mass, 1);
      // Powers of a rounded probability err together.
      expect(Math.abs(silent! - left)).toBeLessThan((2 * others.length + 8) * 2 ** -53);
    }
  });

  it('keeps the digits of a silence that is as small as the budget', () => {
    const [small, tiny] = [blanketsAt(1e-4), blanketsAt(1e-13)];
    tiny.forEach(({ silent }, i) => {
      // Of first order in the budget.
      expect(silent! / 1e-13 / (small[i]!.silent! / 1e-4)).toBeCloseTo(1, 3);
    });
  });
});

it('is asked of all randomizers whose outputs are points', () => {
  expect(CASES.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['grr', 'binary-rr', 'oue', 'subset', 'local-hash', 'hadamard', 'sampled-rappor']),
  );
  expect(CASES.length).toBeGreaterThan(14);
});
