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
});
