import { expect, it } from 'vitest';
import { Allowance } from '../src/allowance.ts';

it('an allowance has left what was not taken, and never less than nothing', () => {
  const allowance = new Allowance(10);
  allowance.take(4);
  expect(allowance.left).toBe(6);
  allowance.sines += 3;
  expect(allowance.left).toBe(3);
  allowance.take(30);
  expect(allowance.left).toBe(0);
  expect(allowance.sines).toBe(37);
});
