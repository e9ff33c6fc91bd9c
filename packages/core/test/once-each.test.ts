import { expect, it, vi } from 'vitest';
import { onceEach } from '@shuffle-dp/core';

it('a function is asked once for each argument, whatever it gave', () => {
  const compute = vi.fn<(x: number) => number | undefined>((x) => (x < 0 ? undefined : Math.sqrt(x)));
  const once = onceEach(compute);
  expect([4, -1, 4, 9, -1, 4].map((x) => once(x))).toEqual([2, undefined, 2, 3, undefined, 2]);
  expect(compute.mock.calls).toEqual([[4], [-1], [9]]);
});
