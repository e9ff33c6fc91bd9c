import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { runCharts } from '../../src/report/run-charts.ts';
import type { RunResult } from '../../src/results/run-result.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const SWEEP = `
name: sweep
seed: a
adjacency: replace-one
trials: 3
data: { kind: categories-zipf, domain: 8 }
users: [2000, 4000]
privacy: { epsilon: [0.5, 1], delta: 1e-6 }
protocols:
  - { kind: frequency, randomizer: grr }
  - { kind: mix-dump, flip: [0.05, 0.1, 0.3] }
  - { kind: cheu-zhilyaev, blanketRate: [1, 4] }
`;

describe('the charts of a run that sweeps targets, users and two parameters', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-charts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let run: RunResult;
  let charts: Map<string, Chart>;
  beforeAll(async () => {
    run = await runExperiment(parseConfig(SWEEP, 'sweep.yaml'), 'sweep.yaml', {
      workers: 0,
      out: join(folder, 'run'),
    });
    charts = new Map(runCharts(run).map(({ chart }) => [chart.id, chart]));
  });

  it('are one for each swept quantity', () => {
    expect([...charts.keys()].sort()).toEqual([
      'error-by-blanketRate',
      'error-by-flip',
      'error-by-targetEpsilon',
      'error-by-users',
    ]);
  });

  it('never join cells of different targets in a line', () => {
    for (const chart of charts.values()) {
      for (const { title, series } of chart.panels) {
        expect(title.includes('central epsilon')).toBe(chart.id !== 'error-by-targetEpsilon');
        for (const { points } of series) expect(new Set(points.map(({ x }) => x)).size).toBe(points.length);
      }
    }
    expect(charts.get('error-by-users')!.panels.map(({ title }) => title)).toEqual([
      'central epsilon 0.5',
      'central epsilon 1',
    ]);
    expect(charts.get('error-by-flip')!.panels).toHaveLength(4);
  });

  it('show of what else is swept the setting of least error', () => {
    const errors = run.cells
      .filter(
        ({ kind, users, sweep }) => kind === 'mix-dump' && users === 4000 && sweep['targetEpsilon'] === 1,
      )
      .map(({ mse }) => mse);
    expect(errors).toHaveLength(3);
    const { series } = charts
      .get('error-by-blanketRate')!
      .panels.find(({ title }) => title === 'n = 4,000, d = 8, central epsilon 1')!;
    const level = series.find(({ name }) => name === 'mixDUMP')!.points.map(({ y }) => y);
    expect(level).toEqual([Math.min(...errors), Math.min(...errors)]);
  });
});
