import { describe, expect, it } from 'vitest';
import {
  coinsProfile,
  flippedBitsProfile,
  mixDumpProfile,
  uniformBinsProfile,
} from '../../src/histograms/blanket-profiles.ts';

describe('protocols with blanket messages', () => {
  it.each([
    ['one bin of 16', uniformBinsProfile(16)],
    ['three special bins of 16', uniformBinsProfile(16, 3)],
    ['mixDUMP', mixDumpProfile(0.2, 16)],
    ['mixDUMP over two bins', mixDumpProfile(0.2, 2)],
    ['flipped bits', flippedBitsProfile(0.3)],
    ['coins', coinsProfile(0.3)],
  ])('%s: laws sum to one, and the published parameters are those of the outcomes', (_, profile) => {
    const { victim0, victim1, others } = profile.blanket[0]!;
    const sum = (masses: Float64Array): number => masses.reduce((total, mass) => total + mass, 0);
    for (const law of [victim0, victim1, others]) expect(sum(law)).toBeCloseTo(1, 14);
    const ratios = Array.from(victim0, (mass, y) => Math.max(mass / victim1[y]!, victim1[y]! / mass));
    const variation = Array.from(victim0, (mass, y) => Math.max(0, mass - victim1[y]!));
    // Where the victim's laws agree, nothing is told.
    const telling = Array.from(victim0, (mass, y) =>
      mass === victim1[y] ? 1 : Math.max(mass, victim1[y]!) / others[y]!,
    );
    const { p, beta, q } = profile.variationRatio!;
    const largest = Math.max(...ratios.filter((ratio) => !Number.isNaN(ratio)));
    if (p === Infinity) expect(largest).toBe(Infinity);
    else expect(largest / p).toBeCloseTo(1, 12);
    expect(variation.reduce((a, b) => a + b)).toBeCloseTo(beta, 12);
    expect(Math.max(...telling)).toBeCloseTo(q, 12);
  });

  it('refuse what is no protocol', () => {
    expect(() => uniformBinsProfile(16, 9)).toThrow('special = 9: must be an integer from 1 to bins / 2 = 8');
    expect(() => mixDumpProfile(0.95, 16)).toThrow('flip = 0.95: must be in (0, (bins - 1) / bins)');
    expect(() => flippedBitsProfile(0.5)).toThrow('flip = 0.5: must be in (0, 1/2)');
    expect(() => coinsProfile(1)).toThrow('coin = 1: must be in (0, 1)');
  });
});
