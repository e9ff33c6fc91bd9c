import { CLAIMS } from '@shuffle-dp/papers/claims';
import { expect, it } from 'vitest';
import { askedEntries } from '../src/options/paper-option.ts';

const asked = (paper: string | undefined, ...words: string[]) =>
  askedEntries('claims', CLAIMS, paper, words).map(({ id }) => id);

it('a prefix selects the entries below it, and a wrong word is named', () => {
  expect(asked(undefined, 'comp')).toHaveLength(5);
  expect(asked(undefined, 'vr.table5')).toEqual(['vr.table5', 'vr.table5.time', 'vr.table5.ten-steps']);
  expect(() => asked(undefined, 'vr', 'nothing')).toThrow('claims nothing: must be one of vr.table5, ');
});

it('a paper selects its own, and knows no others', () => {
  expect(asked('composition', 'comp')).toHaveLength(5);
  expect(asked(undefined)).toHaveLength(CLAIMS.length);
  expect(() => asked('composition', 'vr')).toThrow('claims vr: must be one of comp.');
});
