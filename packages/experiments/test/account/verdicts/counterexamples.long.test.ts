// @module-tag long
/** Counterexamples with 100,000 users and more. */
import { expect, it } from 'vitest';
import { isLong, refutedBounds, runCounterexample } from './counterexample-runs.ts';

it.each(refutedBounds().filter(isLong))(
  'of $bound: $counterexample.command',
  (refuted) => {
    const { stated, atLeast } = runCounterexample(refuted);
    expect(stated / refuted.counterexample.stated).toBeCloseTo(1, 3);
    expect(atLeast).toBeGreaterThanOrEqual(refuted.counterexample.atLeast);
    expect(atLeast).toBeGreaterThan(stated);
  },
  60_000,
);
