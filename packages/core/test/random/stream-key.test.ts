import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import seedrandom from 'seedrandom';
import { pathSegment, stateFromPath } from '../../src/random/stream-key.ts';

/** The state as Node's own SHA-256 gives it. */
function stateByNode(path: string): number[] {
  const key = createHash('sha256').update(`shuffle-dp stream 1\n${path}`, 'utf8').digest('hex');
  const source = seedrandom(key);
  return Array.from({ length: 4 }, () => source.int32());
}

it('a path gives the state that SHA-256 of Node gives', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect([...stateFromPath(path)]).toEqual(stateByNode(path));
    }),
  );
});

it.each(['', '1', '11', 'seed/0/trial', '\u00e9\ud83c\udf33', '\ud800 alone', 'x'.repeat(10_000)])(
  'so does %j',
  (path) => {
    expect([...stateFromPath(path)]).toEqual(stateByNode(path));
  },
);

it('keeps the numbers that runs were made with', () => {
  // By sha256sum of "shuffle-dp stream 1\nseed/0": the key that seedrandom got.
  const key = 'e203efb5d625a69e477ac117f6c88b021fc0275ff7fd77838ff1cdc8d67ee263';
  const source = seedrandom(key);
  expect([...stateFromPath('seed/0')]).toEqual(Array.from({ length: 4 }, () => source.int32()));
});

it('labels with a separator stay apart', () => {
  expect(pathSegment('a/b')).toBe('a%2Fb');
  expect(pathSegment('a%2Fb')).toBe('a%252Fb');
});
