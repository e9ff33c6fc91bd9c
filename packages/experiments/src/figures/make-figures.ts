/** Makes figures one by one, each into a folder of its own, and the gallery over all that the folder holds. */
import { join } from 'node:path';
import { renderSvg, svgToPng } from '../charts/render.ts';
import { renderReportPage, type ReportFigure } from '../report/report-page.ts';
import { makeFolder } from '../run/make-folder.ts';
import { writeFileAtomically } from '../run/output-folder.ts';
import { tableCsv } from './figure-table.ts';
import type { Figure, FigureContext } from './figure.ts';

export interface MadeFigure {
  readonly id: string;
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

export async function makeFigures(
  figures: readonly Figure[],
  out: string,
  context: Omit<FigureContext, 'folder'>,
): Promise<MadeFigure[]> {
  const made: MadeFigure[] = [];
  const shown: ReportFigure[] = [];
  for (const figure of figures) {
    const folder = join(out, figure.id);
    makeFolder(folder);
    const result = await figure.make({ ...context, folder });
    const files = [`${figure.id}.csv`];
    writeFileAtomically(join(folder, files[0]!), tableCsv(result.table));
    for (const { chart, caption } of result.charts) {
      const svg = await renderSvg(chart);
      writeFileAtomically(join(folder, `${chart.id}.svg`), svg);
      writeFileAtomically(join(folder, `${chart.id}.png`), svgToPng(svg));
      files.push(`${chart.id}.svg`, `${chart.id}.png`);
      shown.push({ chart, svg, caption: [figure.title, figure.caption, caption, ...result.notes].join(' ') });
    }
    made.push({ id: figure.id, files: files.map((file) => join(folder, file)), notes: result.notes });
  }
  writeFileAtomically(join(out, 'index.html'), renderReportPage(galleryPage(figures, shown, context.quick)));
  return made;
}

function galleryPage(figures: readonly Figure[], shown: readonly ReportFigure[], quick: boolean) {
  const ids = figures.map(({ id }) => id).join(' ');
  return {
    title: 'Figures of the papers, made again',
    headline: quick
      ? 'Quick settings: fewer points and trials than the papers. Without --quick the settings are the papers’.'
      : 'Settings as in the papers.',
    threatModel: [],
    parties: [],
    figures: shown,
    tables: [
      {
        title: 'Files',
        caption: 'Each figure has a folder with its numbers and pictures.',
        columns: ['figure', 'title', 'files'],
        rows: figures.map(({ id, title }) => [id, title, `${id}/${id}.csv, .svg, .png`]),
      },
    ],
    provenance: [] as const,
    command: `shuffle-dp figures ${ids}${quick ? ' --quick' : ''}`,
  };
}
