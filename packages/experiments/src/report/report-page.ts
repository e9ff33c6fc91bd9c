/** One self-contained HTML page: no network, readable without scripts, interactive with them. */
import type { Chart } from '../charts/chart.ts';
import { describeChart } from '../charts/describe-chart.ts';
import { toVegaLite } from '../charts/vega-lite-spec.ts';
import { escapeHtml, htmlTable, type ReportTable } from './html-table.ts';
import { SORTING_SCRIPT } from './sorting-script.ts';
import { STYLE } from './style.ts';
import { vegaScripts } from './vega-scripts.ts';

/** A party of the shuffle model and what it gets to see. */
export interface PartyView {
  readonly party: string;
  readonly does: string;
  readonly sees: string;
}

/** One word that is set off by a colour. */
export interface Badge {
  readonly word: string;
  readonly tone: 'good' | 'fair' | 'bad' | 'plain';
}

/** A figure as it was rendered, and as data for the interactive view. */
export interface ReportFigure {
  readonly chart: Chart;
  readonly svg: string;
  readonly caption: string;
  /** Above the figure. */
  readonly heading?: string;
  readonly badges?: readonly Badge[];
  /** What the table of contents links to. */
  readonly anchor?: string;
  /** Below it, one paragraph each. */
  readonly remarks?: readonly string[];
  /** Files that belong to it, relative to the page. */
  readonly links?: readonly { readonly text: string; readonly href: string }[];
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
  /** One sentence with the result and its interval. */
  readonly headline: string;
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
  const specs = page.figures.map((figure) => toVegaLite(figure.chart));
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
<p class="headline">${escapeHtml(page.headline)}</p>
${contentsHtml(page)}${threatSection(page)}
<section><h2>Figures</h2>
${page.figures.map(figureHtml).join('\n')}
</section>
${page.tables.map((table) => `<section>${htmlTable(table)}</section>`).join('\n')}
<section><h2>How this was made</h2>
${provenanceHtml(page)}
<p>Repeat it with</p><pre>${escapeHtml(page.command)}</pre>
<p class="fine">Seeded simulation with pseudo-random numbers and floating-point noise: for study, not for deployment.</p>
</section>
</main>
<script>${SORTING_SCRIPT}</script>
${vegaScripts()}
<script>
const specs = ${JSON.stringify(specs).replaceAll('<', '\\u003c')};
specs.forEach((spec, i) => vegaEmbed('#figure-' + i, spec, { renderer: 'svg', actions: { export: true, source: false, compiled: false, editor: false } }).catch(() => {}));
</script>
</body>
</html>
`;
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

function badgesHtml(badges: readonly Badge[]): string {
  return badges.map(({ word, tone }) => ` <b class="badge ${tone}">${escapeHtml(word)}</b>`).join('');
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

/** The rendered SVG stands in the page, and the interactive view replaces it once scripts run. */
function figureHtml(
  { chart, svg, caption, heading, badges = [], anchor, remarks = [], links = [] }: ReportFigure,
  index: number,
): string {
  const id = anchor === undefined ? '' : ` id="${escapeHtml(anchor)}"`;
  const title = heading === undefined ? '' : `<h3>${escapeHtml(heading)}${badgesHtml(badges)}</h3>`;
  const below = remarks.map((remark) => `<p>${escapeHtml(remark)}</p>`).join('');
  const files = links
    .map(({ text, href }) => `<a href="${escapeHtml(encodeURI(href))}">${escapeHtml(text)}</a>`)
    .join(' · ');
  return `<figure${id}>${title}<div id="figure-${index}" class="chart">${svg}</div><p class="spoken">${escapeHtml(describeChart(chart))}</p><figcaption><p>${escapeHtml(caption)}</p>${below}${files === '' ? '' : `<p>${files}</p>`}</figcaption></figure>`;
}

function pipeline(parties: readonly PartyView[]): string {
  if (parties.length === 0) return '';
  const boxes = parties.map(
    ({ party, does, sees }) =>
      `<li><strong>${escapeHtml(party)}</strong><span>${escapeHtml(does)}</span><em>sees: ${escapeHtml(sees)}</em></li>`,
  );
  return `<ol class="pipeline">${boxes.join('')}</ol>`;
}
