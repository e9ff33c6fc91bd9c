import { describe, expect, it } from 'vitest';
import { evenNumbers } from '../../src/plan/even-data.ts';

describe('users spread evenly over numbers', () => {
  it.each([1, 2, 20, 50, 75, 100, 101, 2000])('are all there, low and high alike: %d', (users) => {
    const { points, holders } = evenNumbers(users).counts!;
    expect(holders.reduce((sum, count) => sum + count)).toBe(users);
    const mean = holders.reduce((sum, count, i) => sum + count * points[i]!, 0) / users;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.01);
  });

  // A number in [0, 1] that is rounded to either end has variance x (1 - x), a sixth for uniform x.
  it.each([20, 50, 75, 2000])('are rounded to either end as uniform ones are: %d', (users) => {
    const { points, holders } = evenNumbers(users).counts!;
    const variance =
      holders.reduce((sum, count, i) => sum + count * points[i]! * (1 - points[i]!), 0) / users;
    expect(variance * 6).toBeCloseTo(1, 1);
    expect(Math.abs(variance * 6 - 1)).toBeLessThan(0.015);
  });

  // Where noise depends on the value, its variance follows the mean square: a third for uniform numbers.
  it.each([2000, 3000, 1e6])('have the spread of uniform ones: %d', (users) => {
    const { points, holders } = evenNumbers(users).counts!;
    const square = holders.reduce((sum, count, i) => sum + count * points[i]! ** 2, 0) / users;
    expect(Math.abs(3 * square - 1)).toBeLessThan(1e-3);
  });

  // To one of the two nearest steps, so that the mean stays: a sixth of a step's square for uniform numbers.
  it.each([2, 10, 25, 100, 101, 500, 1000, 10_000])(
    'are rounded as uniform ones are to %d steps',
    (steps) => {
      const { points, holders } = evenNumbers(1e6).counts!;
      const variance = points.reduce((sum, point, i) => {
        const above = (point * steps) % 1;
        return sum + (holders[i]! * above * (1 - above)) / 1e6;
      }, 0);
      expect(Math.abs(6 * variance - 1)).toBeLessThan(5e-3);
    },
  );
});
