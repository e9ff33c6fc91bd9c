/** The report of a run: one page that opens offline, and its figures as files. */
import type { RunResult } from '../results/run-result.ts';
import { runCharts } from './run-charts.ts';
import { reportPage } from './run-report.ts';
import { writePage } from './write-page.ts';

/** Writes `report.html` and `figures/` under `outDir`; the folder exists. */
export async function writeReport(run: RunResult, outDir: string): Promise<void> {
  await writePage(outDir, runCharts(run), (figures) => reportPage(run, figures));
}
