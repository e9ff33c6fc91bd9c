import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictHereOfLower } from '../../src/contracts/verdict.ts';
import { interval, verdictHere } from '../../src/index.ts';

const end = fc.oneof(fc.constantFrom(0, Infinity), fc.double({ min: 0, noNaN: true }));
const bracket = fc.tuple(end, end).map(([a, b]) => interval(Math.min(a, b), Math.max(a, b)));

describe('the verdict on a statement at its parameters', () => {
  test('a published epsilon beside a bracket from 4.38766 to 4.39423', () => {
    const proved = interval(4.38766, 4.39423);
    expect(verdictHere(3.6929, proved)).toBe('refuted');
    expect(verdictHere(4.39, proved)).toBe('unproven');
    expect(verdictHere(4.39423, proved)).toBe('certified');
    // The data set reaches the lower end and does not pass it.
    expect(verdictHere(4.38766, proved)).toBe('unproven');
  });

  test('an infinite statement claims nothing, an infinite upper end proves nothing else', () => {
    expect(verdictHere(Infinity, interval(1, Infinity))).toBe('certified');
    expect(verdictHere(1e300, interval(1, Infinity))).toBe('unproven');
    expect(verdictHere(0.5, interval(1, Infinity))).toBe('refuted');
    expect(verdictHereOfLower(Infinity, interval(0, 1e300))).toBe('refuted');
    expect(verdictHereOfLower(0, interval(0, Infinity))).toBe('certified');
  });

  test('a number that is none is a fault of the caller', () => {
    expect(() => verdictHere(Number.NaN, interval(0, 1))).toThrow('NaN');
    expect(() => verdictHereOfLower(Number.NaN, interval(0, 1))).toThrow('NaN');
  });

  test('says certified at or above the upper end, refuted below the lower', () => {
    fc.assert(
      fc.property(end, bracket, (stated, proved) => {
        const verdict = verdictHere(stated, proved);
        expect(verdict === 'certified').toBe(stated >= proved.upper);
        expect(verdict === 'refuted').toBe(stated < proved.lower);
      }),
    );
  });

  test('says of a lower bound the mirrored thing', () => {
    fc.assert(
      fc.property(end, bracket, (stated, proved) => {
        const verdict = verdictHereOfLower(stated, proved);
        expect(verdict === 'certified').toBe(stated <= proved.lower);
        expect(verdict === 'refuted').toBe(stated > proved.upper);
      }),
    );
  });

  test('a larger statement is never judged worse', () => {
    fc.assert(
      fc.property(end, end, bracket, (a, b, proved) => {
        const order = ['refuted', 'unproven', 'certified'];
        const [small, large] = [Math.min(a, b), Math.max(a, b)];
        expect(order.indexOf(verdictHere(small, proved))).toBeLessThanOrEqual(
          order.indexOf(verdictHere(large, proved)),
        );
      }),
    );
  });
});
