// Own randomizers that are right pass the checks in a larger domain too, and all that count wrongly are
// found. The seed is fixed; 1e-9 is stated.
import { describe, expect, it } from 'vitest';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import { clearBudget, drawnFault, messagesFault } from '../../src/own-randomizer/draw-checks.ts';
import { statedFault } from '../../src/own-randomizer/oracle-checks.ts';

describe.each(CATEGORY_RANDOMIZERS)('$name', ({ make }) => {
  it('passes at domain 50', () => {
    for (const epsilon0 of [1e-3, 30]) {
      const oracle = make({ domain: 50, epsilon0 });
      expect([statedFault(oracle, 50, epsilon0), drawnFault(oracle)]).toEqual([null, null]);
    }
    expect(messagesFault(make({ domain: 50, epsilon0: clearBudget(50) }))).toBe(null);
  });

  it('that counts 2 % too much is found', () => {
    const oracle = make({ domain: 16, epsilon0: clearBudget(16) });
    const counting = {
      ...oracle,
      supportCounts: (...given: Parameters<typeof oracle.supportCounts>) =>
        oracle.supportCounts(...given).map((count) => count * 1.02),
    };
    expect(messagesFault(counting)).toContain('one whose supportCounts gives what');
  });
});
