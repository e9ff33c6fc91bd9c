/** Counts of blankets and of what other holders send, against the definition. */
import { describe, expect, it } from 'vitest';
import { blanketCountLaw } from '../../src/sets/blanket-count.ts';

/** Poisson(mean) * Binomial(users, rate) at 0 to cells - 1, mass by mass. */
function convolution(mean: number, users: number, rate: number, cells: number): number[] {
  let law = [Math.exp(-mean)];
  for (let k = 1; k < cells; k++) law.push((law[k - 1]! * mean) / k);
  for (let i = 0; i < users; i++)
    law = law.map((mass, k) => mass * (1 - rate) + rate * (k > 0 ? law[k - 1]! : 0));
  return law;
}

describe('blankets of an item with 25 other holders', () => {
  const [mean, users, rate, cells] = [4, 25, 0.3, 60];
  const law = convolution(mean, users, rate, cells);
  const moved = convolution(mean, users, rate, cells).map((_, k) => law[k - 1] ?? 0);

  it.each([
    ['as masses', -92],
    ['as logarithms', -760],
  ])('added up %s', (_, logCut) => {
    const counted = blanketCountLaw({ mean, successProbability: 1, holders: { users, rate } }, logCut);
    expect(counted.count[0]).toBe(0);
    for (let i = 0; i < 45; i++) {
      expect(counted.logMass[i]).toBeCloseTo(Math.log(law[i]!), 10);
      expect(counted.excess[i]).toBeCloseTo(moved[i]! / law[i]! - 1, 9);
    }
  });

  it('says the same both ways where there are many', () => {
    const count = { mean: 300, successProbability: 1, holders: { users: 2000, rate: 0.4 } };
    const [masses, logarithms] = [blanketCountLaw(count, -92), blanketCountLaw(count, -760)];
    const shift = masses.count[0]! - logarithms.count[0]!;
    for (let i = 0; i < masses.count.length; i++) {
      // At its ends the shorter one lacks what it cut.
      if (!(masses.logMass[i]! > -80)) continue;
      expect(Math.abs(masses.logMass[i]! - logarithms.logMass[i + shift]!)).toBeLessThan(1e-10);
      expect(Math.abs(masses.excess[i]! - logarithms.excess[i + shift]!)).toBeLessThan(1e-10);
    }
  });
});
