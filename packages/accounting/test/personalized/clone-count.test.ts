import { describe, expect, it } from 'vitest';
import { cloneCountLaw } from '@shuffle-dp/accounting';
import { binomialPmf, logBinomialPmf } from '@shuffle-dp/core';

describe('the law of a sum of unequal coins', () => {
  it('is right by listing all outcomes of ten coins', () => {
    const coins = [0.1, 0.9, 0.5, 0.33, 0.02, 0.77, 0.5, 0.61, 0.999, 0.25];
    const expected = new Float64Array(coins.length + 1);
    for (let outcome = 0; outcome < 1 << coins.length; outcome++) {
      let probability = 1;
      let heads = 0;
      coins.forEach((p, i) => {
        const isHead = ((outcome >> i) & 1) === 1;
        probability *= isHead ? p : 1 - p;
        heads += isHead ? 1 : 0;
      });
      expected[heads]! += probability;
    }
    const { first, masses } = cloneCountLaw(coins.map((probability) => ({ coins: 1, probability })));
    expect(first).toBe(0);
    masses.forEach((mass, k) => expect(mass).toBeCloseTo(expected[k]!, 14));
    expect(masses).toHaveLength(11);
  });

  it('is the same coin by coin and in groups, tails included, and counts what it leaves out', () => {
    const single = cloneCountLaw(
      Array.from({ length: 3000 }, (_, i) => ({ coins: 1, probability: i % 3 === 0 ? 0.2 : 0.05 })),
    );
    const grouped = cloneCountLaw([
      { coins: 1000, probability: 0.2 },
      { coins: 2000, probability: 0.05 },
    ]);
    const total = single.masses.reduce((sum, mass) => sum + mass, 0);
    expect(total).toBeCloseTo(1, 13);
    expect(single.omitted).toBeLessThan(1e-75);
    // Further out the masses fall below 1e-60, where what is left out begins to count.
    for (let count = 90; count < 580; count++) {
      const a = single.masses[count - single.first]!;
      const b = grouped.masses[count - grouped.first]!;
      expect(Math.abs(a / b - 1), `count ${count}`).toBeLessThan(1e-10);
    }
  });

  it('keeps relative accuracy far below what a Fourier transform keeps', () => {
    const { first, masses } = cloneCountLaw(
      Array.from({ length: 2000 }, () => ({ coins: 1, probability: 0.3 })),
    );
    for (const count of [300, 400, 600, 800, 950]) {
      const ratio = masses[count - first]! / Math.exp(logBinomialPmf(count, 2000, 0.3));
      expect(Math.abs(ratio - 1)).toBeLessThan(1e-10);
    }
    expect(binomialPmf(300, 2000, 0.3)).toBeLessThan(1e-50);
  });

  it('takes certain and impossible coins, and refuses what is no probability', () => {
    const law = cloneCountLaw([
      { coins: 5, probability: 1 },
      { coins: 7, probability: 0 },
      { coins: 1, probability: 0.5 },
    ]);
    expect([law.first, ...law.masses]).toEqual([5, 0.5, 0.5]);
    expect(() => cloneCountLaw([{ coins: 1, probability: 1.2 }])).toThrow(
      'probability = 1.2: must be in [0, 1]',
    );
  });
});
