// Errors are compared with their formulas by z tests at 4.5 standard errors: false-alarm rate of the file
// below 1e-4.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { itemEstimates } from '../../src/results/item-estimates.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-places-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'places',
  seed: 'places',
  adjacency: 'replace-one',
  trials: 200,
  data: { kind: 'places-clusters', width: 6, height: 4, unit: 'km', grid: 3 },
  users: 400,
  privacy: { epsilon: 2, delta: 1e-4 },
  protocols: [{ kind: 'planar-laplace' }],
};
let runs = 0;
const run = (changes: object) =>
  runExperiment(parseConfig(JSON.stringify({ ...given, ...changes }), 'places.yaml'), 'places.yaml', {
    out: join(root, `run ${runs++}`),
    workers: 0,
  });

describe('a run on places', () => {
  it.each([
    ['cells, aggregated', {}, 9],
    ['cells, by messages', { simulation: 'messages' }, 9],
    ['mean, aggregated', { measure: 'mean' }, 2],
    ['mean, by messages', { measure: 'mean', simulation: 'messages' }, 2],
  ])('has the errors of its formulas: %s', async (_name, changes, domain) => {
    const result = await run(changes);
    const [cell] = result.cells;
    const { mse, mseTheory, squaredErrors } = cell!;
    expect(cell!.domain).toBe(domain);
    const spread = squaredErrors.reduce((sum, error) => sum + (error - mse) ** 2, 0);
    expect(Math.abs(mse - mseTheory!)).toBeLessThan((4.5 * Math.sqrt(spread)) / squaredErrors.length);
    expect(cell!.certified[0]!.epsilon.upper).toBeLessThanOrEqual(2 * (1 + 1e-9));
    const names = itemEstimates(cell!, result).map(({ name }) => name);
    expect(names[0]).toBe(domain === 2 ? 'x (km)' : 'x 1, y 0.6667 km');
  });

  it('clips each coordinate of the mean place to its own side', async () => {
    const changes = {
      measure: 'mean',
      trials: 1,
      users: 20,
      privacy: { delta: 1e-4 },
      data: { kind: 'places-clusters', width: 12, height: 1 },
      protocols: [{ kind: 'planar-laplace', epsilon0: 1 }],
    };
    const means = async (postprocess: string): Promise<number[]> => {
      const { cells } = await run({ ...changes, seed: 'clip 0', postprocess });
      return [...cells[0]!.answers!.means];
    };
    const [raw, clipped] = [await means('none'), await means('clip')];
    const [x, y] = raw as [number, number];
    // The noise of one coordinate is larger than the height.
    expect(y).toBeGreaterThan(1);
    expect(clipped).toEqual([Math.min(12, Math.max(0, x)), 1]);
  });

  it('reads the columns of a file, in their unit', async () => {
    const path = join(root, 'places.csv');
    writeFileSync(path, 'id,east,north\n1,100,200\n2,300,250\n3,-50,100\n4,350,10\n');
    const data = {
      kind: 'csv-places',
      path,
      x: 'east',
      y: 'north',
      xLow: 0,
      xHigh: 400,
      yLow: 0,
      yHigh: 300,
      grid: 2,
      unit: 'm',
    };
    const privacy = { delta: 1e-4 };
    const protocols = [{ kind: 'planar-laplace', epsilon0: 3 }];
    const result = await run({ data, users: 'all', privacy, protocols, trials: 2 });
    // Numbered along x, then along y; the third user is moved to the western end.
    expect(itemEstimates(result.cells[0]!, result).map(({ truth }) => truth)).toEqual([
      0.25, 0.25, 0.25, 0.25,
    ]);
    expect(() => run({ data: { ...data, xHigh: 0 }, users: 'all', privacy, protocols })).toThrow(
      'places.yaml: data.xHigh = 0: must be above xLow, 0',
    );
    expect(() => run({ data: { ...data, grid: 30 }, users: 'all', privacy, protocols })).toThrow(
      'data.grid = 30: must be an integer from 2 to 24',
    );
  });

  it('refuses what it does not know', () => {
    expect(() => run({ measure: 'sum' })).toThrow('measure = "sum": must be frequencies or mean for places');
    expect(() => run({ threats: { dropout: 0.1 } })).toThrow('threats.dropout = 0.1: must be left out');
    expect(() => run({ protocols: [{ kind: 'frequency', randomizer: 'grr' }] })).toThrow(
      'must be a protocol for places',
    );
  });
});
