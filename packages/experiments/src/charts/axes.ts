/** Axes of a chart: their ranges, ticks and labels. */
import type { ChartAxis } from './chart.ts';
import { logDomain, logLabels, logTicks } from './log-ticks.ts';
import { textWidth } from './text-width.ts';
import { THEME } from './theme.ts';

/**
 * Scale and axis of a channel of Vega-Lite.
 *
 * @param values all that are drawn along it
 * @param width of the panel: names that are wider than their places stand aslant
 */
export function axisOf(axis: ChartAxis, values: readonly number[], width: number): object {
  if (axis.names) {
    const places = axis.names.map((_, i) => i + 1);
    const widest = Math.max(...axis.names.map((name) => textWidth(name, THEME.axis.labelFontSize)));
    const fits = widest + 6 <= width / places.length;
    return {
      scale: { type: 'linear', domain: [0.5, places.length + 0.5], nice: false },
      axis: {
        title: axis.title,
        values: places,
        labelExpr: `${JSON.stringify(axis.names.map(drawnName))}[datum.value - 1]`,
        labelOverlap: false,
        ...(fits ? {} : { labelAngle: -35, labelAlign: 'right', labelBaseline: 'middle', labelLimit: 240 }),
      },
    };
  }
  const domain = domainOf(axis, values);
  if (axis.scale === 'linear') {
    const scale = { type: 'linear', zero: false, domain: [...domain], nice: false };
    const ticks = axis.ticks === undefined ? {} : { values: axis.ticks };
    return { scale, axis: { title: linearTitle(axis, domain), ...APART, ...ticks } };
  }
  const ticks = axis.ticks ?? logTicks(domain);
  // Those that are given need not be of one size, and each is told as is shortest for it.
  const labels = axis.ticks ? ticks.flatMap((tick) => logLabels([tick])) : logLabels(ticks);
  const labelExpr = `${JSON.stringify(labels)}[indexof(${JSON.stringify(ticks)}, datum.value)]`;
  return {
    scale: { type: 'log', domain: [...domain], nice: false },
    axis: { title: axis.title, labelExpr, values: ticks, ...APART },
  };
}

/** Of labels that would run together every second one is left out, and more: so many pixels lie between. */
const APART = { labelOverlap: 'greedy', labelSeparation: 6 } as const;

/**
 * Vega keeps what it draws in objects by their texts, and takes those that every object has ('constructor')
 * for its own: such a name is drawn with a space behind it.
 */
function drawnName(name: string): string {
  return name in {} ? `${name} ` : name;
}

/**
 * The range of an axis: its own, or one that holds all values. One that is broken begins at a round number.
 */
export function domainOf(axis: ChartAxis, values: readonly number[]): readonly [number, number] {
  if (axis.domain) return axis.domain;
  if (axis.scale === 'linear') {
    const [low, high] = linearDomain(values);
    return isBroken(axis, [low, high]) ? [roundBelow(low, high), high] : [low, high];
  }
  const positive = values.filter((value) => value > 0);
  return logDomain(positive.length > 0 ? positive : [1, 10]);
}

/**
 * Share of the values' range that is left free at both ends: in the lowest panel the half of the largest
 * mark, and a pixel.
 */
const ROOM = 0.065;

/** All values, and room for the marks at the ends. */
function linearDomain(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = most - least;
  // Values that differ by rounding alone are one.
  const room = ROOM * (spread > 1e-9 * Math.abs(most) ? spread : Math.abs(most) || 1);
  return [least - room, most + room];
}

function roundBelow(low: number, high: number): number {
  const step = high - low > 20 ? 5 : high - low > 8 ? 2 : 1;
  return step * Math.floor(low / step);
}

/** Percentages are read from 0: an axis that begins well above it says so, and is broken. */
function isBroken({ title, scale }: ChartAxis, [low]: readonly [number, number]): boolean {
  return scale === 'linear' && title.includes('(%)') && low > 10;
}

function linearTitle(axis: ChartAxis, domain: readonly [number, number]): string {
  return isBroken(axis, domain) ? `${axis.title}, axis from ${domain[0]}` : axis.title;
}

/** Two strokes across the lower end of an upright axis that is broken, and nothing between them. */
export function breakMark(axis: ChartAxis, values: readonly number[], height: number): object[] {
  if (!isBroken(axis, domainOf(axis, values))) return [];
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

/** Whether a value has a place on an axis. */
export function drawable(value: number | null | undefined, axis: ChartAxis): value is number {
  return typeof value === 'number' && Number.isFinite(value) && (axis.scale === 'linear' || value > 0);
}
