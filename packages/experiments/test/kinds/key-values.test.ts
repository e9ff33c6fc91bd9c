// Draws are compared with their population by z tests at 5 standard errors: false-alarm rate of the file
// below 1e-4.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { openDataSource } from '../../src/data/data-sets.ts';
import { summaryJson } from '../../src/results/summary.ts';
import { itemEstimates } from '../../src/results/item-estimates.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-key-values-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'pairs',
  seed: 'pairs',
  adjacency: 'replace-one',
  trials: 40,
  data: { kind: 'key-values-zipf', domain: 7, items: 2, exponent: 0.5, low: 1, high: 5, unit: 'stars' },
  users: 5000,
  privacy: { delta: 1e-6 },
  protocols: [{ kind: 'pckv-grr', epsilon0: 3 }],
};
let runs = 0;
const run = (changes: object) =>
  runExperiment(parseConfig(JSON.stringify({ ...given, ...changes }), 'pairs.yaml'), 'pairs.yaml', {
    out: join(root, `run ${runs++}`),
    workers: 0,
  });

describe('a run on key-value pairs', () => {
  it.each(['frequencies', 'means'] as const)('measures %s of the keys, on both paths', async (measure) => {
    for (const simulation of ['messages', 'aggregated']) {
      // One run after the other: each takes a core.
      // oxlint-disable-next-line no-await-in-loop
      const { cells } = await run({ measure, simulation });
      const [cell] = cells;
      expect([cell!.domain, cell!.items]).toEqual([7, 2]);
      expect(cell!.mse / cell!.mseTheory!).toBeGreaterThan(0.5);
      expect(cell!.mse / cell!.mseTheory!).toBeLessThan(2);
    }
  });

  it('of a billion users takes no longer', async () => {
    const { cells } = await run({ users: 1e9, measure: 'means', trials: 20 });
    expect(cells[0]!.mse / cells[0]!.mseTheory!).toBeGreaterThan(0.4);
    expect(cells[0]!.mse / cells[0]!.mseTheory!).toBeLessThan(2);
  });
});

describe('generated pairs', () => {
  const config = { kind: 'key-values-zipf', domain: 7, items: 2, exponent: 1, low: 1, high: 5 } as const;
  const source = openDataSource(config, null);
  it.each(['messages', 'aggregated'] as const)('follow their population on the path %s', (path) => {
    const users = 40_000;
    const data = source.draw(users, path, RandomStream.fromSeed(`pairs ${path}`));
    expect(data.histogram.reduce((sum, holders) => sum + holders, 0)).toBe(2 * users);
    const { frequencies, means } = data.population!;
    data.histogram.forEach((holders, key) => {
      const f = frequencies[key]!;
      expect(Math.abs(holders / users - f) / Math.sqrt((f * (1 - f)) / users)).toBeLessThan(5);
      // Values of a binomial law of ten steps have a deviation of at most 4 sqrt(0.25 / 10).
      expect(Math.abs(data.sums[key]! / holders - means[key]!)).toBeLessThan((5 * 0.64) / Math.sqrt(holders));
    });
    expect(data.pairs === undefined).toBe(path === 'aggregated');
  });

  it('are of distinct keys, one of each shelf, and are what is counted', () => {
    const { pairs, counts, sums, squares } = source.draw(500, 'messages', RandomStream.fromSeed('shelves'));
    const recounted = new Float64Array(7);
    const resquared = new Float64Array(7);
    for (let u = 0; u < 500; u++) {
      expect([pairs!.keys[2 * u]! % 2, pairs!.keys[2 * u + 1]! % 2]).toEqual([0, 1]);
      for (const place of [2 * u, 2 * u + 1]) {
        recounted[pairs!.keys[place]!]! += pairs!.values[place]!;
        resquared[pairs!.keys[place]!]! += pairs!.values[place]! ** 2;
      }
    }
    recounted.forEach((sum, key) => expect(sums[key]).toBeCloseTo(sum, 8));
    resquared.forEach((square, key) => expect(squares[key]).toBeCloseTo(square, 8));
    expect(counts!.holders.reduce((sum, holders) => sum + holders, 0)).toBe(1000);
  });
});

describe('pairs of a file', () => {
  const at = (name: string, text: string): string => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
  const open = (path: string, more: object = {}) =>
    openDataSource(
      { kind: 'csv-key-values', path, items: 2, user: 0, key: 1, value: 2, low: 0, high: 10, ...more },
      path,
    );
  const text = 'user,product,stars\na,tea,4\nb,tea,2\na,jam,10\nc,jam,7\nc,tea,1\nc,egg,12\nb,egg,3\n';

  it('are read by user, under the names of their keys', () => {
    const source = open(at('ratings.csv', text), { user: 'user', key: 'product', value: 'stars' });
    expect(source.names).toEqual(['egg', 'jam', 'tea']);
    expect(source.notices).toEqual([
      '1 user with more than 2 pairs: 2 of them are drawn; the true values are computed after that',
      '1 value outside 0 to 10: counted as the nearer end, also in the true values',
    ]);
    const data = source.draw(3, 'messages', RandomStream.fromSeed('x'));
    expect(data.users).toBe(3);
    // Who has three pairs keeps two of them.
    expect(data.histogram.reduce((sum, holders) => sum + holders, 0)).toBe(6);
    expect(Array.from(data.pairs!.keys.subarray(0, 4))).toEqual([2, 1, 2, 0]);
    expect(Array.from(data.pairs!.values.subarray(0, 4))).toEqual([4, 10, 2, 3]);
  });

  it('of users with fewer are padded with keys of their own', () => {
    const source = open(at('short.csv', 'a,tea,4\nb,jam,5\nb,tea,2\n'));
    expect(source.names).toEqual(['jam', 'tea', '(padding 1)']);
    expect(source.notices.join()).toContain('1 user with fewer than 2 pairs: padded with added keys');
    const data = source.draw(2, 'messages', RandomStream.fromSeed('x'));
    expect([...data.histogram]).toEqual([1, 2, 1]);
    expect(data.sums[2]).toBe(5);
  });

  it('count in the error of means but for the keys that were added', async () => {
    const lines = Array.from({ length: 600 }, (_, u) => `${u},tea,4\n${u % 2 === 0 ? `${u},jam,6\n` : ''}`);
    const path = at('padded.csv', lines.join(''));
    const data = { kind: 'csv-key-values', path, items: 2, user: 0, key: 1, value: 2, low: 0, high: 10 };
    const users = 'all';
    const done = await run({ data, users, measure: 'means', simulation: 'messages', trials: 100 });
    // A report can say it, without where the file lies.
    expect(done.dataNotes!.join()).toContain('300 users with fewer than 2 pairs');
    expect(done.dataNotes!.join()).not.toContain(path);
    expect(summaryJson(done)).toContain('300 users with fewer than 2 pairs');
    expect(summaryJson(done, { truth: false })).not.toContain('300 users');
    const [cell] = done.cells;
    const ofKeys = itemEstimates(cell!, done).map(({ deviation }) => deviation! ** 2);
    expect(ofKeys).toHaveLength(3);
    // The mean squared error of the two real keys, which have next to no bias; the third would add a third.
    expect(cell!.mse / (ofKeys[0]! + ofKeys[1]!)).toBeCloseTo(1, 1);
    expect(cell!.mse / cell!.mseTheory!).toBeGreaterThan(0.7);
    expect(cell!.mse / cell!.mseTheory!).toBeLessThan(1.4);
    const perKey = await run({
      data,
      users,
      measure: 'means',
      error: 'per-item',
      simulation: 'messages',
      trials: 2,
    });
    expect(perKey.cells[0]!.error.mean).toBeCloseTo(perKey.cells[0]!.mse / 2, 12);
  });

  it('are refused with the line', () => {
    expect(() => open(at('twice.csv', 'a,tea,4\na,tea,5\n'))).toThrow(
      /line 2: user "a" has key "tea" twice/u,
    );
    expect(() => open(at('word.csv', 'a,tea,4\na,jam,good\n'))).toThrow(
      /line 2: "good" in column 2 is no number/u,
    );
    expect(() => open(at('narrow.csv', 'a,tea\nb,jam\n'))).toThrow(/line 1: has no value in column 2/u);
    expect(() => open(at('lacking.csv', 'a,tea,4\na,,5\n'))).toThrow(/line 2: has no value in column 1/u);
  });

  it('run under their names', async () => {
    const path = at('ratings.csv', text);
    const data = {
      kind: 'csv-key-values',
      path,
      items: 2,
      user: 'user',
      key: 'product',
      value: 'stars',
      low: 0,
      high: 10,
    };
    const done = await run({ data, users: 'all', measure: 'means', simulation: 'messages', trials: 3 });
    expect(itemEstimates(done.cells[0]!, done).map(({ name }) => name)).toEqual(['egg', 'jam', 'tea']);
    await expect(run({ data, users: 'all', simulation: 'aggregated' })).rejects.toThrow(
      "simulation = \"aggregated\": must be 'messages', and 'aggregated' is the default: values of a file are too many to count",
    );
  });
});
