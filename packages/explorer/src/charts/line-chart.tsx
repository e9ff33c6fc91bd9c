/** Curves with a proved band, drawn as SVG: lines are labelled where they end, and a cursor reads them. */
import { shortEnd, shortEnds, shortNumber } from '@shuffle-dp/experiments/words';
import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { useWidth } from './use-width.ts';
import { shareAlong, ticks, type Axis } from './axis.ts';
import { LineLabels } from './line-labels.tsx';

/** What is known of a stretch of a line: itself, or an upper end that is proved, not proved, or refuted. */
export type LineManner = 'exact' | 'certified' | 'unproven' | 'refuted';

export interface LinePoint {
  readonly x: number;
  readonly y: number;
  readonly manner: LineManner;
}

export interface ChartLine {
  readonly name: string;
  /** Drawn stronger than the others, or as a reference behind them. */
  readonly tone?: 'strong' | 'reference';
  readonly points: readonly LinePoint[];
}

export interface BandPoint {
  readonly x: number;
  readonly lower: number;
  readonly upper: number;
}

export interface LineChartProps {
  /** What the chart shows, in a sentence or two, for those who do not see it. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly band: readonly BandPoint[];
  readonly bandName: string;
  readonly lines: readonly ChartLine[];
  /** The present setting. */
  readonly marked?: number;
  /** Significant digits under the cursor; ends of the band are rounded outwards. */
  readonly digits: number;
}

const HEIGHT = 400;
const TOP = 26;
const BOTTOM = 44;
const LEFT = 58;
/** Heights of the plot beyond which a value is drawn at this distance: none may be infinite. */
const FAR = 100;
/** From this width on labels stand right of the plot. */
const WIDE = 620;

export function LineChart(props: LineChartProps): JSX.Element {
  const { description, x, y, xTitle, yTitle, band, bandName, lines, marked } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 720);
  const clip = useId();
  const [cursor, setCursor] = useState<number | null>(null);
  const right = width >= WIDE ? 178 : 14;
  const plotWidth = Math.max(80, width - LEFT - right);
  const plotHeight = HEIGHT - TOP - BOTTOM;
  const across = (value: number): number => LEFT + plotWidth * shareAlong(x, value);
  const down = (value: number): number => {
    const share = shareAlong(y, value);
    return TOP + plotHeight * (1 - Math.max(-FAR, Math.min(FAR, share)));
  };
  const path = (points: readonly (readonly [number, number])[]): string =>
    points.map(([a, b], i) => `${i === 0 ? 'M' : 'L'}${a.toFixed(1)},${b.toFixed(1)}`).join('');
  const xs = [
    ...new Set([...band.map((point) => point.x), ...lines.flatMap(({ points }) => points.map((p) => p.x))]),
  ].sort((a, b) => a - b);
  const nearest = (clientX: number): number | null => {
    const { left } = box.current!.getBoundingClientRect();
    const wanted = (clientX - left - LEFT) / plotWidth;
    return xs.reduce<number | null>(
      (best, value) =>
        best === null || Math.abs(shareAlong(x, value) - wanted) < Math.abs(shareAlong(x, best) - wanted)
          ? value
          : best,
      null,
    );
  };
  const step = (by: number): void => {
    const present = cursor ?? marked ?? xs[0] ?? 0;
    const at = xs.findIndex((value) => value >= present);
    setCursor(xs[Math.min(xs.length - 1, Math.max(0, (at < 0 ? xs.length - 1 : at) + by))] ?? null);
  };
  const upper = band.map((point) => [across(point.x), down(point.upper)] as const);
  const lower = band.map((point) => [across(point.x), down(point.lower)] as const);
  const ended = lines.filter(({ points }) => points.length > 0);
  const labels = [
    ...(band.length === 0 ? [] : [{ text: bandName, className: 'band', points: upper }]),
    ...ended.map(({ name, points }) => ({
      text: name,
      className: points.some(({ manner }) => manner === 'refuted') ? 'refuted' : points.at(-1)!.manner,
      points: points.map((point) => [across(point.x), down(point.y)] as const),
    })),
  ];
  const plot = { left: LEFT, right: LEFT + plotWidth, top: TOP, bottom: TOP + plotHeight };
  return (
    <div class="chart" ref={box}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={description}
        // In lower case, as names of an SVG's attributes are told apart by it.
        tabindex={0}
        onPointerMove={(event) => setCursor(nearest(event.clientX))}
        onPointerLeave={() => setCursor(null)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') step(1);
          else if (event.key === 'ArrowLeft') step(-1);
          else if (event.key === 'Escape') setCursor(null);
          else return;
          event.preventDefault();
        }}
      >
        <clipPath id={clip}>
          <rect x={LEFT} y={TOP - 4} width={plotWidth} height={plotHeight + 4} />
        </clipPath>
        <text class="axis-title" x={0} y={13}>
          {yTitle}
        </text>
        {ticks(y, 7).map(({ value, text }) => (
          <g key={`y${value}`} class="tick">
            <line x1={LEFT} x2={LEFT + plotWidth} y1={down(value)} y2={down(value)} />
            <text x={LEFT - 8} y={down(value) + 4} text-anchor="end">
              {text}
            </text>
          </g>
        ))}
        {ticks(x, Math.max(3, Math.floor(plotWidth / 62))).map(({ value, text }) => (
          <text
            key={`x${value}`}
            class="tick"
            x={across(value)}
            y={TOP + plotHeight + 20}
            text-anchor="middle"
          >
            {text}
          </text>
        ))}
        <text class="axis-title" x={LEFT + plotWidth / 2} y={HEIGHT - 5} text-anchor="middle">
          {xTitle}
        </text>
        <g clip-path={`url(#${clip})`}>
          {marked !== undefined && Number.isFinite(across(marked)) && (
            <line class="marked" x1={across(marked)} x2={across(marked)} y1={TOP} y2={TOP + plotHeight} />
          )}
          {band.length > 0 && (
            <>
              <path class="band" d={`${path(upper)}${path(lower.toReversed()).replace('M', 'L')}Z`} />
              <path class="band-edge lower" d={path(lower)} />
              <path class="band-edge" d={path(upper)} />
            </>
          )}
          {ended.map(({ name, points, tone = '' }) => (
            <g key={name} class={`line ${tone}`}>
              {points.slice(1).map((point, i) => {
                const before = points[i]!;
                const manner = worse(before.manner, point.manner);
                return (
                  <line
                    key={i}
                    class={manner}
                    x1={across(before.x)}
                    y1={down(before.y)}
                    x2={across(point.x)}
                    y2={down(point.y)}
                  />
                );
              })}
              {points
                .filter(({ manner }) => manner === 'refuted')
                .map((point) => (
                  <path key={point.x} class="cross" d={crossAt(across(point.x), down(point.y))} />
                ))}
            </g>
          ))}
          {cursor !== null && (
            <line class="cursor" x1={across(cursor)} x2={across(cursor)} y1={TOP} y2={TOP + plotHeight} />
          )}
        </g>
        <LineLabels of={labels} plot={plot} isBeside={width >= WIDE} />
      </svg>
      <Readout {...props} at={cursor} />
    </div>
  );
}

/** What the lines say under the cursor. */
function Readout({
  at,
  band,
  bandName,
  lines,
  xTitle,
  digits,
}: LineChartProps & { readonly at: number | null }): JSX.Element {
  const rows = [
    ...band
      .filter(({ x }) => x === at)
      .map((ends) => ({ name: bandName, text: shortEnds(ends, digits, ' to ') })),
    ...lines.flatMap(({ name, points }) =>
      points
        .filter(({ x }) => x === at)
        .map(({ y, manner }) => ({
          name,
          text: READ[manner](y, digits),
        })),
    ),
  ];
  return (
    <p class="readout" aria-live="polite">
      {at === null ? (
        'Point at the chart, or focus it and press the arrow keys, to read it.'
      ) : (
        <>
          <strong>
            {xTitle} {shortNumber(at, digits)}
          </strong>
          {rows.map(({ name, text }) => (
            <span key={name}>
              {name} {text}
            </span>
          ))}
        </>
      )}
    </p>
  );
}

/** How a point of a line is read out: a certified one is an upper end. */
const READ: Readonly<Record<LineManner, (value: number, digits: number) => string>> = {
  exact: shortNumber,
  certified: (value, digits) => shortEnd(value, 'upper', digits),
  unproven: (value, digits) => `${shortNumber(value, digits)}, unproven here`,
  refuted: (value, digits) => `${shortNumber(value, digits)}, refuted here`,
};

const WORSE: readonly LineManner[] = ['exact', 'certified', 'unproven', 'refuted'];

function worse(a: LineManner, b: LineManner): LineManner {
  return WORSE[Math.max(WORSE.indexOf(a), WORSE.indexOf(b))]!;
}

function crossAt(x: number, y: number): string {
  return `M${x - 3},${y - 3}l6,6M${x - 3},${y + 3}l6,-6`;
}
