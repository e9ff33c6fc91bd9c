/**
 * One page over all figures that a folder holds: pictures, numbers, how they were made, and what became of
 * the papers' claims.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Badge, chartFiles, type ReportFigure, type ReportPage } from '@shuffle-dp/experiments/report';
import type { MadeFigure } from './made-figure.ts';
import { PAPER_TITLES } from './paper-titles.ts';
import { FIGURES } from './registry.ts';

/** What became of a claim about a figure. */
export interface FigureVerdict {
  readonly verdict: string;
  readonly tone: Badge['tone'];
  /** With what the paper says and what was measured. */
  readonly text: string;
}

export function galleryPage(
  out: string,
  figures: readonly MadeFigure[],
  quick: boolean,
  verdictsOn: (id: string) => readonly FigureVerdict[],
): ReportPage {
  const papers = [...new Set(figures.map(({ paper }) => paper))];
  return {
    title: 'Figures of the papers, made again',
    headline: [
      quick
        ? 'Quick settings: fewer points and trials than the papers. Without --quick the settings are the papers’.'
        : 'Settings as in the papers.',
    ],
    contents: papers.map((paper) => ({
      title: PAPER_TITLES[paper],
      entries: figures
        .filter((figure) => figure.paper === paper)
        .map(({ id, title }) => ({ anchor: id, text: `${id}: ${title}`, badges: badges(verdictsOn(id)) })),
    })),
    threatModel: [],
    parties: [],
    figures: figures.flatMap((figure) => shown(out, figure, verdictsOn(figure.id))),
    tables: [],
    provenance: [],
    command: repeating(figures, quick),
  };
}

/** Without ids the command makes all figures there are, some of which take hours. */
function repeating(figures: readonly MadeFigure[], quick: boolean): string {
  const ids = figures.length === FIGURES.length ? [] : figures.map(({ id }) => id);
  return ['shuffle-dp figures', ...ids, ...(quick ? ['--quick'] : [])].join(' ');
}

function badges(verdicts: readonly FigureVerdict[]): Badge[] {
  return verdicts.map(({ verdict, tone }) => ({ word: verdict, tone }));
}

/** The words and links of a figure stand with its first chart. */
function shown(out: string, figure: MadeFigure, verdicts: readonly FigureVerdict[]): ReportFigure[] {
  const { id, title, caption, notes, command } = figure;
  return figure.charts.map(({ chart, caption: of }, i): ReportFigure => {
    const svg = readFileSync(join(out, id, `${chart.id}.svg`), 'utf8');
    const table = i === 0 ? [{ name: `${id}.csv`, text: 'numbers of the figure (CSV)' }] : [];
    // Figures that an earlier version made have fewer files.
    const links = [...table, ...chartFiles(chart)]
      .filter(({ name }) => existsSync(join(out, id, name)))
      .map(({ name, text }) => ({ text, href: `${id}/${name}` }));
    if (i > 0) return { chart, svg, caption: of, links };
    return {
      chart,
      svg,
      caption: of,
      heading: `${id}: ${title}`,
      badges: badges(verdicts),
      anchor: id,
      remarks: [caption, ...verdicts.map(({ text }) => text), ...notes, `Made by: ${command}`],
      links,
    };
  });
}
