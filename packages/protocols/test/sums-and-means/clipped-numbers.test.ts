// Numbers outside of a range are moved to its ends: the bias is part of the expected error.
import { expect, it } from 'vitest';
import { createNumberProtocol } from '@shuffle-dp/protocols';

const SPECS = [
  { kind: 'fixed-point-mean' },
  { kind: 'split-and-mix' },
  { kind: 'anonymous-count' },
  { kind: 'mean', randomizer: 'duchi' },
] as const;

it.each(SPECS)('$kind expects the square of the bias beside the variance', (spec) => {
  const users = 100;
  const range = { low: 20, high: 60 };
  const protocol = createNumberProtocol(spec, { users, epsilon: 1, delta: 1e-4, range });
  const inside = new Float64Array(users).fill(60);
  // 100 and 20 above the range: the mean is 1.2 too low.
  const outside = inside.slice();
  outside[0] = 160;
  outside[1] = 80;
  const errorOf = (values: Float64Array): number =>
    protocol.expectedError({ kind: 'numbers', users, values })!;
  expect(errorOf(outside) - errorOf(inside)).toBeCloseTo(1.2 ** 2, 9);
});
