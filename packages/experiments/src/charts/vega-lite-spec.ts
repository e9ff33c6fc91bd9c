/**
 * From a chart to Vega-Lite specifications: one for files, with its legend, and one for pages, which have a
 * legend of buttons.
 */
import { domainOf, drawable } from './axes.ts';
import type { Chart } from './chart.ts';
import { HIDDEN_SERIES, panelLayers } from './chart-layers.ts';
import { coincidingPairs } from './coinciding-series.ts';
import { describeChart } from './describe-chart.ts';
import { legendView, seriesLooks, type SeriesLook } from './legend.ts';
import { axisValues } from './log-ticks.ts';
import { wrappedText } from './text-width.ts';
import { THEME } from './theme.ts';

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json';

/**
 * By the panels of a row, in pixels: one row fills a column of a paper of two columns (3.3 inches), two or
 * three the page (7 inches), and letters are 6 points high or more.
 */
const PANELS = [
  { width: 310, height: 225 },
  { width: 262, height: 195 },
  { width: 160, height: 150 },
] as const;
/** What an axis takes beside a panel: labels, ticks and title. */
const AXIS_WIDTH = 54;
const [PANEL_SPACING, LEGEND_SPACING] = [20, 14];

/**
 * As a file of Vega-Lite. The types of that library ask those who read ours for a browser's, and cannot
 * follow a specification put together in pieces.
 */
export interface VegaLiteSpec {
  readonly $schema: string;
  readonly title: { readonly text: string | readonly string[] };
  readonly vconcat: readonly object[];
}

/** The chart as it stands in a file. */
export function toVegaLite(chart: Chart): VegaLiteSpec {
  const looks = drawnSeries(chart);
  const subtitle = chartSubtitle(chart);
  const columns = columnsOf(chart);
  const width = columns * (panelSize(chart).width + AXIS_WIDTH) + (columns - 1) * PANEL_SPACING;
  const panels = panelsOf(chart, looks, false);
  const { fontSize, subtitleFontSize } = THEME.title;
  const spec = {
    $schema: SCHEMA,
    description: describeChart(chart),
    title: {
      text: wrappedText(chart.title, width, fontSize, true),
      ...(subtitle === '' ? {} : { subtitle: wrappedText(subtitle, width, subtitleFontSize) }),
    },
    config: THEME,
    spacing: LEGEND_SPACING,
    vconcat: [
      panels.length === 1 ? panels[0]! : { concat: panels, columns, spacing: PANEL_SPACING },
      ...(looks.length > 0 ? [legendView(looks, width)] : []),
    ],
  };
  return spec;
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
    columns: columnsOf(chart),
    concat: panelsOf(chart, drawnSeries(chart), true),
  };
}

/** The series of which something is drawn in some panel, in the order of the legend. */
export function drawnSeries(chart: Chart): SeriesLook[] {
  return seriesLooks(chart).filter(({ name }) => isDrawn(chart, name));
}

/**
 * What stands below the title: the chart's own words, and which series have nothing to draw or lie on one
 * another.
 */
export function chartSubtitle(chart: Chart): string {
  const empty = seriesLooks(chart).flatMap(({ name }) => (isDrawn(chart, name) ? [] : [name]));
  return [
    ...(chart.subtitle ? [chart.subtitle] : []),
    ...(empty.length > 0 ? [`without a value here: ${empty.join(', ')}`] : []),
    ...coincidences(chart),
  ].join('; ');
}

/** 'too close to tell apart: “A” and “B”, “C” and “D”' */
function coincidences(chart: Chart): string[] {
  const pairs = coincidingPairs(chart, (panel) =>
    domainOf(chart.y, axisValues(chart.sharedY === false ? { ...chart, panels: [panel] } : chart, 'y')),
  );
  const list = (everywhere: boolean, groupsOf: typeof joined): string =>
    groupsOf(pairs.filter((pair) => pair.everywhere === everywhere).map(({ names }) => names))
      .map((names) => names.map((name) => `“${name}”`).join(' and '))
      .join(', ');
  return [
    ...(list(true, joined) === '' ? [] : [`too close to tell apart: ${list(true, joined)}`]),
    ...(list(false, separate) === ''
      ? []
      : [`in some panels too close to tell apart: ${list(false, separate)}`]),
  ];
}

/** Pairs of different panels: what shares a name need not meet. */
function separate(pairs: readonly (readonly string[])[]): string[][] {
  return pairs.map((pair) => [...pair]);
}

/** Pairs that share a name in one group. */
function joined(pairs: readonly (readonly string[])[]): string[][] {
  const groups: string[][] = [];
  for (const pair of pairs) {
    const met = groups.filter((group) => group.some((name) => pair.includes(name)));
    const merged = [...new Set([...met.flat(), ...pair])];
    groups.splice(0, groups.length, ...groups.filter((group) => !met.includes(group)), merged);
  }
  return groups;
}

function isDrawn(chart: Chart, name: string): boolean {
  return chart.panels
    .flatMap(({ series }) => series)
    .filter((series) => series.name === name)
    .some(({ points }) => points.some(({ x, y }) => drawable(x, chart.x) && drawable(y, chart.y)));
}

function columnsOf(chart: Chart): number {
  return Math.min(chart.columns ?? 2, chart.panels.length);
}

function panelSize(chart: Chart): (typeof PANELS)[number] {
  return PANELS[Math.min(columnsOf(chart), PANELS.length) - 1]!;
}

function panelsOf(chart: Chart, looks: readonly SeriesLook[], live: boolean): object[] {
  const size = panelSize(chart);
  return chart.panels.map((panel) => ({
    ...(chart.panels.length === 1
      ? {}
      : { title: { text: panel.title, fontSize: 11, anchor: 'middle', offset: 5 } }),
    ...size,
    layer: panelLayers(chart, panel, looks, { live, ...size }),
  }));
}
