/** Room for rows of which the latest are kept. */
import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentNumbers } from '../../../src/sharp/gains/recent-numbers.ts';

describe('recent numbers', () => {
  it('says of no row that it is kept once a later one is written over it', () => {
    const lengths = array(integer({ min: 1000, max: 16_000 }), { minLength: 60, maxLength: 120 });
    assert(
      property(lengths, (counts) => {
        const recent = new RecentNumbers();
        const rows = counts.map((count, i) => {
          const start = recent.take(count);
          recent.numbers.fill(i, recent.placeOf(start), recent.placeOf(start) + count);
          return { start, count };
        });
        let kept = 0;
        rows.forEach(({ start, count }, i) => {
          if (!recent.has(start, count)) return;
          kept++;
          const place = recent.placeOf(start);
          expect(recent.numbers.subarray(place, place + count).every((value) => value === i)).toBe(true);
        });
        expect(kept).toBeGreaterThan(0);
      }),
      { numRuns: 20 },
    );
  });

  it('keeps a row while a few more of its length are taken', () => {
    const recent = new RecentNumbers();
    for (let i = 0; i < 5000; i++) recent.take(384);
    const start = recent.take(384);
    recent.numbers[recent.placeOf(start)] = -1;
    // A copy is a row ahead: where it no longer keeps the row, this one is at its last.
    const ahead = new RecentNumbers();
    for (let i = 0; i < 5002; i++) ahead.take(384);
    while (ahead.has(start, 384)) {
      recent.take(384);
      ahead.take(384);
    }
    expect(recent.has(start, 384)).toBe(true);
    for (let i = 0; i < 8; i++) {
      const place = recent.placeOf(recent.take(384));
      recent.numbers.fill(0, place, place + 384);
    }
    expect(recent.numbers[recent.placeOf(start)]).toBe(-1);
  });

  it('refuses rows of which too few fit', () => {
    expect(() => new RecentNumbers().take(1e5)).toThrow(RangeError);
  });
});
