/** A search that is asked at few points answers as one that asks at every one. */
import { array, assert, double, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { GrowingSearch } from '../../src/blanket/growing-search.ts';

/** From one side of 0 to the other, as a tilted mean does: slope and curvature by choice. */
function curve(root: number, power: number, offset: number): (at: number) => number {
  return (at) => 2 + offset * ((at / root) ** power - 1);
}

const curves = record({
  root: double({ min: 1e-20, max: 1e20, noNaN: true }),
  power: double({ min: 0.5, max: 4, noNaN: true }),
  offset: double({ min: 1.5, max: 50, noNaN: true }),
});

it('knows on which side of the goal a point is, wherever it began', () => {
  const start = double({ min: 1e-30, max: 1e30, noNaN: true });
  const asked = array(double({ min: -3, max: 3, noNaN: true }), { minLength: 5, maxLength: 20 });
  assert(
    property(curves, start, asked, ({ root, power, offset }, from, logs) => {
      const valueAt = curve(root, power, offset);
      const search = new GrowingSearch(valueAt, 2);
      search.closeIn(from);
      for (const log of logs) {
        const at = root * Math.exp(log);
        expect(search.isBeyond(at)).toBe(valueAt(at) > 2);
      }
    }),
    { numRuns: 300 },
  );
});

it('asks seldom: about where the curve crosses everything is known soon', () => {
  assert(
    property(curves, double({ min: 0.2, max: 5, noNaN: true }), ({ root, power, offset }, off) => {
      let asked = 0;
      const valueAt = curve(root, power, offset);
      const search = new GrowingSearch((at) => (asked++, valueAt(at)), 2);
      search.closeIn(root * off);
      const before = asked;
      for (let k = 1; k <= 50; k++) {
        search.isBeyond(root * (1 + k / 100));
        search.isBeyond(root / (1 + k / 100));
      }
      // Of a hundred questions: a halving would ask eleven times for a thousandth.
      expect(before).toBeLessThan(14);
      expect(asked - before).toBeLessThanOrEqual(3);
    }),
    { numRuns: 300 },
  );
});

it('a start that is no number, or none of a size, is passed over', () => {
  for (const start of [Number.NaN, 0, -1, Infinity]) {
    const search = new GrowingSearch((at) => at, 2);
    search.closeIn(start);
    expect([1, 2, 3].map((at) => search.isBeyond(at))).toEqual([false, false, true]);
  }
});

it('what has no value is not beyond, as at infinity', () => {
  const search = new GrowingSearch((at) => (at < 1e300 ? at : Number.NaN), 2);
  expect(search.isBeyond(Infinity)).toBe(false);
});
