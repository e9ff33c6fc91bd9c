import { expect, it, vi } from 'vitest';
import { keptByKey, onceEach, onceEachObject } from '@shuffle-dp/core';

it('a function is asked once for each argument, whatever it gave', () => {
  const compute = vi.fn<(x: number) => number | undefined>((x) => (x < 0 ? undefined : Math.sqrt(x)));
  const once = onceEach(compute);
  expect([4, -1, 4, 9, -1, 4].map((x) => once(x))).toEqual([2, undefined, 2, 3, undefined, 2]);
  expect(compute.mock.calls).toEqual([[4], [-1], [9]]);
});

it('makes a value again once others were asked for since, and no sooner', () => {
  const made: string[] = [];
  const kept = keptByKey<number | undefined>(2);
  const ask = (key: string): number | undefined =>
    kept(key, () => {
      made.push(key);
      return key === 'none' ? undefined : key.length;
    });
  expect(['a', 'none', 'a', 'none', 'abc', 'a'].map((key) => ask(key))).toEqual([
    1,
    undefined,
    1,
    undefined,
    3,
    1,
  ]);
  expect(made).toEqual(['a', 'none', 'abc', 'a']);
});

it('keeps nothing of what could not be made', () => {
  const kept = keptByKey<number>();
  const failing = (): number => {
    throw new Error('not now');
  };
  expect(() => kept('a', failing)).toThrow('not now');
  expect(kept('a', () => 1)).toBe(1);
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
