/**
 * The legend as a view of its own at the right of the panels: each entry shows line, dash and mark as they are drawn,
 * which Vega-Lite's merged legends cannot, and it never covers data.
 */
import type { Chart, ChartSeries } from './chart.ts';
import { textWidth } from './text-width.ts';
import { COLOURS, SHAPES } from './theme.ts';

const ROW_HEIGHT = 21;
const SWATCH = 30;
const FONT_SIZE = 11;
const DASH = [5, 4];

/** How each series of a chart is drawn. Series with one `colourKey` share colour and mark. */
export interface SeriesLook {
  readonly name: string;
  readonly colour: string;
  readonly shape: string;
  readonly style: ChartSeries['style'];
  /** Whether a line joins the points: not printed values, things without an order, or measured values beside the curve that they are to meet. */
  readonly joined: boolean;
}

export function seriesLooks(chart: Chart): SeriesLook[] {
  const first = new Map<string, ChartSeries>();
  for (const series of chart.panels.flatMap((panel) => panel.series)) {
    if (!first.has(series.name)) first.set(series.name, series);
  }
  const own = [...first.values()].map((series) => series.colourKey ?? series.name);
  const theories = new Set(
    [...first.values()].filter(({ style }) => style === 'theory').map(({ colourKey }) => colourKey),
  );
  const keys = [...new Set([...(chart.colourKeys ?? []), ...own])];
  return [...first.values()].map((series) => {
    const index = keys.indexOf(series.colourKey ?? series.name);
    return {
      name: series.name,
      colour: COLOURS[index % COLOURS.length]!,
      shape: SHAPES[index % SHAPES.length]!,
      style: series.style,
      joined:
        series.style !== 'printed' &&
        (series.style === 'theory' || chart.x.names === undefined) &&
        !(series.style === 'measured' && theories.has(series.colourKey ?? series.name)),
    };
  });
}

export function lineDash(style: ChartSeries['style']): number[] {
  return style === 'theory' ? DASH : [1, 0];
}

export function legendView(looks: readonly SeriesLook[]): object {
  const width = SWATCH + 8 + Math.ceil(Math.max(...looks.map((look) => textWidth(look.name, FONT_SIZE)))) + 4;
  const height = looks.length * ROW_HEIGHT;
  const place = (look: SeriesLook, x: number): object => ({
    name: look.name,
    x,
    y: looks.indexOf(look) + 0.5,
  });
  const scales = {
    x: {
      field: 'x',
      type: 'quantitative',
      axis: null,
      scale: { domain: [0, width], nice: false, zero: false },
    },
    y: {
      field: 'y',
      type: 'quantitative',
      axis: null,
      scale: { domain: [0, looks.length], nice: false, reverse: true, zero: false },
    },
  };
  const layer = looks.flatMap((look) => {
    const fixed = { color: { value: look.colour } };
    const line = {
      data: { values: [place(look, 0), place(look, SWATCH)] },
      mark: { type: 'line', strokeWidth: 1.8, strokeDash: lineDash(look.style) },
      encoding: { ...scales, ...fixed },
    };
    const mark = {
      data: { values: [place(look, SWATCH / 2)] },
      mark: markOf(look),
      encoding: { ...scales, ...fixed },
    };
    const text = {
      data: { values: [place(look, SWATCH + 8)] },
      mark: { type: 'text', align: 'left', baseline: 'middle', fontSize: FONT_SIZE },
      encoding: { ...scales, text: { field: 'name', type: 'nominal' } },
    };
    return [...(look.joined ? [line] : []), ...(look.style === 'theory' ? [] : [mark]), text];
  });
  return { width, height, view: { stroke: null }, layer };
}

/** The mark of one series' points: filled when we computed them, hollow and larger when a paper prints them. */
export function markOf(look: SeriesLook): object {
  return look.style === 'printed'
    ? { type: 'point', shape: look.shape, filled: false, size: 110, strokeWidth: 2, opacity: 1, clip: false }
    : { type: 'point', shape: look.shape, filled: true, size: 38, opacity: 1, clip: true };
}
