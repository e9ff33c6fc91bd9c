/** One self-contained HTML page: no network, readable without scripts, interactive with them. */
import { toLiveSpec } from '../charts/vega-lite-spec.ts';
import { badgesHtml, type Badge } from './badges.ts';
import { escapeHtml } from './escape-html.ts';
import { figureHtml, type ReportFigure } from './figure-html.ts';
import { htmlTable, type ReportTable } from './html-table.ts';
import { liveChartsScript } from './live-charts-script.ts';
import { SORTING_SCRIPT } from './sorting-script.ts';
import { STYLE } from './style.ts';
import { vegaScripts } from './vega-scripts.ts';

export type { Badge } from './badges.ts';
export type { ReportFigure } from './figure-html.ts';

/** A party of the shuffle model and what it gets to see. */
export interface PartyView {
  readonly party: string;
  readonly does: string;
  readonly sees: string;
}

export interface ContentsEntry {
  readonly anchor: string;
  readonly text: string;
  readonly badges: readonly Badge[];
}

export interface ReportPage {
  readonly title: string;
  /** Of a page with many figures: links to them, under titles. */
  readonly contents?: readonly { readonly title: string; readonly entries: readonly ContentsEntry[] }[];
  /** The question that the experiment answers, in the config's words. */
  readonly question?: string;
  /** What was found, with its interval: a list where it is more than one thing. */
  readonly headline: readonly string[];
  /** Unit of privacy, adjacency and what the numbers assume, one paragraph each. */
  readonly threatModel: readonly string[];
  readonly parties: readonly PartyView[];
  readonly figures: readonly ReportFigure[];
  readonly tables: readonly ReportTable[];
  readonly provenance: readonly (readonly [string, string])[];
  /** The command that repeats the run. */
  readonly command: string;
}

/** The page as one HTML document, which needs nothing but the scripts and pictures beside it. */
export function renderReportPage(page: ReportPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(page.title)}</h1>
${page.question ? `<p class="question">${escapeHtml(page.question)}</p>` : ''}
${headlineHtml(page.headline)}
${contentsHtml(page)}${threatSection(page)}
${figuresSection(page)}
${page.tables.map((table) => `<section>${htmlTable(table)}</section>`).join('\n')}
<section><h2>How this was made</h2>
${provenanceHtml(page)}
<p>Repeat it with</p><pre>${escapeHtml(page.command)}</pre>
<p class="fine">Seeded simulation with pseudo-random numbers and floating-point noise: for study, not for deployment.</p>
</section>
</main>
<script>${SORTING_SCRIPT}</script>
${chartScripts(page)}
</body>
</html>
`;
}

function headlineHtml(findings: readonly string[]): string {
  if (findings.length < 2) return `<p class="headline">${escapeHtml(findings.join(''))}</p>`;
  return `<ul class="headline">${findings.map((finding) => `<li>${escapeHtml(finding)}</li>`).join('')}</ul>`;
}

function figuresSection({ figures }: ReportPage): string {
  return figures.length === 0
    ? ''
    : `<section><h2>Figures</h2>\n${figures.map((figure, i) => figureHtml(figure, i)).join('\n')}\n</section>`;
}

/** The chart library is most of a page, so that a page without charts is without it. */
function chartScripts({ figures }: ReportPage): string {
  if (figures.length === 0) return '';
  return `${vegaScripts()}\n<script>${liveChartsScript(figures.map(({ chart }) => toLiveSpec(chart)))}</script>`;
}

function contentsHtml({ contents = [] }: ReportPage): string {
  const parts = contents.map(({ title, entries }) => {
    const lines = entries.map(
      ({ anchor, text, badges }) =>
        `<li><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a>${badgesHtml(badges)}</li>`,
    );
    return `<h3>${escapeHtml(title)}</h3><ul>${lines.join('')}</ul>`;
  });
  return parts.length === 0 ? '' : `<nav>${parts.join('\n')}</nav>\n`;
}

function provenanceHtml({ provenance }: ReportPage): string {
  const rows = provenance.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return rows.length === 0 ? '' : `<dl>${rows.join('')}</dl>`;
}

function threatSection({ threatModel, parties }: ReportPage): string {
  if (threatModel.length === 0) return '';
  const paragraphs = threatModel.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  return `<section><h2>What is protected, and from whom</h2>\n${paragraphs}\n${pipeline(parties)}\n</section>`;
}

function pipeline(parties: readonly PartyView[]): string {
  if (parties.length === 0) return '';
  const boxes = parties.map(
    ({ party, does, sees }) =>
      `<li><strong>${escapeHtml(party)}</strong><span>${escapeHtml(does)}</span><em>sees: ${escapeHtml(sees)}</em></li>`,
  );
  return `<ol class="pipeline">${boxes.join('')}</ol>`;
}
