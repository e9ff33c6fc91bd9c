/** From a chart to Vega-Lite specifications: one for files, with its legend, and one for pages, which have a legend of buttons. */
import type { TopLevelSpec } from 'vega-lite';
import { drawable } from './axes.ts';
import type { Chart } from './chart.ts';
import { HIDDEN_SERIES, panelLayers } from './chart-layers.ts';
import { describeChart } from './describe-chart.ts';
import { legendView, seriesLooks, type SeriesLook } from './legend.ts';
import { THEME } from './theme.ts';

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json';
const PANEL = { single: { width: 470, height: 340 }, several: { width: 310, height: 240 } } as const;

/** The chart as it stands in a file. */
export function toVegaLite(chart: Chart): TopLevelSpec {
  const looks = drawnSeries(chart);
  const subtitle = chartSubtitle(chart);
  const single = chart.panels.length === 1;
  const panels = panelsOf(chart, looks, false);
  const spec = {
    $schema: SCHEMA,
    description: describeChart(chart),
    title: { text: chart.title, ...(subtitle === '' ? {} : { subtitle: wrap(subtitle, 110) }) },
    config: THEME,
    spacing: 24,
    hconcat: [
      single ? panels[0] : { concat: panels, columns: chart.columns ?? 2, spacing: 26 },
      legendView(looks),
    ],
  };
  // The types of Vega-Lite cannot follow a specification put together in pieces.
  return spec as unknown as TopLevelSpec;
}

/** A chart for a page, which sets the width of the panels, and has title and legend of its own. */
export interface LiveSpec {
  readonly $schema: string;
  readonly params: readonly { readonly name: string; readonly value: readonly string[] }[];
  readonly columns: number;
  readonly concat: readonly object[];
}

export function toLiveSpec(chart: Chart): LiveSpec {
  return {
    $schema: SCHEMA,
    params: [{ name: HIDDEN_SERIES, value: [] }],
    columns: chart.panels.length === 1 ? 1 : (chart.columns ?? 2),
    concat: panelsOf(chart, drawnSeries(chart), true),
  };
}

/** The series of which something is drawn in some panel, in the order of the legend. */
export function drawnSeries(chart: Chart): SeriesLook[] {
  return seriesLooks(chart).filter(({ name }) => isDrawn(chart, name));
}

/** What stands below the title: the chart's own words, and which series have nothing to draw. */
export function chartSubtitle(chart: Chart): string {
  const empty = seriesLooks(chart).flatMap(({ name }) => (isDrawn(chart, name) ? [] : [name]));
  return [
    ...(chart.subtitle ? [chart.subtitle] : []),
    ...(empty.length > 0 ? [`without a value here: ${empty.join(', ')}`] : []),
  ].join('; ');
}

function isDrawn(chart: Chart, name: string): boolean {
  return chart.panels
    .flatMap(({ series }) => series)
    .filter((series) => series.name === name)
    .some(({ points }) => points.some(({ x, y }) => drawable(x, chart.x) && drawable(y, chart.y)));
}

function panelsOf(chart: Chart, looks: readonly SeriesLook[], live: boolean): object[] {
  const single = chart.panels.length === 1;
  return chart.panels.map((panel) => ({
    ...(single ? {} : { title: { text: panel.title, fontSize: 12, anchor: 'middle', offset: 6 } }),
    ...(single ? PANEL.single : PANEL.several),
    layer: panelLayers(chart, panel, looks, { live }),
  }));
}

/** Lines of at most `width` characters, broken at spaces. */
function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
