/** Writes the views of a run to its folder, each file whole or not at all. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeMade } from '../run-folder/make-folder.ts';
import { writeFiles } from '../run-folder/write-files.ts';
import { estimatesCsv, privacyCsv, resultsCsv, timingsCsv, trialsCsv } from '../results/result-tables.ts';
import type { RunResult } from '../results/run-result.ts';
import { resolvedConfigJson, summaryJson } from '../results/summary.ts';
import { estimatesChart } from './estimates-chart.ts';
import { runCharts } from './run-charts.ts';
import { reportPage } from './run-report.ts';
import { chartFiles } from '../page/chart-files.ts';
import { writePage } from '../page/write-page.ts';

export interface RunViews {
  /** trials.csv too. */
  readonly keepTrials: boolean;
  /** report.html and figures/ too. */
  readonly report: boolean;
  /** Default true. False: no file says what is true, nor how far an estimate is from it. */
  readonly truth?: boolean;
}

/**
 * Writes the views of a run into its folder: tables as CSV, summary.json, the resolved config, and the page
 * with its charts where `report` is set.
 *
 * @param views with `truth: false` nothing is written that needs the true values, and what was written before
 * with them is removed
 */
export async function writeResults(
  run: RunResult,
  outDir: string,
  { keepTrials, report, truth = true }: RunViews,
): Promise<void> {
  if (!truth) removeTruth(run, outDir);
  writeFiles(outDir, {
    'privacy.csv': privacyCsv(run),
    'timings.csv': timingsCsv(run),
    'estimates.csv': estimatesCsv(run, { truth }),
    'summary.json': summaryJson(run, { truth }),
    'config.resolved.json': resolvedConfigJson(run),
    ...(keepTrials && truth ? { 'trials.csv': trialsCsv(run) } : {}),
    'results.csv': resultsCsv(run, { truth }),
  });
  if (!report) return;
  const charts = [...(truth ? runCharts(run) : []), ...estimatesChart(run, { truth })];
  await writePage(outDir, charts, (figures) => reportPage(run, figures, { truth }));
}

/** Files of this run that say what is true and that nothing may take the place of. */
function removeTruth(run: RunResult, outDir: string): void {
  const charts = [...runCharts(run), ...estimatesChart(run, { truth: false })].map(({ chart }) => chart);
  const figures = join(outDir, 'figures');
  const files = [
    join(outDir, 'trials.csv'),
    join(outDir, 'report.html'),
    ...charts.flatMap(chartFiles).map(({ name }) => join(figures, name)),
  ];
  for (const file of files) rmSync(file, { force: true });
  removeMade([figures]);
}
