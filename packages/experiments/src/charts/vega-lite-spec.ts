/** From a chart to a Vega-Lite specification. */
import type { TopLevelSpec } from 'vega-lite';
import type { Chart, ChartAxis, ChartPanel, ChartPoint } from './chart.ts';
import { legendView, lineDash, markOf, seriesLooks, type SeriesLook } from './legend.ts';
import { axisValues, logDomain, logTicks } from './log-ticks.ts';
import { THEME } from './theme.ts';

const PANEL = { single: { width: 470, height: 340 }, several: { width: 310, height: 240 } } as const;

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
  ].join('; ');
  const single = chart.panels.length === 1;
  const size = single ? PANEL.single : PANEL.several;
  const panels = chart.panels.map((panel) => ({
    ...(single ? {} : { title: { text: panel.title, fontSize: 12, anchor: 'middle', offset: 6 } }),
    ...size,
    layer: layersOf(chart, panel, looks),
  }));
  const spec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
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

function layersOf(chart: Chart, panel: ChartPanel, looks: readonly SeriesLook[]): object[] {
  const scope = chart.sharedY === false ? { ...chart, panels: [panel] } : chart;
  const x = { field: 'x', type: 'quantitative', ...axisOf(chart.x, axisValues(chart, 'x')) };
  const y = { type: 'quantitative', ...axisOf(chart.y, axisValues(scope, 'y')) };
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
  return inOrder.flatMap((series) => {
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
}

function axisOf(axis: ChartAxis, values: readonly number[]): object {
  if (axis.names) {
    const places = axis.names.map((_, i) => i + 1);
    return {
      scale: { type: 'linear', domain: [0.5, places.length + 0.5], nice: false },
      axis: {
        title: axis.title,
        values: places,
        labelExpr: `${JSON.stringify(axis.names)}[datum.value - 1]`,
        labelOverlap: false,
      },
    };
  }
  if (axis.scale === 'linear') {
    const domain = axis.domain ?? linearDomain(values);
    const scale = { type: 'linear', zero: false, domain: [...domain], nice: false };
    return { scale, axis: { title: linearTitle(axis.title, domain), labelOverlap: 'greedy' } };
  }
  const positive = values.filter((value) => value > 0);
  const domain = axis.domain ?? logDomain(positive.length > 0 ? positive : [1, 10]);
  return {
    scale: { type: 'log', domain: [...domain], nice: false },
    axis: { title: axis.title, labelExpr: LOG_LABEL, values: logTicks(domain), labelOverlap: 'greedy' },
  };
}

/** All values, and a little room for the marks at the ends. */
function linearDomain(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = 0.04 * (most - least || Math.abs(most) || 1);
  return [least - room, most + room];
}

/** Percentages are read from 0: an axis that begins well above it says so. */
function linearTitle(title: string, [low]: readonly [number, number]): string {
  return title.includes('(%)') && low > 10 ? `${title}, axis from ${Math.round(low)}` : title;
}

function drawable(value: number | null | undefined, axis: ChartAxis): value is number {
  return typeof value === 'number' && Number.isFinite(value) && (axis.scale === 'linear' || value > 0);
}

function hasInterval(point: ChartPoint, axis: ChartAxis): boolean {
  return drawable(point.low, axis) && drawable(point.high, axis);
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
