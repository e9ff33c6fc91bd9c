import { expect, it, vi } from 'vitest';
import { onceEach, onceEachObject } from '@shuffle-dp/core';

it('a function is asked once for each argument, whatever it gave', () => {
  const compute = vi.fn<(x: number) => number | undefined>((x) => (x < 0 ? undefined : Math.sqrt(x)));
  const once = onceEach(compute);
  expect([4, -1, 4, 9, -1, 4].map((x) => once(x))).toEqual([2, undefined, 2, 3, undefined, 2]);
  expect(compute.mock.calls).toEqual([[4], [-1], [9]]);
});

it('computes each object once, and tells equal ones apart', () => {
  const asked: string[] = [];
  const nameOf = onceEachObject(({ name }: { readonly name?: string }) => {
    asked.push(name ?? 'none');
    return name;
  });
  const [first, second, nameless] = [{ name: 'a' }, { name: 'a' }, {}];
  expect([first, second, first, nameless, nameless].map((one) => nameOf(one))).toEqual([
    'a',
    'a',
    'a',
    undefined,
    undefined,
  ]);
  expect(asked).toEqual(['a', 'a', 'none']);
});
