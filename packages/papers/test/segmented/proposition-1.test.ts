/** Proposition 1 of the segmented paper: its pair is the law of two counts that nobody else adds to. */
import { variationRatioDivergence } from '@shuffle-dp/accounting';
import { describe, expect, it } from 'vitest';

interface Setting {
  readonly users: number;
  readonly blanketRate: number;
  readonly domain: number;
  readonly lambda: number;
}

/** P(C_j0 = a, C_j1 = b) slot by slot, where the victim's own message is j0, or j1. */
function lawOfCounts({ users, blanketRate, domain, lambda }: Setting, own: 0 | 1): number[][] {
  const perUser = Math.ceil(blanketRate);
  const slots = users * perUser;
  const each = blanketRate / perUser / domain;
  const add = (law: number[][], first: number, second: number): number[][] =>
    law.map((row, a) =>
      row.map(
        (mass, b) =>
          mass * (1 - first - second) +
          (a > 0 ? law[a - 1]![b]! * first : 0) +
          (b > 0 ? row[b - 1]! * second : 0),
      ),
    );
  let law: number[][] = Array.from({ length: slots + 2 }, (_, a) =>
    Array.from({ length: slots + 2 }, (__, b): number => (a === 0 && b === 0 ? 1 : 0)),
  );
  for (let slot = 0; slot < slots; slot++) law = add(law, each, each);
  return own === 0 ? add(law, lambda, 0) : add(law, 0, lambda);
}

describe('the counts of two items that no other user holds', () => {
  it.each<Setting>([
    { users: 3, blanketRate: 1, domain: 4, lambda: 0.3 },
    { users: 2, blanketRate: 1.5, domain: 5, lambda: 0.6 },
    { users: 4, blanketRate: 2, domain: 3, lambda: 0.8 },
    { users: 3, blanketRate: 0.4, domain: 6, lambda: 1 },
  ])('have the divergence of the pair: $users users, rate $blanketRate, sent with $lambda', (setting) => {
    const { users, blanketRate, domain, lambda } = setting;
    const slots = users * Math.ceil(blanketRate);
    const gamma = blanketRate / Math.ceil(blanketRate);
    const [one, other] = [lawOfCounts(setting, 0), lawOfCounts(setting, 1)];
    for (const epsilon of [0, 0.1, 0.5, 1.5]) {
      let divergence = 0;
      one.forEach((row, a) =>
        row.forEach((mass, b) => (divergence += Math.max(0, mass - Math.exp(epsilon) * other[a]![b]!))),
      );
      const pair = { p: Infinity, beta: lambda, q: (domain * lambda) / gamma };
      const { lower, upper } = variationRatioDivergence(pair, slots + 1, epsilon);
      expect(divergence).toBeGreaterThan(lower * (1 - 1e-9));
      expect(divergence).toBeLessThan(upper * (1 + 1e-9));
    }
  });
});
