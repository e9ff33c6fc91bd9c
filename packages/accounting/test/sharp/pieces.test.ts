import { describe, expect, it } from 'vitest';
import { binomialPmf } from '@shuffle-dp/core';
import { LatticePower } from '../../src/lattice/lattice-power.ts';
import { binomialBlocks } from '../../src/sharp/blocks.ts';
import { MinimumMoments } from '../../src/sharp/gains/minimum-moments.ts';

describe('moments of the smaller of two sums', () => {
  const [up, down, chance] = [1.5, -0.9, 0.35];
  const law = {
    values: Float64Array.of(down, up),
    probabilities: Float64Array.of(1 - chance, chance),
    magnitudes: Float64Array.of(-down, up),
  };

  it.each([
    [20, 0.05, 2],
    [20, 0.3, 0.5],
    [200, 0.1, 0.02],
    [200, 0.14, 0.3],
  ])(
    '%d copies at %d bound the positive part of their sum, and near the best tilt not by much',
    (count, t, most) => {
      let positive = 0;
      for (let i = 0; i <= count; i++) {
        const sum = i * (up - down) + count * down;
        positive += binomialPmf(i, count, chance) * Math.max(0, sum);
      }
      const log = new MinimumMoments(law, count, t).logAt(t) - Math.log(2 * t);
      expect(log).toBeGreaterThan(Math.log(positive));
      expect(log).toBeLessThan(Math.log(positive) + most);
    },
  );

  it('is that of the smaller sum, but for a little noise', () => {
    const [count, t] = [200, 0.1];
    const half = count / 2;
    let exact = 0;
    for (let i = 0; i <= half; i++) {
      for (let j = 0; j <= half; j++) {
        const smaller = Math.min(i, j) * (up - down) + half * down;
        exact += binomialPmf(i, half, chance) * binomialPmf(j, half, chance) * Math.exp(2 * t * smaller);
      }
    }
    // Noise makes sums larger in convex order, which the smaller of two does not follow.
    expect(Math.abs(new MinimumMoments(law, count, t).logAt(t) - Math.log(exact))).toBeLessThan(3e-3);
  });

  it('is one without a tilt', () => {
    expect(new MinimumMoments(law, 100, 0.1).logAt(0)).toBeCloseTo(0, 15);
  });
});

describe('sums on a lattice', () => {
  it('are binomial for a coin', () => {
    const power = new LatticePower(Int32Array.of(2, 5), Float64Array.of(0.7, 0.3));
    const { first, masses, error } = power.sum(30, 60, 150);
    expect(first).toBe(60);
    expect(error).toBeLessThan(1e-12);
    masses.forEach((mass, i) => {
      const exact = i % 3 === 0 ? binomialPmf(i / 3, 30, 0.3) : 0;
      expect(Math.abs(mass - exact)).toBeLessThan(error);
    });
  });

  it('are never less in a window that is too narrow: what leaves it comes back', () => {
    const power = new LatticePower(Int32Array.of(2, 5), Float64Array.of(0.7, 0.3));
    const { masses, error } = power.sum(30, 84, 90);
    masses.forEach((mass, i) => {
      const exact = i % 3 === 0 ? binomialPmf(8 + i / 3, 30, 0.3) : 0;
      expect(mass).toBeGreaterThan(exact - error);
    });
  });
});

describe('blocks of a binomial number', () => {
  it.each([
    [500, 0.3],
    [40, 0.02],
    [3, 0.9],
    [0, 0.5],
    [7, 1],
  ])('of %d at %d hold all of it, in order', (trials, chance) => {
    const { blocks, missed } = binomialBlocks(trials, chance, 1e-9);
    expect(missed).toBeLessThanOrEqual(1e-9 * (1 + 1e-10));
    const total = blocks.reduce((sum, { probability }) => sum + probability, missed);
    expect(total).toBeGreaterThanOrEqual(1 - 1e-13);
    expect(total).toBeLessThan(1 + 1e-8);
    // Each block has the probability of its own numbers, from its smallest on.
    blocks.forEach(({ shown, probability }, i) => {
      const end = blocks[i + 1]?.shown ?? trials + 1;
      let sum = 0;
      for (let k = shown; k < end; k++) sum += binomialPmf(k, trials, chance);
      expect(probability).toBeGreaterThanOrEqual(sum * (1 - 1e-10) - 1e-15);
      expect(probability).toBeLessThan(sum + 1e-9);
    });
  });
});
