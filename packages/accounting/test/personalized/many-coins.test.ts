/** Masses of a sum of many coins by its characteristic function, against those with all digits. */
import { expect, test } from 'vitest';
import { cloneCountLaw } from '../../src/personalized/clone-count.ts';
import { manyCoinsLaw } from '../../src/personalized/many-coins.ts';

test.each([
  ['of all probabilities', 20_000, (u: number) => 0.001 + 0.998 * u],
  ['small ones', 200_000, (u: number) => 0.01 + 0.05 * u],
  ['nearly certain ones', 200_000, (u: number) => 0.99 - 0.05 * u * u],
  ['of one probability', 50_000, () => 0.3],
  ['of two', 60_000, (u: number) => (u < 0.3 ? 0.1 : 0.9)],
])('coins %s', (_, users, of) => {
  const probabilities = Float64Array.from({ length: users }, (__, i) => of((i + 0.5) / users));
  const law = manyCoinsLaw({ counts: new Float64Array(users).fill(1), probabilities })!;
  const exact = cloneCountLaw(Array.from(probabilities, (probability) => ({ coins: 1, probability })));
  const peak = Math.max(...exact.masses);
  let most = 0;
  exact.masses.forEach((mass, i) => {
    const found = law.masses[exact.first + i - law.first] ?? 0;
    most = Math.max(most, Math.abs(found - mass));
  });
  expect(most / peak).toBeLessThan(2e-11);
});

test('groups of coins count as often as they have coins', () => {
  const law = manyCoinsLaw({
    counts: Float64Array.of(7000, 0, 9000),
    probabilities: Float64Array.of(0.2, 0.5, 0.6),
  })!;
  const exact = cloneCountLaw([
    { coins: 7000, probability: 0.2 },
    { coins: 9000, probability: 0.6 },
  ]);
  const at = 1400 + 5400;
  expect(law.masses[at - law.first]! / exact.masses[at - exact.first]!).toBeCloseTo(1, 11);
});

test('few coins, and coins that hardly vary, are left to the exact law', () => {
  const fair = (users: number) => ({
    counts: Float64Array.of(users),
    probabilities: Float64Array.of(0.5),
  });
  expect(manyCoinsLaw(fair(1000))).toBeNull();
  expect(manyCoinsLaw(fair(10_000))).not.toBeNull();
  expect(manyCoinsLaw({ counts: Float64Array.of(1e6), probabilities: Float64Array.of(1e-6) })).toBeNull();
});
