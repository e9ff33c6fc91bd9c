/** The report of a run: one page that opens offline, and its figures as files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunResult } from '../results/run-result.ts';
import { makeFolder } from '../run/make-folder.ts';
import { runCharts } from './run-charts.ts';

/** Writes `report.html` and `figures/` under `outDir`; the folder exists. */
export async function writeReport(run: RunResult, outDir: string): Promise<void> {
  // The chart library is large: loaded only where a report is written.
  const [{ renderSvg, svgToPng }, { renderReportPage }, { reportPage }] = await Promise.all([
    import('../charts/render.ts'),
    import('./report-page.ts'),
    import('./run-report.ts'),
  ]);
  const folder = join(outDir, 'figures');
  makeFolder(folder);
  const figures = [];
  for (const { chart, caption } of runCharts(run)) {
    const svg = await renderSvg(chart);
    await writeFile(join(folder, `${chart.id}.svg`), svg);
    await writeFile(join(folder, `${chart.id}.png`), svgToPng(svg));
    figures.push({ chart, svg, caption });
  }
  await writeFile(join(outDir, 'report.html'), renderReportPage(reportPage(run, figures)));
}
