/** Writes the views of a run to its folder, each file whole or not at all. */
import { writeFiles } from '../run-folder/write-files.ts';
import { privacyCsv, resultsCsv, timingsCsv, trialsCsv } from '../results/result-tables.ts';
import type { RunResult } from '../results/run-result.ts';
import { resolvedConfigJson, summaryJson } from '../results/summary.ts';
import { runCharts } from './run-charts.ts';
import { reportPage } from './run-report.ts';
import { writePage } from './write-page.ts';

export async function writeResults(
  run: RunResult,
  outDir: string,
  { keepTrials, report }: { readonly keepTrials: boolean; readonly report: boolean },
): Promise<void> {
  writeFiles(outDir, {
    'privacy.csv': privacyCsv(run),
    'timings.csv': timingsCsv(run),
    'summary.json': summaryJson(run),
    'config.resolved.json': resolvedConfigJson(run),
    ...(keepTrials ? { 'trials.csv': trialsCsv(run) } : {}),
    'results.csv': resultsCsv(run),
  });
  if (report) await writePage(outDir, runCharts(run), (figures) => reportPage(run, figures));
}
