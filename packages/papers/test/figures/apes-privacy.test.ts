import { describe, expect, it } from 'vitest';
import { PRINTED_SHUFFLED, PRINTED_TABLE_3, SHUFFLED_KINDS } from '../../src/apes/printed.ts';
import {
  personalPrivacy,
  shuffledPrivacy,
  smallestBudgetPrivacy,
  type CountedPrivacy,
} from '../../src/apes/privacy.ts';
import { BUDGET_DISTRIBUTIONS } from '../../src/figures/budget-distributions.ts';

describe('privacy columns of the echo-of-neighbours tables', () => {
  it('has every printed user-level epsilon of Table 4 within 3 %', () => {
    for (const { name, text } of BUDGET_DISTRIBUTIONS) {
      const counted = shuffledPrivacy(text);
      for (const kind of SHUFFLED_KINDS) {
        const ratio = counted[kind].user / PRINTED_SHUFFLED[name]![kind].user;
        expect(Math.abs(ratio - 1), `${kind} at ${name}`).toBeLessThan(0.03);
      }
    }
  });

  it('has the dimension-level epsilons of Table 3 to the printed digits', () => {
    const counted: Readonly<Record<string, CountedPrivacy>> = {
      ...shuffledPrivacy('uniform(0.05,1)'),
      'ldp-min': smallestBudgetPrivacy(0.05),
      pldp: personalPrivacy(1),
    };
    for (const { kind, dimension, user } of PRINTED_TABLE_3) {
      if (dimension === null) continue;
      expect(Number(counted[kind]!.dimension.toFixed(3)), `epsilon of a dimension, ${kind}`).toBe(dimension);
      expect(Math.abs(counted[kind]!.user / user - 1), `epsilon of a user, ${kind}`).toBeLessThan(0.01);
    }
  });
});
