/** One page over all figures that a folder holds: pictures, numbers, how they were made, and what became of the papers' claims. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportFigure, ReportPage } from '../report/report-page.ts';
import { figureFiles, type MadeFigure } from './made-figure.ts';

/** @param verdictsOn what became of the claims about a figure, in words */
export function galleryPage(
  out: string,
  figures: readonly MadeFigure[],
  quick: boolean,
  verdictsOn: (id: string) => readonly string[],
): ReportPage {
  return {
    title: 'Figures of the papers, made again',
    headline: quick
      ? 'Quick settings: fewer points and trials than the papers. Without --quick the settings are the papers’.'
      : 'Settings as in the papers.',
    threatModel: [],
    parties: [],
    figures: figures.flatMap((figure) => shown(out, figure, verdictsOn(figure.id))),
    tables: [],
    provenance: [],
    command: `shuffle-dp figures${quick ? ' --quick' : ''}`,
  };
}

/** The words and links of a figure stand with its first chart. */
function shown(out: string, figure: MadeFigure, verdicts: readonly string[]): ReportFigure[] {
  const { id, title, caption, notes, command } = figure;
  return figure.charts.map(({ chart, caption: of }, i): ReportFigure => {
    const svg = readFileSync(join(out, id, `${chart.id}.svg`), 'utf8');
    if (i > 0) return { chart, svg, caption: of };
    return {
      chart,
      svg,
      caption: of,
      heading: `${id}: ${title}`,
      remarks: [caption, ...verdicts, ...notes, `Made by: ${command}`],
      links: figureFiles(figure).map((file) => ({ text: file, href: `${id}/${file}` })),
    };
  });
}
