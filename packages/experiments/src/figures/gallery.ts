/** One page over all figures that a folder holds: pictures, numbers, how they were made, and what became of the papers' claims. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../claims/ledger.ts';
import type { ReportFigure, ReportPage } from '../report/report-page.ts';
import { figureFiles, type MadeFigure } from './made-figure.ts';

/** The committed ledger; a published package has none. */
const LEDGER = new URL('../../../../docs/claims.json', import.meta.url);

export function galleryPage(out: string, figures: readonly MadeFigure[], quick: boolean): ReportPage {
  const claims = existsSync(LEDGER) ? (JSON.parse(readFileSync(LEDGER, 'utf8')) as Ledger).claims : [];
  return {
    title: 'Figures of the papers, made again',
    headline: quick
      ? 'Quick settings: fewer points and trials than the papers. Without --quick the settings are the papers’.'
      : 'Settings as in the papers.',
    threatModel: [],
    parties: [],
    figures: figures.flatMap((figure) => shown(out, figure, claims)),
    tables: [],
    provenance: [],
    command: `shuffle-dp figures${quick ? ' --quick' : ''}`,
  };
}

/** The words and links of a figure stand with its first chart. */
function shown(out: string, figure: MadeFigure, claims: Ledger['claims']): ReportFigure[] {
  const { id, title, caption, notes, command } = figure;
  const verdicts = claims
    .filter((claim) => claim.id === id)
    .map(({ verdict, published, measured }) => `Claim ${verdict}: “${published}” Measured: ${measured}`);
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
