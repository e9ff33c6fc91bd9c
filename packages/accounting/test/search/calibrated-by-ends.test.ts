import { expect, it } from 'vitest';
import { calibratedByEnds, type CertifiedEnds } from '../../src/search/calibrated-by-ends.ts';

const AXIS = { valueAt: Math.exp, mostPrivate: Math.log(1e-3), leastPrivate: Math.log(20) };
const TOLERANCE = 2e-4;

/** An upper end that grows like a power of the budget, and an estimate so many times below it. */
function endsOf(epsilon: number, ratio: (value: number) => number, power = 1.1) {
  const asked: number[] = [];
  const upper = (value: number): number => {
    asked.push(value);
    return value ** power;
  };
  const ends: CertifiedEnds = {
    epsilon,
    tolerance: TOLERANCE,
    upper,
    estimate: (value) => value ** power / ratio(value),
  };
  return { ends, asked };
}

it.each([
  ['as they are', () => 1],
  ['a little below', () => 1.0003],
  ['a percent below', () => 1.01],
  ['by a ratio that moves', (value: number) => 1.01 + 1e-3 * Math.sin(40 * value)],
  ['above', () => 0.99],
])('estimates %s lead to what meets the target', (_, ratio) => {
  const { ends, asked } = endsOf(0.5, ratio);
  const found = calibratedByEnds(AXIS, ends, Math.log(0.7))!;
  expect(found.value ** 1.1).toBeLessThanOrEqual(0.5);
  expect(found.value ** 1.1).toBeGreaterThan(0.5 * (1 - 2e-3));
  expect(asked).toContain(found.value);
  expect(new Set(asked).size).toBeLessThanOrEqual(4);
  expect(found.next! ** 1.1).toBeGreaterThan(0.5);
  expect(asked).toContain(found.next);
  expect(found.next! / found.value).toBeLessThan(1.02);
});

it('without estimates, or with some that say nothing, the ends alone decide', () => {
  const { ends } = endsOf(0.5, () => 1);
  const { epsilon, tolerance, upper } = ends;
  const alone = calibratedByEnds(AXIS, { epsilon, tolerance, upper }, 0)!;
  expect(alone.value ** 1.1).toBeLessThanOrEqual(0.5);
  expect(alone.next! ** 1.1).toBeGreaterThan(0.5);
  const wild = calibratedByEnds(AXIS, { ...ends, estimate: (value) => 1e-3 * value }, 0)!;
  expect(wild.value ** 1.1).toBeLessThanOrEqual(0.5);
});

it('looks at fewer values where it is told how fast the end grows', () => {
  const looks = (slope?: number): number => {
    const { ends, asked } = endsOf(0.5, () => 1, 5);
    const { epsilon, tolerance, upper } = ends;
    // Three tenths of the end are missing.
    const start = Math.log(0.35) / 5;
    const found = calibratedByEnds(AXIS, { epsilon, tolerance, upper, ...(slope && { slope }) }, start)!;
    expect(found.value ** 5).toBeLessThanOrEqual(0.5);
    return new Set(asked).size;
  };
  expect(looks(5)).toBeLessThan(looks());
});

it('says where nothing meets the target, and where all does', () => {
  expect(calibratedByEnds(AXIS, endsOf(1e-9, () => 1.01).ends, 0)).toBeNull();
  const all = calibratedByEnds(AXIS, endsOf(1e9, () => 1.01).ends, 0)!;
  expect(all.value).toBeCloseTo(20, 9);
  expect(all.next).toBeNull();
});

it('certifies the values beside a jump of the bound, though much is left to the target', () => {
  const asked: number[] = [];
  const curve = (value: number): number => (value < 0.5 ? 0.3 : 0.5) * value;
  const upper = (value: number): number => {
    asked.push(value);
    return 1.02 * curve(value);
  };
  const ends = { epsilon: 0.2, tolerance: TOLERANCE, upper, estimate: curve };
  const found = calibratedByEnds(AXIS, ends, Math.log(0.45))!;
  expect(found.value).toBeLessThan(0.5);
  expect(found.value).toBeGreaterThan(0.498);
  expect(found.next).toBeGreaterThanOrEqual(0.5);
  expect(new Set(asked).size).toBe(2);
});
