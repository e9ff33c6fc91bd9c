import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { openDataSource } from '../../src/data/data-sets.ts';
import { itemEstimates } from '../../src/results/item-estimates.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-vectors-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'vectors',
  seed: 'vectors',
  adjacency: 'replace-one',
  trials: 60,
  simulation: 'messages',
  data: { kind: 'vectors-sphere', dimensions: 6 },
  users: 300,
  privacy: { delta: 1e-6 },
  protocols: [
    { kind: 'priv-unit', epsilon0: 2 },
    { kind: 'vector-mean', sampled: 2, epsilon0: 2 },
  ],
};
let runs = 0;
const run = (changes: object) =>
  runExperiment(parseConfig(JSON.stringify({ ...given, ...changes }), 'v.yaml'), 'v.yaml', {
    out: join(root, `run ${runs++}`),
    workers: 0,
  });

describe('a run on vectors', () => {
  it('measures the mean by coordinate, with the errors of the formulas', async () => {
    const { cells } = await run({});
    for (const { mse, mseTheory, squaredErrors, domain } of cells) {
      expect(domain).toBe(6);
      const spread = squaredErrors.reduce((sum, error) => sum + (error - mse) ** 2, 0);
      // Two z tests at 5 standard errors.
      expect(Math.abs(mse - mseTheory!)).toBeLessThan((5 * Math.sqrt(spread)) / squaredErrors.length);
    }
  });

  it('of directions alone refuses what its protocols have not', () => {
    expect(() => run({ simulation: 'aggregated' })).toThrow(
      `v.yaml: simulation = "aggregated": must be 'messages' for PrivUnit, and 'aggregated' is the default`,
    );
    expect(() => run({ measure: 'sum' })).toThrow('v.yaml: measure = "sum": must be mean for vectors');
  });
});

it('generated vectors are directions around the first coordinates', () => {
  const source = openDataSource({ kind: 'vectors-sphere', dimensions: 4, concentration: 2 }, null);
  const { values } = source.draw(2000, RandomStream.fromSeed('sphere'));
  const sums = [0, 0, 0, 0];
  for (let u = 0; u < 2000; u++) {
    const row = values.subarray(4 * u, 4 * u + 4);
    expect(Math.hypot(...row)).toBeCloseTo(1, 12);
    row.forEach((value, j) => (sums[j]! += value / 2000));
  }
  expect(sums[0]).toBeGreaterThan(sums[1]!);
  expect(sums[1]).toBeGreaterThan(sums[3]!);
  expect(sums[3]).toBeGreaterThan(0.1);
});

describe('vectors of a file', () => {
  const at = (name: string, text: string): string => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
  const open = (path: string) => openDataSource({ kind: 'csv-vectors', path, low: -1, high: 1 }, path);

  it('are read under their header, and run under its names', async () => {
    const path = at('points.csv', 'east,north\n0.5,-2\n0,1\n-1,0.25\n');
    const source = open(path);
    expect(source.names).toEqual(['east', 'north']);
    expect(source.notices.at(-1)).toBe(
      '1 coordinate outside -1 to 1: counted as the nearer end, also in the true values',
    );
    const data = source.draw(3, RandomStream.fromSeed('x'));
    expect([...data.values]).toEqual([0.5, -1, 0, 1, -1, 0.25]);
    const config = { data: { kind: 'csv-vectors', path, low: -1, high: 1 }, users: 'all', trials: 2 };
    const done = await run({ ...config, protocols: [{ kind: 'vector-mean', epsilon0: 1 }] });
    expect(itemEstimates(done.cells[0]!, done).map(({ name, truth }) => [name, truth])).toEqual([
      ['east', -0.5 / 3],
      ['north', 0.25 / 3],
    ]);
  });

  it('are refused with the line', () => {
    expect(() => open(at('word.csv', '1,2\n3,four\n'))).toThrow(/line 2: "four" in column 1 is no number/u);
    expect(() => open(at('lack.csv', '1,2\n,4\n'))).toThrow(/line 2: has no value in column 0/u);
  });
});
