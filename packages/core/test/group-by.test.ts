import { expect, it } from 'vitest';
import { groupBy } from '@shuffle-dp/core';

it('keeps keys and values in the order in which they come', () => {
  const groups = groupBy(['pear', 'fig', 'plum', 'kiwi', 'nut'], ({ length }) => length);
  expect([...groups]).toEqual([
    [4, ['pear', 'plum', 'kiwi']],
    [3, ['fig', 'nut']],
  ]);
});
