/** What a panel draws: of each series its bars, its line and its marks, as layers of Vega-Lite. */
import { shortNumber } from '../words/short-number.ts';
import { axisOf, breakMark, drawable } from './axes.ts';
import type { Chart, ChartAxis, ChartPanel, ChartPoint, ChartSeries } from './chart.ts';
import { fieldAsIs, lineDash, LOOK_FIELDS, markOf, type SeriesLook } from './legend.ts';
import { axisValues } from './log-ticks.ts';

/** The signal of a live chart that holds the names of series which are switched off. */
export const HIDDEN_SERIES = 'hiddenSeries';

interface Options {
  /** For a page: series can be switched off, and dashed curves tell their values too. */
  readonly live: boolean;
  /** Of the panel, in pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * One layer for all bars, lines or marks of a kind, since a layer takes as long as a hundred rows: what a
 * series looks like stands in its rows. Dashed curves come last: where they meet a line they would else be
 * under it.
 */
export function panelLayers(
  chart: Chart,
  panel: ChartPanel,
  looks: readonly SeriesLook[],
  { live, width, height }: Options,
): object[] {
  const scope = chart.sharedY === false ? { ...chart, panels: [panel] } : chart;
  const x = { field: 'x', type: 'quantitative', ...axisOf(chart.x, axisValues(chart, 'x'), width) };
  const heights = axisValues(scope, 'y');
  const y = { type: 'quantitative', ...axisOf(chart.y, heights, width) };
  const switched = live ? { transform: [{ filter: `indexof(${HIDDEN_SERIES}, datum.series) < 0` }] } : {};
  const drawn = panel.series.flatMap((series): DrawnSeries[] => {
    const look = looks.find(({ name }) => name === series.name);
    return look ? [{ look, rows: rowsOf(series.points, look, chart) }] : [];
  });
  /** Nothing where no series has such rows. */
  const layer = (rows: readonly object[], mark: object, encoding: object): object[] =>
    rows.length === 0
      ? []
      : [{ data: { values: rows }, ...switched, mark, encoding: { x, ...LOOK_FIELDS, ...encoding } }];
  const theory = drawn.filter(({ look }) => look.style === 'theory');
  const printed = drawn.filter(({ look }) => look.style === 'printed');
  const computed = drawn.filter((series) => !theory.includes(series) && !printed.includes(series));
  const lines = (of: readonly DrawnSeries[], style: ChartSeries['style']): object[] =>
    layer(
      of.flatMap(({ look, rows }) => (look.joined ? rows : [])),
      { type: 'line', strokeWidth: 1.7, strokeDash: lineDash(style), clip: true },
      // Two lines may have one colour.
      { y: { ...y, field: 'y' }, detail: { field: 'series', type: 'nominal' } },
    );
  const marks = (of: readonly DrawnSeries[], mark: object): object[] =>
    // A tooltip tells of bars only where a series has them.
    [true, false].flatMap((hasBars) =>
      layer(
        of
          .filter(({ rows }) => rows.some((row) => hasInterval(row, chart.y)) === hasBars)
          .flatMap(({ rows }) => rows.filter((row) => row.y !== null).map((row) => inWords(row, chart))),
        mark,
        { y: { ...y, field: 'y' }, shape: fieldAsIs('shape'), tooltip: tooltipOf(chart, hasBars) },
      ),
    );
  const layers = [
    // Beneath the marks, which tell their values first.
    ...(live ? marks(theory, { type: 'point', size: 140, filled: true, opacity: 0 }) : []),
    ...layer(
      drawn.flatMap(({ rows }) => rows.filter((row) => hasInterval(row, chart.y))),
      { type: 'errorbar', ticks: { size: 5 }, thickness: 1 },
      { y: { ...y, field: 'low' }, y2: { field: 'high' } },
    ),
    ...lines(computed, 'measured'),
    ...marks(printed, markOf('printed')),
    ...marks(computed, markOf('measured')),
    ...lines(theory, 'theory'),
    ...breakMark(chart.y, heights, height),
  ];
  // Vega has no panel without a layer: of nothing that can be drawn the axes are.
  const axes = { data: { values: [] }, mark: 'point', encoding: { x, y: { ...y, field: 'y' } } };
  return layers.length > 0 ? layers : [axes];
}

interface DrawnSeries {
  readonly look: SeriesLook;
  readonly rows: readonly Row[];
}

/** A point with what its series looks like. */
interface Row extends ChartPoint {
  readonly series: string;
  readonly colour: string;
  readonly shape: string;
}

function rowsOf(
  points: readonly ChartPoint[],
  { name: series, colour, shape }: SeriesLook,
  chart: Chart,
): Row[] {
  return points
    .filter((point) => drawable(point.x, chart.x))
    .map((point) => ({ ...point, series, colour, shape, y: drawable(point.y, chart.y) ? point.y : null }));
}

function tooltipOf({ x, y, bars = '95 % interval' }: Chart, hasBars: boolean): object[] {
  return [
    { field: 'series', type: 'nominal', title: 'series' },
    { field: 'xWords', type: 'nominal', title: x.title === '' ? 'at' : x.title },
    { field: 'yWords', type: 'nominal', title: y.title },
    ...(hasBars ? [{ field: 'barWords', type: 'nominal', title: bars }] : []),
  ];
}

/** With the numbers of the point as they stand in tables. */
function inWords(row: Row, chart: Chart): object {
  const { x, y, low, high } = row;
  const name = chart.x.names?.[Math.round(x) - 1];
  return {
    ...row,
    xWords: name ?? shortNumber(x),
    yWords: shortNumber(y!),
    ...(low !== undefined && high !== undefined
      ? { barWords: `${shortNumber(low)} … ${shortNumber(high)}` }
      : {}),
  };
}

function hasInterval(point: ChartPoint, axis: ChartAxis): boolean {
  return drawable(point.low, axis) && drawable(point.high, axis);
}
