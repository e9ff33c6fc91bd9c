/** Numbers that only the error decides are found, wherever the best one lies. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrime } from '@shuffle-dp/core';
import { candidates, type PlannedProtocol, type PlanSetting } from '../../src/plan/index.ts';
import { planAmong } from '../../src/plan/plan.ts';
import { refine, tunedNumber, type TunedNumber } from '../../src/plan/tuning/tuned-number.ts';

/** The best value that is found of an error with one least, and all values that were looked at. */
function found(tuned: TunedNumber, errorAt: (value: number) => number) {
  const tried = tuned.first
    .flatMap((value) => value ?? [])
    .map((value) => ({ value, error: errorAt(value) }));
  const all = [...tried];
  refine(tuned, tried, (value) => {
    const error = errorAt(value);
    all.push({ value, error });
    return error;
  });
  return { all, best: all.reduce((least, one) => (one.error < least.error ? one : least)) };
}

describe('a number that is tuned', () => {
  it('comes near to the best one of its range', () => {
    const tuned = tunedNumber({ kind: 'segmented' })!;
    fc.assert(
      fc.property(fc.double({ min: Math.log(1e-5), max: Math.log(20), noNaN: true }), (log) => {
        const { best, all } = found(tuned, (value) => 1 + (Math.log(value) - log) ** 2);
        expect(Math.abs(Math.log(best.value) - log)).toBeLessThan(0.12);
        expect(all.length).toBeLessThan(50);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('is whole, or prime, where it has to be', () => {
    const subset = tunedNumber({ kind: 'frequency', randomizer: 'subset' } as { kind: string })!;
    const hash = tunedNumber({ kind: 'frequency', randomizer: 'local-hash' } as { kind: string })!;
    for (const least of [1, 3, 27, 500, 6000]) {
      const errorAt = (value: number): number => Math.abs(Math.log(value / least));
      for (const { value } of found(subset, errorAt).all) expect(Number.isInteger(value)).toBe(true);
      for (const { value } of found(hash, errorAt).all) expect(isPrime(value)).toBe(true);
      expect(found(subset, errorAt).best.error).toBeLessThan(0.12);
    }
  });

  it('is left where everything is refused', () => {
    const tuned = tunedNumber({ kind: 'mix-dump' })!;
    expect(found(tuned, () => Infinity).all).toHaveLength(tuned.first.length);
  });

  it('is none of protocols without one', () => {
    expect(tunedNumber({ kind: 'pure-dump' })).toBeUndefined();
  });
});

// What users of the program measured with these numbers written into their configs.
describe('plans are no worse than', () => {
  const best = (title: RegExp, setting: PlanSetting): PlannedProtocol =>
    planAmong(
      candidates(setting.task).filter((candidate) => title.test(candidate.title)),
      setting,
    ).rows[0]!;

  it('mixDUMP with flips of 0.8, for a hundred thousand categories', () => {
    const many = { task: 'frequencies', users: 20_000, domain: 100_000, epsilon: 1, delta: 1e-7 } as const;
    const row = best(/mixDUMP/u, many);
    expect(row.error).toBeLessThan(0.008277);
    expect(row.messages).toBeLessThan(12);
  });

  it('subsets of ten, and a range of 401 for hashes', () => {
    const few = { task: 'frequencies', users: 1000, domain: 4096, epsilon: 0.5, delta: 1e-6 } as const;
    expect(best(/: subset/u, few).error).toBeLessThan(0.5641);
    expect(best(/: local-hash/u, few).error).toBeLessThan(0.5687);
  });

  it('one item in a message, and 320 buckets', () => {
    const sets = { task: 'sets', users: 1000, domain: 256, items: 4, epsilon: 0.3, delta: 1e-6 } as const;
    expect(best(/exponential, shuffled/u, sets).error).toBeLessThan(0.4138);
    expect(best(/Collision/u, sets).error).toBeLessThan(0.508);
  });
});
