// @module-tag long
// Own randomizers that are right pass the checks in every domain, and all that draw or count wrongly are
// found. The seed is fixed; 1e-9 is stated.
import { describe, expect, it } from 'vitest';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { clearBudget, drawnFault, messagesFault } from '../../src/own-randomizer/draw-checks.ts';
import { statedFault } from '../../src/own-randomizer/oracle-checks.ts';
import { WRONG_DRAWS, WRONG_MESSAGES } from './wrong-oracles.ts';

describe.each(CATEGORY_RANDOMIZERS)('$name', ({ make }) => {
  it.each([2, 50])('passes at domain %d', (domain) => {
    for (const epsilon0 of [1e-3, 1, 30]) {
      const oracle = make({ domain, epsilon0 });
      expect([statedFault(oracle, domain, epsilon0), drawnFault(oracle)]).toEqual([null, null]);
    }
    expect(messagesFault(make({ domain, epsilon0: clearBudget(domain) }))).toBe(null);
  });

  it.each(WRONG_DRAWS)('whose %s is found at budget 0.1', (_, change, reason) => {
    const oracle = make({ domain: 16, epsilon0: 0.1 });
    expect(drawnFault({ ...oracle, ...change(oracle) })).toContain(reason);
  });

  it.each(WRONG_MESSAGES)('whose %s is found', (_, change, reason) => {
    const oracle = make({ domain: 16, epsilon0: clearBudget(16) });
    expect(messagesFault({ ...oracle, ...change(oracle) })).toContain(reason);
  });
});
