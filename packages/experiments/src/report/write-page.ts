/** Writes figures as SVG and PNG, and the page that shows them. */
import { join } from 'node:path';
import { makeFolder } from '../run-folder/make-folder.ts';
import { writeFileAtomically } from '../run-folder/write-files.ts';
import type { ReportFigure, ReportPage } from './report-page.ts';
import type { CaptionedChart } from '../charts/chart.ts';

/** `report.html` and `figures/` under `outDir`; the folder exists. */
export async function writePage(
  outDir: string,
  charts: readonly CaptionedChart[],
  page: (figures: readonly ReportFigure[]) => ReportPage,
): Promise<void> {
  // The chart library takes a second to load.
  const [{ renderSvg, restartSvgIds, svgToPng }, { renderReportPage }] = await Promise.all([
    import('../charts/render.ts'),
    import('./report-page.ts'),
  ]);
  const folder = join(outDir, 'figures');
  makeFolder(folder);
  const figures: ReportFigure[] = [];
  restartSvgIds();
  for (const { chart, caption } of charts) {
    // One after the other, in their order.
    // oxlint-disable-next-line no-await-in-loop
    const svg = await renderSvg(chart);
    writeFileAtomically(join(folder, `${chart.id}.svg`), svg);
    writeFileAtomically(join(folder, `${chart.id}.png`), svgToPng(svg));
    figures.push({ chart, svg, caption });
  }
  writeFileAtomically(join(outDir, 'report.html'), renderReportPage(page(figures)));
}
