// Errors are compared with their formulas by z tests at 4.5 standard errors: false-alarm rate of the file
// below 1e-4.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { openDataSource, type DataConfig } from '../../src/data/data-sets.ts';
import type { CellResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-numbers-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const given = {
  name: 'numbers',
  seed: 'numbers',
  adjacency: 'replace-one',
  trials: 300,
  simulation: 'messages',
  data: { kind: 'numbers-gaussian-bump', low: -10, high: 30, unit: 'degrees' },
  users: 400,
  privacy: { epsilon: 2, delta: 1e-5 },
  protocols: [{ kind: 'mean', randomizer: ['duchi', 'piecewise'] }],
};

let runs = 0;
async function cellsOf(changes: object, file = 'numbers.yaml'): Promise<readonly CellResult[]> {
  const config = parseConfig(JSON.stringify({ ...given, ...changes }), file);
  return (await runExperiment(config, file, { out: join(root, `run ${runs++}`), workers: 0 })).cells;
}

function zOf({ mse, mseTheory, squaredErrors }: CellResult): number {
  const spread = squaredErrors.reduce((sum, error) => sum + (error - mse) ** 2, 0);
  return (mse - mseTheory!) / (Math.sqrt(spread) / squaredErrors.length);
}

describe('a run on numbers', () => {
  it('measures the mean, as its formula says', async () => {
    const cells = await cellsOf({});
    expect(cells.map(({ protocol }) => protocol)).toEqual(["Duchi's mechanism", 'Piecewise mechanism']);
    for (const cell of cells) {
      expect(Math.abs(zOf(cell))).toBeLessThan(4.5);
      expect(cell.domain).toBe(1);
      // The population's mean is further off than that of the users.
      expect(cell.msePopulation!).toBeGreaterThan(0);
    }
  });

  it('tells the messages of anonymous counts at the data, not at the worst', async () => {
    const [cell] = await cellsOf({
      trials: 20,
      users: 2000,
      simulation: 'aggregated',
      privacy: { epsilon: 1, delta: 1e-6 },
      data: { kind: 'numbers-uniform', low: 0, high: 1 },
      protocols: [{ kind: 'anonymous-count' }],
    });
    const { parameters, answers, messagesPerUser, bitsPerUser } = cell!;
    // Noise of both signs: a shared number and a geometric one of ratio e^-0.8, over all users together.
    const ratio = Math.exp(-0.8);
    const noise = 2 * ((parameters['sharedMean'] as number) + ratio / (1 - ratio));
    expect(messagesPerUser).toBeCloseTo(answers!.truths[0]! + noise / 2000, 9);
    expect(bitsPerUser).toBe(messagesPerUser);
  });

  it('measures the sum: the same trials, so many times as large', async () => {
    const protocols = [{ kind: 'mean', randomizer: 'duchi' }];
    const [mean] = await cellsOf({ protocols, measure: 'mean' });
    const [sum] = await cellsOf({ protocols, measure: 'sum' });
    expect(sum!.cell).not.toBe(mean!.cell);
    sum!.squaredErrors.forEach((error, i) =>
      expect(error / (mean!.squaredErrors[i]! * 400 ** 2)).toBeCloseTo(1, 6),
    );
    expect(sum!.mseTheory! / mean!.mseTheory!).toBeCloseTo(400 ** 2, 4);
  });

  it('draws a billion users without their messages', async () => {
    const [cell] = await cellsOf({
      simulation: 'aggregated',
      users: 1e9,
      trials: 50,
      privacy: { epsilon: 1, delta: 1e-10 },
      protocols: [{ kind: 'mean', randomizer: 'duchi' }],
    });
    expect(Math.abs(zOf(cell!))).toBeLessThan(4.5);
  });

  it('clips to the range of the numbers, and to that of their sum', async () => {
    const protocols = [{ kind: 'mean', randomizer: 'laplace', epsilon0: 0.01 }];
    const privacy = { delta: 1e-5 };
    const data = { ...given.data, centre: 0.05, width: 0.01 };
    const changes = { protocols, privacy, data, postprocess: 'clip', trials: 20 };
    const [mean] = await cellsOf(changes);
    // The range is 40 wide, and the noise of the mean much wider.
    expect(Math.max(...mean!.squaredErrors)).toBeLessThan(40 ** 2);
    const [sum] = await cellsOf({ ...changes, measure: 'sum' });
    expect(Math.max(...sum!.squaredErrors)).toBeLessThan((400 * 40) ** 2);
    expect(Math.max(...sum!.squaredErrors)).toBeGreaterThan(40 ** 2);
  });
});

describe('sources of numbers', () => {
  const draw = (config: DataConfig<'numbers'>, path: 'messages' | 'aggregated') =>
    openDataSource(config, null).draw(20_000, path, RandomStream.fromSeed(`numbers ${path}`));

  it.each([
    { kind: 'numbers-uniform', low: 0, high: 4, points: 5 },
    { kind: 'numbers-zipf', low: -1, high: 1, points: 100, exponent: 1 },
    { kind: 'numbers-gaussian-bump', low: 0, high: 1, points: 1001, centre: 0.5, width: 0.2 },
  ] as const)('$kind draws one law on both paths', (config) => {
    const messages = draw(config, 'messages');
    const aggregated = draw(config, 'aggregated');
    expect(aggregated.values).toBeUndefined();
    const { points, holders } = messages.counts!;
    const total = messages.values!.reduce((sum, value) => sum + value, 0);
    expect(points.reduce((sum, point, i) => sum + point * holders[i]!, 0)).toBeCloseTo(total, 6);
    for (const { counts } of [messages, aggregated]) {
      const mean = counts!.points.reduce((sum, point, i) => sum + point * counts!.holders[i]!, 0) / 20_000;
      const deviation = (config.high - config.low) / 2;
      expect(Math.abs(mean - messages.population![0]!)).toBeLessThan((4.5 * deviation) / Math.sqrt(20_000));
    }
  });

  it('have their ends and equal steps', () => {
    const { counts } = draw({ kind: 'numbers-uniform', low: 0, high: 4, points: 5 }, 'messages');
    expect([...counts!.points]).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('numbers of a file', () => {
  const at = (name: string, text: string): string => {
    writeFileSync(join(root, name), text);
    return join(root, name);
  };
  const open = (path: string, more: object = {}) =>
    openDataSource({ kind: 'csv-numbers', path, column: 0, low: 0, high: 10, ...more }, path);

  it('are read under a header, in their order', () => {
    const source = open(at('weights.csv', 'weight,name\n1.5,a\n2e0,b\n-3,c\n'), { column: 'weight' });
    const data = source.draw(3, 'messages', RandomStream.fromSeed('x'));
    expect([...data.values!]).toEqual([1.5, 2, -3]);
    expect(data.population![0]).toBeCloseTo(0.5 / 3, 15);
    expect(source.notices).toEqual([
      '1 number of 3 outside 0 to 10: counted as the nearer end, which biases the estimates',
    ]);
  });

  it('are refused where one is none, with the line', () => {
    expect(() => open(at('bad.csv', '1\n2\nthree\n'))).toThrow(/line 3: "three" in column 0 is no number/u);
    expect(() => open(at('lacking.csv', '1\nNA\n3\n'))).toThrow(/line 2: has no value in column 0/u);
    expect(open(at('lacking.csv', '1\nNA\n3\n'), { missing: 'skip' }).skipped).toBe(1);
  });

  it('run with all users of the file', async () => {
    const path = at('all.csv', Array.from({ length: 50 }, (_, i) => i % 10).join('\n'));
    const data = { kind: 'csv-numbers', path, low: 0, high: 9 };
    const protocols = [{ kind: 'mean', randomizer: 'duchi', epsilon0: 2 }];
    const [cell] = await cellsOf({ data, users: 'all', protocols, privacy: { delta: 1e-5 }, trials: 5 });
    expect(cell!.users).toBe(50);
    expect(cell!.msePopulation).toBeCloseTo(cell!.mse, 12);
  });
});

describe('a config of numbers refuses', () => {
  const bad = (changes: object): (() => unknown) => {
    return () => parseConfig(JSON.stringify({ ...given, ...changes }), 'c.yaml');
  };
  it.each([
    [{ measure: 'frequencies' }, 'c.yaml: measure = "frequencies": must be mean or sum for numbers'],
    [{ error: 'total-variation' }, 'c.yaml: error = "total-variation": must be left out'],
    [
      { postprocess: 'project-simplex' },
      "c.yaml: postprocess = \"project-simplex\": must be 'none' or 'clip'",
    ],
    [
      { protocols: [{ kind: 'frequency', randomizer: 'grr' }] },
      'c.yaml: protocols[0].kind = "frequency": must be a protocol for numbers, as data.kind is numbers-gaussian-bump',
    ],
    [
      { protocols: [{ kind: 'mean', randomizer: 'gaussian', sigma: 1 }] },
      'c.yaml: protocols[0].sigma = 1: must be left out: privacy.epsilon already sets the noise',
    ],
    [
      { privacy: { delta: 1e-5 } },
      'c.yaml: protocols[0].epsilon0 is missing: must be given, or privacy.epsilon',
    ],
    [
      { privacy: { levels: [1], delta: 1e-5 } },
      'c.yaml: privacy.levels = [1]: must be left out: numbers have one',
    ],
    [{ data: { kind: 'numbers-uniform', low: 2, high: 1 } }, 'c.yaml: data.high = 1: must be above low, 2'],
    [
      { data: { kind: 'numbers-uniform', low: -1e308, high: 1e308 } },
      'c.yaml: data.high = 1e+308: must be nearer to low, -1e+308: the width of the range is no number',
    ],
  ])('%o', (changes, message) => {
    expect(bad(changes)).toThrow(message);
  });

  it('and categories refuse to be averaged', () => {
    const data = { kind: 'categories-uniform', domain: 3 };
    const protocols = [{ kind: 'frequency', randomizer: 'grr' }];
    expect(bad({ data, protocols, measure: 'mean' })).toThrow(
      'c.yaml: measure = "mean": must be frequencies or ranges for categories',
    );
  });
});
