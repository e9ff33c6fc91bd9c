import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RandomStream, type FrequencyOracle } from '@shuffle-dp/core';
import { twoSampleChiSquare } from '@shuffle-dp/core/testkit';
import { shuffle } from '@shuffle-dp/shuffler';
import { ownOracle } from '../../src/run/own-randomizer.ts';

const EXAMPLE = fileURLToPath(
  new URL('../../../../examples/own-randomizer/abstaining-response.mjs', import.meta.url),
);

const histogramOf = (counts: readonly number[]): Float64Array => {
  const table = new Float64Array(30);
  // Cells of ten counts.
  for (const count of counts) table[Math.floor(count / 10)]!++;
  return table;
};

describe('the example of an own randomizer', () => {
  const [domain, users] = [4, 300];
  let oracle: FrequencyOracle;
  beforeAll(async () => {
    const { default: make } = (await import(EXAMPLE)) as { default: (parameters: object) => FrequencyOracle };
    oracle = make({ domain, epsilon0: 1.5, abstain: 0.3 });
  });
  const values = Uint32Array.from({ length: users }, (_, user) => (user < 200 ? 0 : 1 + (user % 3)));
  const histogram = Float64Array.of(200, 33, 33, 34);

  it('counts by messages as it does aggregated', () => {
    const byMessages: number[] = [];
    const aggregated: number[] = [];
    for (let trial = 0; trial < 600; trial++) {
      const stream = RandomStream.fromSeed(`trial ${trial}`);
      const messages = oracle.allocate(users);
      oracle.randomizeInto(values, messages, stream.fork('messages'));
      byMessages.push(oracle.supportCounts(shuffle(messages, stream.fork('shuffle')))[0]!);
      aggregated.push(oracle.sampleSupportCounts(histogram, stream.fork('aggregated'))[0]!);
    }
    // False alarm rate 1e-6.
    expect(twoSampleChiSquare(histogramOf(byMessages), histogramOf(aggregated)).pValue).toBeGreaterThan(1e-6);
  });

  it('tells accountants masses that sum to one', () => {
    const { blanket, homogeneous } = oracle.amplification();
    const sum = (masses: Float64Array): number => masses.reduce((total, mass) => total + mass, 0);
    for (const { victim0, victim1 } of [...blanket, ...homogeneous]) {
      expect(sum(victim0)).toBeCloseTo(1, 12);
      expect(sum(victim1)).toBeCloseTo(1, 12);
    }
    expect(sum(homogeneous[0]!.others)).toBeCloseTo(1, 12);
    expect(sum(blanket[0]!.others)).toBeLessThan(1);
  });
});

describe('a module', () => {
  let folder: string;
  let made = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'own-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const load = (content: string) => {
    const file = join(folder, `module-${made++}.mjs`);
    writeFileSync(file, content);
    return ownOracle({ kind: 'own-randomizer', module: file, digest: '', options: {} }, 4, 1);
  };

  it.each([
    ['that is no JavaScript', 'export default (', 'must be a module that can be loaded'],
    ['without a default export', 'export const oracle = 3;', 'whose default export is a function'],
    [
      'that makes something else',
      'export default () => ({ allocate() {} });',
      'one whose oracle has randomizeInto',
    ],
    ['that refuses its options', "export default () => { throw new RangeError('too shy'); };", 'too shy'],
  ])('%s is refused in one line', (_, content, reason) => {
    expect(() => load(content)).toThrow(reason);
  });

  it('of another domain than asked for is refused', () => {
    const body =
      'allocate, randomizeInto, amplification, supportCounts, estimate, variance, sampleSupportCounts';
    const content = `const [${body}] = Array(7).fill(() => 0); export default () => ({ domain: 5, epsilon0: 1, ${body} });`;
    expect(() => load(content)).toThrow('the domain and epsilon0 it was given');
  });
});
