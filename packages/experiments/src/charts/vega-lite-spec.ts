/** From a chart to a Vega-Lite specification. */
import type { TopLevelSpec } from 'vega-lite';
import type { Chart, ChartAxis, ChartPanel, ChartPoint } from './chart.ts';
import { coincidingPairs } from './coinciding-series.ts';
import { legendView, lineDash, markOf, seriesLooks, type SeriesLook } from './legend.ts';
import { axisValues, logDomain, logTicks } from './log-ticks.ts';
import { textWidth, wrappedText } from './text-width.ts';
import { THEME } from './theme.ts';

/**
 * By the panels of a row, in pixels: one row fills a column of a paper of two columns (3.3 inches), two or three the page (7 inches), and
 * letters are 6 points high or more.
 */
const PANELS = [
  { width: 310, height: 225 },
  { width: 262, height: 195 },
  { width: 160, height: 150 },
] as const;
/** What an axis takes beside a panel: labels, ticks and title. */
const AXIS_WIDTH = 54;
const [PANEL_SPACING, LEGEND_SPACING] = [20, 14];

const SUPERSCRIPTS = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/** A Vega expression: 0.01 to 9999 as plain numbers, the rest as a mantissa times a power of ten. */
const LOG_LABEL = (() => {
  const exponent = 'floor(log(datum.value) / log(10) + 1e-9)';
  const mantissa = `format(datum.value / pow(10, ${exponent}), '.2~f')`;
  const raised = SUPERSCRIPTS.reduce(
    (expression, sign, digit) => `replace(${expression}, /${digit}/g, '${sign}')`,
    `replace('' + ${exponent}, /-/g, '⁻')`,
  );
  return `datum.value >= 0.00999 && datum.value < 10000 ? format(datum.value, '~g') : (${mantissa} == '1' ? '' : ${mantissa} + '·') + '10' + ${raised}`;
})();

/** What the legend lists, and the names of series of which nothing is drawn in any panel. */
function legendEntries(chart: Chart): { readonly shown: SeriesLook[]; readonly empty: string[] } {
  const drawn = new Set(
    chart.panels
      .flatMap(({ series }) => series)
      .filter(({ points }) => points.some(({ x, y }) => drawable(x, chart.x) && drawable(y, chart.y)))
      .map(({ name }) => name),
  );
  const looks = seriesLooks(chart);
  return {
    shown: looks.filter(({ name }) => drawn.has(name)),
    empty: looks.flatMap(({ name }) => (drawn.has(name) ? [] : [name])),
  };
}

export function toVegaLite(chart: Chart): TopLevelSpec {
  const { shown: looks, empty } = legendEntries(chart);
  const subtitle = [
    ...(chart.subtitle ? [chart.subtitle] : []),
    ...(empty.length > 0 ? [`without a value here: ${empty.join(', ')}`] : []),
    ...coincidences(chart),
  ].join('; ');
  const single = chart.panels.length === 1;
  const columns = Math.min(chart.columns ?? 2, chart.panels.length);
  const size = PANELS[Math.min(columns, PANELS.length) - 1]!;
  const width = columns * (size.width + AXIS_WIDTH) + (columns - 1) * PANEL_SPACING;
  const panels = chart.panels.map((panel) => ({
    ...(single ? {} : { title: { text: panel.title, fontSize: 11, anchor: 'middle', offset: 5 } }),
    ...size,
    layer: layersOf(chart, panel, looks, size),
  }));
  const { fontSize, subtitleFontSize } = THEME.title;
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: {
      text: wrappedText(chart.title, width, fontSize, true),
      ...(subtitle === '' ? {} : { subtitle: wrappedText(subtitle, width, subtitleFontSize) }),
    },
    config: THEME,
    spacing: LEGEND_SPACING,
    vconcat: [
      single ? panels[0] : { concat: panels, columns, spacing: PANEL_SPACING },
      ...(looks.length > 0 ? [legendView(looks, width)] : []),
    ],
  };
  // The types of Vega-Lite cannot follow a specification put together in pieces.
  return spec as unknown as TopLevelSpec;
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

function layersOf(
  chart: Chart,
  panel: ChartPanel,
  looks: readonly SeriesLook[],
  { width, height }: { readonly width: number; readonly height: number },
): object[] {
  const scope = chart.sharedY === false ? { ...chart, panels: [panel] } : chart;
  const x = { field: 'x', type: 'quantitative', ...axisOf(chart.x, axisValues(chart, 'x'), width) };
  const y = { type: 'quantitative', ...axisOf(chart.y, axisValues(scope, 'y'), width) };
  const tooltip = [
    { field: 'series', type: 'nominal', title: 'series' },
    { field: 'x', type: 'quantitative', title: chart.x.title, format: '.4~g' },
    { field: 'y', type: 'quantitative', title: chart.y.title, format: '.4~g' },
  ];
  // Dashed curves last: where they meet a line they would else be under it.
  const inOrder = [
    ...panel.series.filter(({ style }) => style !== 'theory'),
    ...panel.series.filter(({ style }) => style === 'theory'),
  ];
  const curves = inOrder.flatMap((series) => {
    const look = looks.find((candidate) => candidate.name === series.name);
    if (look === undefined) return [];
    const color = { value: look.colour };
    const points = series.points.filter((point) => drawable(point.x, chart.x));
    const values = points.map((point) => ({
      ...point,
      series: series.name,
      y: drawable(point.y, chart.y) ? point.y : null,
    }));
    const bars = points.filter((point) => hasInterval(point, chart.y));
    const interval = {
      data: { values: bars },
      mark: { type: 'errorbar', ticks: { size: 5 }, thickness: 1 },
      encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color },
    };
    const line = {
      data: { values },
      mark: { type: 'line', strokeWidth: 1.7, strokeDash: lineDash(series.style), clip: true },
      encoding: { x, y: { ...y, field: 'y' }, color },
    };
    const marks = {
      data: { values: values.filter((value) => value.y !== null) },
      mark: markOf(look),
      encoding: { x, y: { ...y, field: 'y' }, color, tooltip },
    };
    return [
      ...(bars.length > 0 ? [interval] : []),
      ...(look.joined ? [line] : []),
      ...(series.style === 'theory' ? [] : [marks]),
    ];
  });
  const broken = isBroken(chart.y, domainOf(chart.y, axisValues(scope, 'y')));
  return [...curves, ...(broken ? breakMark(height) : [])];
}

/** @param width of the panel: names that are wider than their places stand aslant */
function axisOf(axis: ChartAxis, values: readonly number[], width: number): object {
  if (axis.names) {
    const places = axis.names.map((_, i) => i + 1);
    const widest = Math.max(...axis.names.map((name) => textWidth(name, THEME.axis.labelFontSize)));
    const fits = widest + 6 <= width / places.length;
    return {
      scale: { type: 'linear', domain: [0.5, places.length + 0.5], nice: false },
      axis: {
        title: axis.title,
        values: places,
        labelExpr: `${JSON.stringify(axis.names)}[datum.value - 1]`,
        labelOverlap: false,
        ...(fits ? {} : { labelAngle: -35, labelAlign: 'right', labelBaseline: 'middle' }),
      },
    };
  }
  const domain = domainOf(axis, values);
  if (axis.scale === 'linear') {
    const scale = { type: 'linear', zero: false, domain: [...domain], nice: false };
    return { scale, axis: { title: linearTitle(axis, domain), labelOverlap: 'greedy', ...ticksOf(axis) } };
  }
  return {
    scale: { type: 'log', domain: [...domain], nice: false },
    axis: {
      title: axis.title,
      labelExpr: LOG_LABEL,
      values: axis.ticks ?? logTicks(domain),
      labelOverlap: 'greedy',
    },
  };
}

function domainOf({ domain, scale }: ChartAxis, values: readonly number[]): readonly [number, number] {
  if (domain) return domain;
  if (scale === 'linear') return linearDomain(values);
  const positive = values.filter((value) => value > 0);
  return logDomain(positive.length > 0 ? positive : [1, 10]);
}

function ticksOf({ ticks }: ChartAxis): object {
  return ticks === undefined ? {} : { values: ticks };
}

/** All values, and a little room for the marks at the ends. */
function linearDomain(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = 0.04 * (most - least || Math.abs(most) || 1);
  return [least - room, most + room];
}

/** Percentages are read from 0: an axis that begins well above it says so, and is broken. */
function isBroken({ title, scale }: ChartAxis, [low]: readonly [number, number]): boolean {
  return scale === 'linear' && title.includes('(%)') && low > 10;
}

function linearTitle(axis: ChartAxis, domain: readonly [number, number]): string {
  return isBroken(axis, domain) ? `${axis.title}, axis from ${Math.round(domain[0])}` : axis.title;
}

/** Two strokes across the lower end of the upright axis, and nothing between them. */
function breakMark(height: number): object[] {
  const stroke = (color: string, strokeWidth: number, up: number): object => ({
    data: { values: [{}] },
    mark: { type: 'rule', color, strokeWidth, clip: false },
    encoding: {
      x: { value: -5 },
      x2: { value: 5 },
      y: { value: height - up },
      y2: { value: height - up - 4 },
    },
  });
  return [stroke('white', 3, 5), stroke('#444444', 1, 3), stroke('#444444', 1, 7)];
}

function drawable(value: number | null | undefined, axis: ChartAxis): value is number {
  return typeof value === 'number' && Number.isFinite(value) && (axis.scale === 'linear' || value > 0);
}

function hasInterval(point: ChartPoint, axis: ChartAxis): boolean {
  return drawable(point.low, axis) && drawable(point.high, axis);
}
