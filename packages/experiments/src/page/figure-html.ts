/**
 * A figure of a page. The rendered picture stands there first; where scripts run, a live chart takes its
 * place on the screen, and the picture comes back in print.
 */
import type { Chart } from '../charts/chart.ts';
import { describeChart } from '../charts/describe-chart.ts';
import { chartSubtitle, drawnSeries } from '../charts/vega-lite-spec.ts';
import { badgesHtml, type Badge } from './badges.ts';
import { escapeHtml } from './escape-html.ts';
import { seriesButtons } from './series-buttons.ts';

/** A figure as it was rendered, and as data for the live view. */
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

/** @param index of the figure on its page */
export function figureHtml(figure: ReportFigure, index: number): string {
  const { chart, svg, caption, heading, badges = [], anchor, remarks = [], links = [] } = figure;
  const id = anchor === undefined ? '' : ` id="${escapeHtml(anchor)}"`;
  const title = heading === undefined ? '' : `<h3>${escapeHtml(heading)}${badgesHtml(badges)}</h3>`;
  const description = escapeHtml(describeChart(chart));
  const subtitle = chartSubtitle(chart);
  const below = remarks.map((remark) => `<p>${escapeHtml(remark)}</p>`).join('');
  const files = links
    .map(({ text, href }) => `<a href="${escapeHtml(encodeURI(href))}">${escapeHtml(text)}</a>`)
    .join(' · ');
  return `<figure${id}>${title}
<div class="still" role="img" aria-label="${description}" tabindex="0">${withOwnIds(svg, index)}</div>
<div class="live" id="figure-${index}" hidden>
<p class="chart-title"><strong>${escapeHtml(chart.title)}</strong>${subtitle === '' ? '' : `<br>${escapeHtml(subtitle)}`}</p>
<div class="view" data-description="${description}"></div>
${seriesButtons(drawnSeries(chart))}
</div>
<figcaption><p>${escapeHtml(caption)}</p>${below}${files === '' ? '' : `<p class="files">${files}</p>`}</figcaption></figure>`;
}

/** Ids are numbers that begin anew with every file, and a page has one of each. */
function withOwnIds(svg: string, index: number): string {
  return svg.replaceAll(/(?<= id="|url\(#)/gu, `figure-${index}-`);
}
