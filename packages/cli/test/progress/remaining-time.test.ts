import { describe, expect, it } from 'vitest';
import { remainingTime } from '../../src/progress/remaining-time.ts';

/** What is said after each report of so much done at a time in seconds. */
function said(total: number, reports: readonly (readonly [seconds: number, done: number])[]) {
  let now = 0;
  const left = remainingTime(() => now);
  return reports.map(([seconds, done]) => {
    now = seconds;
    return left({ phase: 'trials', done, total });
  });
}

describe('the time left', () => {
  it('goes by what this run did, not by what it found done', () => {
    expect(
      said(1000, [
        [5, 600],
        [6, 610],
        [8, 630],
      ]),
    ).toEqual(['estimating', 'estimating', '37 s left']);
  });

  it('is without the first step, which makes what all share', () => {
    expect(
      said(1000, [
        [0, 0],
        [4, 1],
        [4.5, 51],
        [5, 101],
      ]),
    ).toEqual(['estimating', 'estimating', 'estimating', '9 s left']);
  });

  it('goes by the first step where there are few', () => {
    expect(
      said(3, [
        [0, 0],
        [60, 1],
        [150, 2],
      ]),
    ).toEqual(['estimating', '2 min left', '2 min left']);
  });

  it('begins anew with every phase', () => {
    let now = 0;
    const left = remainingTime(() => now);
    left({ phase: 'accounting', done: 0, total: 4 });
    now = 10;
    expect(left({ phase: 'accounting', done: 2, total: 4 })).toBe('10 s left');
    expect(left({ phase: 'trials', done: 0, total: 9 })).toBe('estimating');
    now = 12;
    expect(left({ phase: 'trials', done: 6, total: 9 })).toBe('1 s left');
  });
});
