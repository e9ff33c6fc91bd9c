import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { chiSquareTest, ReferenceGenerator, zTest } from '@shuffle-dp/core/testkit';

const SIGNIFICANCE = 1e-7;

test('the generator is xoshiro128**', () => {
  const stream = RandomStream.fromSeed('any');
  stream.state.set([1, 2, 3, 4]);
  const reference = new ReferenceGenerator([1, 2, 3, 4]);
  const expected = Array.from({ length: 1000 }, () => reference.word());
  expect(expected.slice(0, 3)).toEqual([11520, 0, 5927040]);
  expect(Array.from({ length: 1000 }, () => stream.nextUint32())).toEqual(expected);
});

test('bulk filling gives the numbers of single draws', () => {
  const [one, other] = [RandomStream.fromSeed('fill'), RandomStream.fromSeed('fill')];
  const words = new Uint32Array(50);
  one.fillUint32(words, 3, 47);
  expect(Array.from(words.subarray(3, 47))).toEqual(Array.from({ length: 44 }, () => other.nextUint32()));
  const doubles = new Float64Array(20);
  one.fill(doubles, 1, 19);
  expect(Array.from(doubles.subarray(1, 19))).toEqual(Array.from({ length: 18 }, () => other.next()));
  expect([words[0], words[2], words[47], doubles[0], doubles[19]]).toEqual([0, 0, 0, 0, 0]);
});

test('a seed with labels is the fork of the fork', () => {
  const labelled = RandomStream.fromSeed('s/1', 'a%', 7);
  const forked = RandomStream.fromSeed('s/1').fork('a%').fork(7);
  expect(labelled.path).toBe(forked.path);
  expect(labelled.path).toBe('s%2F1/a%25/7');
  expect(labelled.next()).toBe(forked.next());
});

test('forks depend on names alone, not on what was drawn', () => {
  const fresh = RandomStream.fromSeed('s');
  const used = RandomStream.fromSeed('s');
  for (let i = 0; i < 100; i++) used.next();
  expect(used.fork('trial').fork(7).next()).toBe(fresh.fork('trial').fork('7').next());
  expect(fresh.fork('a').path).toBe('s/a');
});

test('no collision among 100,000 paths, the troublesome ones included', () => {
  const paths = new Set<string>();
  const record = (stream: RandomStream): void => {
    paths.add(stream.state.join(' '));
  };
  const root = RandomStream.fromSeed('root');
  for (let i = 0; i < 99_980; i++) record(root.fork(i));
  const special = ['1', '11', '111', 'a', 'aa', 'ab', 'abab', '', 'ä', '\u0101', 'a/b', 'a%2Fb', 'root/1'];
  for (const seed of special) record(RandomStream.fromSeed(seed));
  record(RandomStream.fromSeed('a').fork('b'));
  record(RandomStream.fromSeed('a').fork('b').fork(''));
  expect(paths.size).toBe(99_980 + special.length + 2);
}, 60_000);

test('bytes, bits and bounded integers are uniform, over forks and within a stream', () => {
  const root = RandomStream.fromSeed('uniform');
  const bytes = new Float64Array(256);
  const bits = new Float64Array(32);
  const draws = 20_000;
  for (let i = 0; i < draws; i++) {
    const word = root.fork(i).nextUint32();
    bytes[word >>> 24] = bytes[word >>> 24]! + 1;
    for (let bit = 0; bit < 32; bit++) bits[bit] = bits[bit]! + ((word >>> bit) & 1);
  }
  expect(
    chiSquareTest(
      bytes,
      bytes.map(() => draws / 256),
    ).pValue,
  ).toBeGreaterThan(SIGNIFICANCE);
  for (const ones of bits)
    expect(zTest(ones / draws, 0.5, 0.5 / Math.sqrt(draws))).toBeGreaterThan(SIGNIFICANCE);
  for (const bound of [1, 2, 3, 7, 1000, 3_000_000, 2 ** 32, 2 ** 40 + 1]) {
    const cells = Math.min(bound, 16);
    const counts = new Float64Array(cells);
    let outside = 0;
    for (let i = 0; i < draws; i++) {
      const value = root.integerBelow(bound);
      if (!(value < bound && value >= 0 && Number.isInteger(value))) outside++;
      const cell = bound <= 16 ? value : Math.floor((value / bound) * cells);
      counts[cell] = counts[cell]! + 1;
    }
    expect(outside).toBe(0);
    const width = (cell: number): number =>
      bound <= 16
        ? 1 / bound
        : (Math.ceil(((cell + 1) * bound) / cells) - Math.ceil((cell * bound) / cells)) / bound;
    expect(
      chiSquareTest(
        counts,
        counts.map((_, cell) => draws * width(cell)),
      ).pValue,
    ).toBeGreaterThan(SIGNIFICANCE);
  }
});

test('sibling forks are uncorrelated', () => {
  const root = RandomStream.fromSeed('correlation');
  const draws = 50_000;
  const [a, b] = [root.fork('a'), root.fork('b')];
  let sum = 0;
  for (let i = 0; i < draws; i++) sum += (a.next() - 0.5) * (b.next() - 0.5);
  expect(zTest(sum / draws, 0, 1 / 12 / Math.sqrt(draws))).toBeGreaterThan(SIGNIFICANCE);
});
