/** Where an integral is not worth what it costs: less is told, and what is told holds. */
import { describe, expect, it, vi } from 'vitest';
import { blanketDivergence } from '../../src/blanket/privacy-blanket.ts';
import { saddlePoint, tilt } from '../../src/blanket/exponential-tilt.ts';
import { CharacteristicRows } from '../../src/sharp/gains/characteristic-rows.ts';
import { COARSE, MinimumMoments } from '../../src/sharp/gains/minimum-moments.ts';

/** Of k-ary randomized response over eight values. */
const atoms = {
  label: 'randomized response',
  victim0: Float64Array.of(0.28, 0.1, 0.62),
  victim1: Float64Array.of(0.1, 0.28, 0.62),
  others: Float64Array.of(0.1, 0.1, 0.6),
  symmetric: true,
};

describe('a search that has used up its work', () => {
  it('knows what is known without integrals, around the bracket of the integral', () => {
    const work = { sines: 0 };
    const usual = blanketDivergence(atoms, 10_000, 0.03, { work });
    expect(work.sines).toBeGreaterThan(0);
    expect(usual.lower).toBeGreaterThan(0);
    const spent = { sines: 7, most: 7 };
    const wide = blanketDivergence(atoms, 10_000, 0.03, { work: spent });
    expect(spent.sines).toBe(7);
    expect(wide.lower).toBeLessThan(usual.lower);
    expect(wide.upper).toBeGreaterThan(usual.upper);
  });

  it('breaks off the integral that uses up the rest', () => {
    const work = { sines: 0, most: 10 };
    const wide = blanketDivergence(atoms, 10_000, 0.03, { work });
    // A point more, of three sines and six beside, for each of the two sides of a pair.
    expect(work.sines).toBeLessThanOrEqual(10 + 2 * (3 + 6));
    expect(wide.upper).toBeGreaterThan(blanketDivergence(atoms, 10_000, 0.03).upper);
  });
});

describe('a law whose sum is tilted by millions of its deviations', () => {
  it("has Chernoff's bound, and no integral that would not end", () => {
    // The ratios of a Gaussian, six deviations out.
    const points = Array.from({ length: 13 }, (_, i) => i - 6);
    const masses = points.map((x) => Math.exp((-x * x) / 2));
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    const law = {
      values: Float64Array.from(points, (x) => Math.exp(x / 400) - Math.exp(0.01)),
      probabilities: Float64Array.from(masses, (mass) => mass / total),
      magnitudes: new Float64Array(13).fill(2.1),
    };
    const users = 1e12;
    const { theta } = saddlePoint(law, users)!;
    const looks = vi.spyOn(CharacteristicRows.prototype, 'at');
    const moments = new MinimumMoments(law, users, theta, COARSE);
    for (let i = 0; i < 40; i++) {
      const at = theta * (1 + i / 100);
      const log = moments.logAt(at);
      const chernoff = users * tilt(law, at).logMean;
      expect(log).toBeGreaterThanOrEqual(chernoff);
      // Chords of it are above it by less than this.
      expect(log).toBeLessThan(chernoff + 5);
    }
    expect(looks).not.toHaveBeenCalled();
    looks.mockRestore();
  });
});
