import { describe, expect, it } from 'vitest';
import { isLong, refutedBounds, runCounterexample } from './counterexample-runs.ts';

const all = refutedBounds();

describe('the counterexample', () => {
  it('is given for every kind of refuted bound', () => {
    const names = new Set(all.map(({ bound }) => bound));
    for (const name of [
      'variation-ratio',
      'variation-ratio-analytic',
      'variation-ratio-corrected',
      'eon',
      'eon-closed',
    ])
      expect(names).toContain(name);
    for (const name of ['vector-rr-theorem-1', 'ccc', 'ccc-hps', 'hps', 'hps-program', 'uni-shuffle'])
      expect(names).toContain(name);
    expect(all.length).toBeGreaterThanOrEqual(20);
  });

  it.each(all.filter((refuted) => !isLong(refuted)))(
    'of $bound: $counterexample.command',
    (refuted) => {
      const { stated, atLeast } = runCounterexample(refuted);
      expect(stated / refuted.counterexample.stated).toBeCloseTo(1, 3);
      // Lower ends may get better.
      expect(atLeast).toBeGreaterThanOrEqual(refuted.counterexample.atLeast);
      expect(atLeast).toBeGreaterThan(stated);
    },
    20_000,
  );
});
