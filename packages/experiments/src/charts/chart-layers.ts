/** What a panel draws: of each series its bars, its line and its marks, as layers of Vega-Lite. */
import { shortNumber } from '../words/short-number.ts';
import { axisOf, breakMark, drawable } from './axes.ts';
import type { Chart, ChartAxis, ChartPanel, ChartPoint } from './chart.ts';
import { lineDash, markOf, type SeriesLook } from './legend.ts';
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
  // Dashed curves last: where they meet a line they would else be under it.
  const inOrder = [
    ...panel.series.filter(({ style }) => style !== 'theory'),
    ...panel.series.filter(({ style }) => style === 'theory'),
  ];
  const layers = inOrder.map((series): SeriesLayers => {
    const look = looks.find((candidate) => candidate.name === series.name);
    if (look === undefined) return { drawn: [], unseen: [] };
    const color = { value: look.colour };
    const points = series.points.filter((point) => drawable(point.x, chart.x));
    const values = points.map((point) => ({
      ...point,
      series: series.name,
      y: drawable(point.y, chart.y) ? point.y : null,
    }));
    const known = values.filter((value) => value.y !== null);
    const bars = values.filter((point) => hasInterval(point, chart.y));
    const interval = {
      data: { values: bars },
      ...switched,
      mark: { type: 'errorbar', ticks: { size: 5 }, thickness: 1 },
      encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color },
    };
    const line = {
      data: { values },
      ...switched,
      mark: { type: 'line', strokeWidth: 1.7, strokeDash: lineDash(series.style), clip: true },
      encoding: { x, y: { ...y, field: 'y' }, color },
    };
    const told = { data: { values: known.map((value) => ({ ...value, ...inWords(value, chart) })) } };
    const tooltip = tooltipOf(chart, bars.length > 0);
    const marks = {
      ...told,
      ...switched,
      mark: markOf(look),
      encoding: { x, y: { ...y, field: 'y' }, color, tooltip },
    };
    const point = { type: 'point', size: 140, filled: true, opacity: 0 };
    return {
      drawn: [
        ...(bars.length > 0 ? [interval] : []),
        ...(look.joined ? [line] : []),
        ...(series.style === 'theory' ? [] : [marks]),
      ],
      unseen: live && series.style === 'theory' ? [{ ...marks, mark: point }] : [],
    };
  });
  return [
    ...layers.flatMap(({ unseen }) => unseen),
    ...layers.flatMap(({ drawn }) => drawn),
    ...breakMark(chart.y, heights, height),
  ];
}

interface SeriesLayers {
  readonly drawn: readonly object[];
  /** Where a dashed curve tells its values; beneath the marks, which tell theirs first. */
  readonly unseen: readonly object[];
}

function tooltipOf({ x, y, bars = '95 % interval' }: Chart, hasBars: boolean): object[] {
  return [
    { field: 'series', type: 'nominal', title: 'series' },
    { field: 'xWords', type: 'nominal', title: x.title === '' ? 'at' : x.title },
    { field: 'yWords', type: 'nominal', title: y.title },
    ...(hasBars ? [{ field: 'barWords', type: 'nominal', title: bars }] : []),
  ];
}

/** The numbers of a point as they stand in tables. */
function inWords({ x, y, low, high }: ChartPoint, chart: Chart): object {
  const name = chart.x.names?.[Math.round(x) - 1];
  return {
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
