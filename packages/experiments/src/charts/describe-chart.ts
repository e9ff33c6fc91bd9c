/** What a chart says, in words, for those who do not see it. */
import type { Chart, ChartPoint, ChartSeries } from './chart.ts';

/** Series of a panel that are told one by one. */
const TOLD = 8;
const DIGITS = 3;

/** Its title and axes, and of every series in every panel the ends and the least and largest values. */
export function describeChart({ title, x, y, panels }: Chart): string {
  const told = panels.map((panel) => {
    const series = panel.series.flatMap((one) => seriesText(one) ?? []);
    const more = series.length > TOLD ? [`and ${series.length - TOLD} more`] : [];
    const named = panels.length > 1 ? `${panel.title}: ` : '';
    return `${named}${[...series.slice(0, TOLD), ...more].join('; ')}.`;
  });
  return [`${title}: ${y.title} over ${x.title}.`, ...told].join(' ');
}

/** Null for a series without values. */
function seriesText({ name, points }: ChartSeries): string | null {
  const known = points.filter((point): point is ChartPoint & { readonly y: number } => point.y !== null);
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return null;
  if (known.length === 1) return `${name} is ${short(first.y)} at ${short(first.x)}`;
  const values = known.map((point) => point.y);
  const [least, largest] = [Math.min(...values), Math.max(...values)];
  const ends = `${name} goes from ${short(first.y)} at ${short(first.x)} to ${short(last.y)} at ${short(last.x)}`;
  const inside = least < Math.min(first.y, last.y) || largest > Math.max(first.y, last.y);
  return inside ? `${ends}, between ${short(least)} and ${short(largest)}` : ends;
}

function short(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}
