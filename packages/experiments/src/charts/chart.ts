/** Charts as plain data: what a figure says, independent of the library that draws it. */

/** One point; `low` and `high` are the ends of its interval. Points whose `y` is null leave a gap. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
}

/**
 * 'measured': line with marks and intervals; 'theory': dashed line without marks; 'printed': marks alone, for
 * values that a paper prints; 'line': a plain line with marks, for computed curves.
 */
export type SeriesStyle = 'measured' | 'theory' | 'printed' | 'line';

export interface ChartSeries {
  readonly name: string;
  readonly style: SeriesStyle;
  readonly points: readonly ChartPoint[];
  /** Series with the same key share a colour and a mark; the name when absent. */
  readonly colourKey?: string;
}

export interface ChartAxis {
  /** With its unit: 'blanket messages per user m'. */
  readonly title: string;
  readonly scale: 'linear' | 'log';
  readonly domain?: readonly [number, number];
  /** Where its labels stand, as at the only values that there are; by default at round numbers. */
  readonly ticks?: readonly number[];
  /** For things without a number: point x stands at name x - 1. The scale is linear then. */
  readonly names?: readonly string[];
}

export interface ChartPanel {
  readonly title: string;
  readonly series: readonly ChartSeries[];
}

/** One figure: one or more panels side by side with common axes titles and one legend beneath. */
export interface Chart {
  /** File name without extension. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string;
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  readonly panels: readonly ChartPanel[];
  /** What the bars of its points are, for tooltips; default '95 % interval'. */
  readonly bars?: string;
  /** Panels share the range of y; default true. */
  readonly sharedY?: boolean;
  readonly columns?: number;
  /**
   * Places of colour keys among the colours, so that a series looks the same in several charts; the others
   * take what is left.
   */
  readonly looks?: Readonly<Record<string, number>>;
  /**
   * Colour keys in the order of the colours, so that charts that show some of the same series agree; by
   * default as they come.
   */
  readonly colourKeys?: readonly string[];
}

export interface CaptionedChart {
  readonly chart: Chart;
  readonly caption: string;
}
