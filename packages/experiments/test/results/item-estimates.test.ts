// The answer of a run: estimates.csv, and what is left of a run whose truth is not to be told.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomStream, RunningMoments, sampleGaussian } from '@shuffle-dp/core';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { estimatesChart } from '../../src/report/estimates-chart.ts';
import { writeResults } from '../../src/report/write-run.ts';
import { itemEstimates } from '../../src/results/item-estimates.ts';
import { estimatesCsv } from '../../src/results/result-tables.ts';
import type { CellResult, RunResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';
import { addAnswer, addRange, roomFor } from '../../src/trials/trial-range.ts';

const root = mkdtempSync(join(tmpdir(), 'shuffle-dp-estimates-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const file = join(root, 'fruit.csv');
writeFileSync(
  file,
  ['fruit', ...Array<string>(30).fill('pear'), ...Array<string>(10).fill('=apple')].join('\n'),
);
const config = (changes: object = {}) =>
  parseConfig(
    JSON.stringify({
      name: 'fruit',
      seed: 'fruit',
      adjacency: 'replace-one',
      trials: 4,
      data: { kind: 'csv-categories', path: file, column: 'fruit' },
      users: 'all',
      privacy: { delta: 1e-5 },
      protocols: [
        { kind: 'frequency', randomizer: 'grr', epsilon0: 2, accounting: 'blanket' },
        { kind: 'frequency', label: 'other', randomizer: 'oue', epsilon0: 2, accounting: 'blanket' },
      ],
      ...changes,
    }),
    'fruit.yaml',
  );
const run = (out: string, changes: object = {}): Promise<RunResult> =>
  runExperiment(config(changes), 'fruit.yaml', { out: join(root, out), workers: 0 });

describe('moments of the answers', () => {
  it('are those of the trials, in whatever parts they come', () => {
    const stream = RandomStream.fromSeed('answers');
    // Far from zero, where a sum of squares would have no digits left.
    const trials = Array.from({ length: 25 }, () => Float64Array.of(1e9 + sampleGaussian(stream), 3));
    const whole = roomFor(25, 2, null);
    for (const [from, to] of [
      [0, 10],
      [10, 17],
      [17, 25],
    ] as const) {
      const part = roomFor(to - from, 2, null);
      trials.slice(from, to).forEach((estimates, i) => {
        addAnswer(part.answers, i, estimates, Float64Array.of(from + i, 7));
      });
      addRange(whole, from, part);
    }
    const moments = new RunningMoments();
    for (const [estimate] of trials) moments.add(estimate!);
    const { means, spreads, truths } = whole.answers;
    expect(means[0]).toBeCloseTo(moments.mean, 6);
    expect(spreads[0]! / 24 / moments.variance).toBeCloseTo(1, 5);
    expect([means[1], spreads[1]]).toEqual([3, 0]);
    expect(truths[0]).toBeCloseTo(12, 12);
    expect(truths[1]).toBe(7);
  });
});

describe('estimates', () => {
  it('are under the names of the file, with the truth of its users', async () => {
    const done = await run('named');
    const [grr] = done.cells as [CellResult];
    const estimates = itemEstimates(grr, done);
    expect(estimates.map(({ name, truth }) => [name, truth])).toEqual([
      ['=apple', 0.25],
      ['pear', 0.75],
    ]);
    // Student's quantile of three degrees; estimates of two categories by randomized response sum to 1.
    for (const { mean, deviation, interval } of estimates)
      expect((interval!.upper - mean) / deviation!).toBeCloseTo(3.182446305 / 2, 8);
    expect(estimates[0]!.mean + estimates[1]!.mean).toBeCloseTo(1, 12);
    const lines = estimatesCsv(done).trimEnd().split('\n');
    expect(lines[0]).toBe(
      'protocol,users,item,name,truth,estimate_mean,estimate_sd,ci_low,ci_high,trials,cell',
    );
    expect(lines).toHaveLength(5);
    // Names that a spreadsheet would run are escaped.
    expect(lines[1]).toMatch(new RegExp(`^${grr.protocol},40,0,'=apple,0\\.25,`, 'u'));
  });

  it('of one trial have no spread', async () => {
    const done = await run('single', { trials: 1 });
    const [first] = itemEstimates(done.cells[0]!, done);
    expect([first!.deviation, first!.interval]).toEqual([null, null]);
    expect(estimatesCsv(done).split('\n')[1]).toMatch(/,0\.25,-?[\d.]+,,,,1,[0-9a-f]{16}$/u);
  });

  it('go on as they were begun, whatever the workers', async () => {
    const data = { kind: 'categories-zipf', domain: 5 };
    const changes = { data, users: 200, trials: 45 };
    const [whole, threads] = [
      await run('whole', changes),
      await runExperiment(config(changes), 'fruit.yaml', { out: join(root, 'threads'), workers: 1 }),
    ];
    expect(estimatesCsv(threads)).toBe(estimatesCsv(whole));
    expect(itemEstimates(whole.cells[0]!, whole)[4]!.name).toBe('4');
  });

  it('stand in a chart: the truth, and each protocol', async () => {
    const done = await run('chart');
    const [told] = estimatesChart(done);
    expect(told!.chart.x.names).toEqual(['=apple', 'pear']);
    expect(told!.chart.panels[0]!.series.map(({ name }) => name)).toEqual([
      'truth',
      done.cells[0]!.protocol,
      'other',
    ]);
    const [untold] = estimatesChart(done, { truth: false });
    expect(untold!.chart.panels[0]!.series.map(({ name }) => name)).not.toContain('truth');
  });
});

it('of a domain that no table has rows for are left out, and a line says so', async () => {
  const notices: string[] = [];
  const done = await runExperiment(
    config({
      data: { kind: 'categories-uniform', domain: 65_537 },
      users: 10,
      trials: 1,
      protocols: [{ kind: 'frequency', randomizer: 'grr', epsilon0: 2 }],
    }),
    'fruit.yaml',
    { out: join(root, 'many'), workers: 0, onNotice: (line) => notices.push(line) },
  );
  expect(notices).toEqual(['estimates.csv has no rows: 65537 estimates are more than 65536']);
  expect(done.cells[0]!.answers).toBeNull();
  expect(estimatesChart(done)).toEqual([]);
  expect(estimatesCsv(done)).toMatch(/^protocol,users,item,.*,cell\n$/u);
});

it('of searches that find other identifiers in other cells stand in a chart with gaps', async () => {
  const done = await runExperiment(
    config({
      data: { kind: 'identifiers-zipf', bits: 12, different: 200, exponent: 1.1 },
      top: 8,
      users: [50_000, 300],
      trials: 2,
      privacy: { epsilon: 1, delta: 1e-6 },
      protocols: [{ kind: 'prefix-tree' }],
    }),
    'search.yaml',
    { out: join(root, 'search'), workers: 0 },
  );
  const [told] = estimatesChart(done);
  const truths = told!.chart.panels.map(({ series }) => series.find(({ name }) => name === 'truth')!.points);
  expect(truths.map((points) => points.length)).toEqual([8, 8]);
  // Few users find fewer of them.
  const known = truths.map((points) => points.filter(({ y }) => y !== null).length);
  expect(known[0]).toBe(8);
  expect(known[1]).toBeLessThan(8);
});

it('of searches that find nothing, or one identifier each, make a chart without them', async () => {
  // Whether what is spelled is in its own bucket is chance: sixty users tell nothing at this epsilon.
  const search = async (seed: number) =>
    runExperiment(
      config({
        seed,
        data: { kind: 'identifiers-zipf', bits: 16, different: 50, exponent: 1.1 },
        top: 1,
        users: 60,
        trials: 1,
        privacy: { epsilon: 0.5, delta: 1e-6 },
        protocols: [
          { kind: 'hashed-bits', label: 'three', buckets: 3 },
          { kind: 'hashed-bits', label: 'four', buckets: 4 },
        ],
      }),
      'search.yaml',
      { out: join(root, `nothing ${seed}`), workers: 0 },
    );
  const seen = new Set<string>();
  for (const seed of [0, 1, 2, 10]) {
    const done = await search(seed);
    const found = done.cells.map((cell) => itemEstimates(cell, done).length);
    seen.add(found.join(' '));
    const charts = estimatesChart(done);
    if (Math.max(...found) === 0) expect(charts).toEqual([]);
    else {
      const series = charts[0]!.chart.panels[0]!.series;
      const shown = (name: string) => series.find((each) => each.name === name)!.points.map(({ y }) => y);
      expect(['three', 'four'].map((name) => shown(name).some((y) => y !== null))).toEqual(
        found.map((count) => count > 0),
      );
    }
  }
  expect([...seen].sort()).toEqual(['0 0', '0 1', '1 0', '1 1']);
});

describe('without truth', () => {
  it('no file but the journal tells it, or how far an estimate is from it', async () => {
    const out = join(root, 'untold');
    const views = { keepTrials: true, report: true };
    const done = await runExperiment(config(), 'fruit.yaml', {
      out,
      workers: 0,
      // What was told before is taken back.
      write: (result) => writeResults(result, out, views),
    });
    expect(readdirSync(join(out, 'figures'))).toContain('error-by-protocol.svg');
    await writeResults(done, out, { ...views, truth: false });
    const files = readdirSync(out);
    expect(files).not.toContain('trials.csv');
    const read = (name: string): string => readFileSync(join(out, name), 'utf8');
    const rows = (name: string): Record<string, string>[] => {
      const [header, ...lines] = read(name).trimEnd().split('\n');
      const names = header!.split(',');
      return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i]!, cell])));
    };
    for (const row of rows('estimates.csv'))
      expect([row['truth'], row['estimate_mean'] !== '']).toEqual(['', true]);
    for (const row of rows('results.csv'))
      expect([row['mse'], row['mse_ci_low'], row['bias_max_abs'], row['error_mean']]).toEqual([
        '',
        '',
        '',
        '',
      ]);
    for (const cell of (JSON.parse(read('summary.json')) as { cells: object[] }).cells)
      for (const name of ['mse', 'error', 'biasMaxAbs', 'msePopulation'])
        expect(cell).not.toHaveProperty(name);
    expect(read('report.html')).toContain('Estimates only');
    expect(readdirSync(join(out, 'figures'))).toEqual(
      ['data.csv', 'pdf', 'png', 'svg', 'vl.json'].map((ending) => `estimates.${ending}`),
    );
    writeFileSync(join(out, 'figures/own.svg'), 'of a user');
    await writeResults(done, out, { keepTrials: false, report: false, truth: false });
    expect(readdirSync(out)).not.toContain('report.html');
    expect(readdirSync(join(out, 'figures'))).toEqual(['own.svg']);
  });
});
