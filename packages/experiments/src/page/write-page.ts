/** Writes the charts of a page as files, and the page that shows them. */
import { join } from 'node:path';
import { makeFolder } from '../run-folder/make-folder.ts';
import { writeFileAtomically } from '../run-folder/write-files.ts';
import { beginChartFiles, chartFiles } from './chart-files.ts';
import { renderReportPage, type ReportFigure, type ReportPage } from './report-page.ts';
import type { CaptionedChart } from '../charts/chart.ts';
import { showsComparison } from '../charts/shows-comparison.ts';

/**
 * `report.html` and `figures/` under `outDir`; the folder exists. Charts of a single point are left out: the
 * tables say as much.
 */
export async function writePage(
  outDir: string,
  charts: readonly CaptionedChart[],
  page: (figures: readonly ReportFigure[]) => ReportPage,
): Promise<void> {
  const folder = join(outDir, 'figures');
  makeFolder(folder);
  const figures: ReportFigure[] = [];
  const files: Promise<void>[] = [];
  for (const { chart, caption } of charts) {
    if (!showsComparison(chart)) continue;
    // One after the other, in their order.
    // oxlint-disable-next-line no-await-in-loop
    const { svg, written } = await beginChartFiles(folder, chart);
    files.push(written);
    // Its failure is told below, whatever happens to the charts between.
    written.catch(() => {});
    const links = chartFiles(chart).map(({ name, text }) => ({ text, href: `figures/${name}` }));
    figures.push({ chart, svg, caption, links });
  }
  // Made while the last pictures are.
  const text = renderReportPage(page(figures));
  await Promise.all(files);
  writeFileAtomically(join(outDir, 'report.html'), text);
}
