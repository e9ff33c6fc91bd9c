import { describe, expect, it } from 'vitest';
import { apexAtoms } from '../../src/places/planar-lens.ts';

const sum = (masses: Float64Array): number => masses.reduce((total, mass) => total + mass, 0);

describe('the plane cut into cells, others at the apex of the lens', () => {
  it.each([
    [1, 2],
    [1, 1],
    [0.01, 3],
    [20, 40],
  ])('has laws of mass 1, and ratios no larger than the distances allow: %d, %d', (separation, reach) => {
    const { victim0, victim1, others } = apexAtoms({ separation, reach });
    for (const law of [victim0, victim1, others]) expect(sum(law)).toBeCloseTo(1, 12);
    others.forEach((mass, y) => {
      const [p, q] = [victim0[y]!, victim1[y]!];
      expect(Math.abs(Math.log(p / q))).toBeLessThanOrEqual(separation * (1 + 1e-9));
      expect(Math.abs(Math.log(p / mass))).toBeLessThanOrEqual(reach * (1 + 1e-9));
    });
  });

  it('has the chi-square distances of a grid in the plane, but for what merging hides', () => {
    const [separation, reach] = [1, 2];
    const { victim0, victim1, others } = apexAtoms({ separation, reach });
    // Of the victim's difference, relative to the others: what decides the epsilon among many users.
    let cut = 0;
    others.forEach((mass, y) => (cut += (victim0[y]! - victim1[y]!) ** 2 / mass));
    const height = Math.sqrt(reach ** 2 - separation ** 2 / 4);
    const step = 0.05;
    let whole = 0;
    for (let x = -20 + step / 2; x < 21; x += step) {
      for (let y = -20 + step / 2; y < 22; y += step) {
        const [p, q, w] = [
          Math.hypot(x, y),
          Math.hypot(x - separation, y),
          Math.hypot(x - separation / 2, y - height),
        ].map((distance) => Math.exp(-distance) / (2 * Math.PI));
        whole += ((p! - q!) ** 2 / w!) * step * step;
      }
    }
    expect(cut).toBeLessThan(whole * 1.001);
    expect(cut).toBeGreaterThan(whole * 0.99);
  });

  it.each([1e-13, 1e-100, 1e-300])('ends, with laws of mass 1, at a separation of %d nats', (separation) => {
    const { victim0, victim1, others } = apexAtoms({ separation, reach: separation });
    for (const law of [victim0, victim1, others]) expect(sum(law)).toBeCloseTo(1, 12);
  });

  it('keeps the digits of small distances', () => {
    const large = apexAtoms({ separation: 1e-3, reach: 2 });
    const small = apexAtoms({ separation: 1e-9, reach: 2 });
    const variation = ({ victim0, victim1 }: typeof large): number =>
      victim0.reduce((total, p, y) => total + Math.abs(p - victim1[y]!), 0) / 2;
    expect(variation(small) * 1e6).toBeCloseTo(variation(large), 6);
  });

  // 1 - (2 / pi) times the integral of x K_1(x) from separation / 2 on, by mpmath in 40 digits.
  it.each([
    [0.001, 0.002, 0.00031830977278367244061],
    [0.1, 0.1, 0.03177865512416322585398],
    [0.1, 0.5, 0.03177865512416322585398],
    // Far others: here cells with fewer points had more than the plane.
    [0.05, 2, 0.0159078044883945305],
    [0.1, 4, 0.03177865512416322585398],
    [0.3, 6, 0.0944715851287988106],
    [0.3, 30, 0.0944715851287988106],
    [1, 3, 0.29596006648799513826],
    // Here the rule's error is largest, to either side.
    [3.4667, 125.86, 0.7401705337417599281979],
    [3.7798, 118.58, 0.7726472579877070270648],
    [3.8106145486954213, 60.452279481455115, 0.7756285074887942479279],
    [10, 50, 0.9860806729912868950025],
  ])("tells the victim's places apart as the plane does: %d, %d", (separation, reach, expected) => {
    const { victim0, victim1 } = apexAtoms({ separation, reach });
    const apart = victim0.reduce((total, p, y) => total + Math.max(0, p - victim1[y]!), 0);
    // From below, as a lower end must be, but for the rounding of masses that are nearly equal.
    expect(apart).toBeLessThanOrEqual(expected + 2e-17);
    expect(apart).toBeGreaterThan(expected * (1 - 5e-14) - 2e-17);
  });
});
