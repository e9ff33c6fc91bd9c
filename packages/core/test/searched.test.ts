import { expect, it, vi } from 'vitest';
import { searched, withSearches } from '@shuffle-dp/core';

it('what was found is not searched for again, and is the same', () => {
  const search = vi.fn<(x: number) => { root: number }>((x) => ({ root: Math.sqrt(x) }));
  const make = () => [2, 3, 2].map((x) => searched(`root of ${x}`, () => search(x)).root);
  const first = withSearches({}, make);
  expect(first.made).toEqual([Math.SQRT2, Math.sqrt(3), Math.SQRT2]);
  expect(search).toHaveBeenCalledTimes(3);
  const again = withSearches(structuredClone(first.found), make);
  expect(again).toEqual(first);
  expect(search).toHaveBeenCalledTimes(3);
});

it('two searches of one name are told apart by their order', () => {
  const make = () => [5, 7].map((value) => searched('a value', () => value));
  const { found } = withSearches({}, make);
  expect(Object.values(found)).toEqual([5, 7]);
  expect(withSearches(found, make).made).toEqual([5, 7]);
});

it('a search inside another is a part of it', () => {
  const make = () => searched('outer', () => 1 + searched('inner', () => 2));
  expect(Object.keys(withSearches({}, make).found)).toHaveLength(1);
});

it('nothing is remembered outside, nor after a failure', () => {
  const search = vi.fn<() => number>(() => 1);
  for (let i = 0; i < 2; i++) searched('one', search);
  expect(search).toHaveBeenCalledTimes(2);
  const fail = () => {
    throw new Error('nothing there');
  };
  expect(() => withSearches({}, () => searched('none', fail))).toThrow('nothing there');
  searched('one', search);
  expect(search).toHaveBeenCalledTimes(3);
});
