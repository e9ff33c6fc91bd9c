/**
 * The legend as a view of its own beneath the panels: each entry shows line, dash and mark as they are drawn,
 * which Vega-Lite's merged legends cannot, and it never covers data.
 */
import type { Chart, ChartSeries } from './chart.ts';
import { textWidth } from './text-width.ts';
import { COLOURS, SHAPES } from './theme.ts';

const ROW_HEIGHT = 18;
const SWATCH = 28;
const COLUMN_SPACING = 16;
const FONT_SIZE = 11;
const DASH = [5, 4];

/** How each series of a chart is drawn. Series with one `colourKey` share colour and mark. */
export interface SeriesLook {
  readonly name: string;
  readonly colour: string;
  readonly shape: string;
  readonly style: ChartSeries['style'];
  /**
   * Whether a line joins the points: not printed values, things without an order, or measured values beside
   * the curve that they are to meet.
   */
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
  const places = placesOf([...new Set([...(chart.colourKeys ?? []), ...own])], chart.looks ?? {});
  return [...first.values()].map((series) => {
    const place = places.get(series.colourKey ?? series.name)!;
    return {
      name: series.name,
      colour: COLOURS[place % COLOURS.length]!,
      shape: SHAPES[place % SHAPES.length]!,
      style: series.style,
      joined:
        series.style !== 'printed' &&
        (series.style === 'theory' || chart.x.names === undefined) &&
        !(series.style === 'measured' && theories.has(series.colourKey ?? series.name)),
    };
  });
}

/** Those that are given, and for the other keys in turn the least that is free. */
function placesOf(keys: readonly string[], given: NonNullable<Chart['looks']>): Map<string, number> {
  const taken = new Set(keys.flatMap((key) => given[key] ?? []));
  const free = Array.from({ length: keys.length + taken.size }, (_, i) => i).filter((i) => !taken.has(i));
  return new Map(keys.map((key) => [key, given[key] ?? free.shift()!]));
}

export function lineDash(style: ChartSeries['style']): number[] {
  return style === 'theory' ? DASH : [1, 0];
}

/** In as many columns of equal width as `most` pixels hold, read downwards. */
export function legendView(looks: readonly SeriesLook[], most: number): object {
  const entry = SWATCH + 8 + Math.ceil(Math.max(...looks.map((look) => textWidth(look.name, FONT_SIZE)))) + 4;
  const fitting = Math.max(1, Math.floor((most + COLUMN_SPACING) / (entry + COLUMN_SPACING)));
  const rows = Math.ceil(looks.length / fitting);
  const columns = Math.ceil(looks.length / rows);
  const width = columns * (entry + COLUMN_SPACING) - COLUMN_SPACING;
  const height = rows * ROW_HEIGHT;
  const place = (look: SeriesLook, x: number): object => {
    const i = looks.indexOf(look);
    const { name, colour, shape } = look;
    const column = Math.floor(i / rows) * (entry + COLUMN_SPACING);
    return { name, colour, shape, x: column + x, y: (i % rows) + 0.5 };
  };
  const along = (field: 'x' | 'y', end: number, direction: object): object => {
    const scale = { domain: [0, end], nice: false, ...direction, zero: false };
    return { field, type: 'quantitative', axis: null, scale };
  };
  const scales = { x: along('x', width, {}), y: along('y', rows, { reverse: true }) };
  const layer = (values: readonly object[], mark: object, encoding: object): object[] =>
    values.length === 0 ? [] : [{ data: { values }, mark, encoding: { ...scales, ...encoding } }];
  const lines = (isTheory: boolean): object[] =>
    layer(
      looks
        .filter(({ joined, style }) => joined && (style === 'theory') === isTheory)
        .flatMap((look) => [place(look, 0), place(look, SWATCH)]),
      { type: 'line', strokeWidth: 1.8, strokeDash: lineDash(isTheory ? 'theory' : 'measured') },
      { ...LOOK_FIELDS, detail: { field: 'name', type: 'nominal' } },
    );
  const marks = (isPrinted: boolean): object[] =>
    layer(
      looks
        .filter(({ style }) => style !== 'theory' && (style === 'printed') === isPrinted)
        .map((look) => place(look, SWATCH / 2)),
      markOf(isPrinted ? 'printed' : 'measured'),
      { ...LOOK_FIELDS, shape: fieldAsIs('shape') },
    );
  const names = layer(
    looks.map((look) => place(look, SWATCH + 8)),
    { type: 'text', align: 'left', baseline: 'middle', fontSize: FONT_SIZE },
    { text: { field: 'name', type: 'nominal' } },
  );
  const layers = [...lines(false), ...lines(true), ...marks(false), ...marks(true), ...names];
  return { width, height, view: { stroke: null }, layer: layers };
}

/** A colour or a shape that the rows name themselves. */
export function fieldAsIs(field: string): object {
  return { field, type: 'nominal', scale: null, legend: null };
}

/** What a series looks like in any mark. */
export const LOOK_FIELDS = { color: fieldAsIs('colour') } as const;

/**
 * The marks of points but for their shape: filled when we computed them, hollow and larger when a paper
 * prints them.
 */
export function markOf(style: ChartSeries['style']): object {
  return style === 'printed'
    ? { type: 'point', filled: false, size: 110, strokeWidth: 2, opacity: 1, clip: false }
    : { type: 'point', filled: true, size: 38, opacity: 1, clip: true };
}
