/** Writes the charts of a page as files, and the page that shows them. */
import { join } from 'node:path';
import { makeFolder } from '../run-folder/make-folder.ts';
import { writeFileAtomically } from '../run-folder/write-files.ts';
import type { ReportFigure, ReportPage } from './report-page.ts';
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
  // The chart library takes a second to load.
  const [{ drawCharts }, { chartFiles, writeDrawnChart }, { renderReportPage }] = await Promise.all([
    import('./draw-charts.ts'),
    import('./chart-files.ts'),
    import('./report-page.ts'),
  ]);
  const folder = join(outDir, 'figures');
  makeFolder(folder);
  const shown = charts.filter(({ chart }) => showsComparison(chart));
  const pictures: string[] = [];
  await drawCharts(
    shown.map(({ chart }) => chart),
    (index, drawn) => {
      writeDrawnChart(folder, shown[index]!.chart, drawn);
      pictures[index] = drawn.svg;
    },
  );
  const figures = shown.map(({ chart, caption }, index): ReportFigure => {
    const links = chartFiles(chart).map(({ name, text }) => ({ text, href: `figures/${name}` }));
    return { chart, svg: pictures[index]!, caption, links };
  });
  writeFileAtomically(join(outDir, 'report.html'), renderReportPage(page(figures)));
}
