/** Axes of a chart: their ranges, ticks and labels. */
import type { ChartAxis } from './chart.ts';
import { logDomain, logLabels, logTicks } from './log-ticks.ts';

/** Scale and axis of a channel of Vega-Lite. @param values all that are drawn along it */
export function axisOf(axis: ChartAxis, values: readonly number[]): object {
  if (axis.names) {
    const places = axis.names.map((_, i) => i + 1);
    return {
      scale: { type: 'linear', domain: [0.5, places.length + 0.5], nice: false },
      axis: {
        title: axis.title,
        values: places,
        labelExpr: `${JSON.stringify(axis.names)}[datum.value - 1]`,
        // Long names stand aslant, beneath their place.
        ...(axis.names.some((name) => name.length > MOST_LEVEL)
          ? { labelAngle: -30, labelAlign: 'right', labelLimit: 240, labelOverlap: false }
          : { labelOverlap: 'greedy' }),
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
  const ticks = logTicks(domain);
  const labelExpr = `${JSON.stringify(logLabels(ticks))}[indexof(${JSON.stringify(ticks)}, datum.value)]`;
  return {
    scale: { type: 'log', domain: [...domain], nice: false },
    axis: { title: axis.title, labelExpr, values: ticks, labelOverlap: 'greedy' },
  };
}

/** Letters of a name that finds room beside its neighbours. */
const MOST_LEVEL = 12;

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

/** Whether a value has a place on an axis. */
export function drawable(value: number | null | undefined, axis: ChartAxis): value is number {
  return typeof value === 'number' && Number.isFinite(value) && (axis.scale === 'linear' || value > 0);
}
