/** Which curves of a chart cannot be told apart, so that none is hidden without a word. */
import { drawable } from './axes.ts';
import type { Chart, ChartAxis, ChartPanel, ChartSeries } from './chart.ts';

/** Of an axis: about the width of a line. */
const TOO_CLOSE = 0.01;

export interface CoincidingPair {
  readonly names: readonly [string, string];
  /** In every panel that draws both, not in some only. */
  readonly everywhere: boolean;
}

/**
 * Pairs of drawn curves that keep within a hundredth of the axis of each other in a panel, at two places or
 * more and wherever both have a value. Marks beside a curve, as measured values beside the expected ones, are
 * seen, and left out.
 * @param domainOf the range of y in a panel, positive on a logarithmic axis
 */
export function coincidingPairs(
  chart: Chart,
  domainOf: (panel: ChartPanel) => readonly [number, number],
): CoincidingPair[] {
  const pairs = new Map<string, { readonly names: [string, string]; readonly found: boolean[] }>();
  for (const panel of chart.panels) {
    const limit =
      TOO_CLOSE * Math.abs(height(domainOf(panel)[1], chart.y) - height(domainOf(panel)[0], chart.y));
    for (const [i, a] of panel.series.entries()) {
      for (const b of panel.series.slice(i + 1)) {
        const distances = comparable(a, b) ? distancesOf(a, b, chart.y) : [];
        if (distances.length < 2) continue;
        const key = JSON.stringify([a.name, b.name]);
        const pair = pairs.get(key) ?? { names: [a.name, b.name] as [string, string], found: [] };
        pair.found.push(distances.every((distance) => distance <= limit));
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs.values()]
    .filter(({ found }) => found.includes(true))
    .map(({ names, found }) => ({ names, everywhere: !found.includes(false) }));
}

/** Both lines, or both measured. */
function comparable(a: ChartSeries, b: ChartSeries): boolean {
  return (
    a.style !== 'printed' && b.style !== 'printed' && (a.style === 'measured') === (b.style === 'measured')
  );
}

function distancesOf(a: ChartSeries, b: ChartSeries, axis: ChartAxis): number[] {
  const known = new Map(a.points.map(({ x, y }) => [x, y]));
  return b.points.flatMap(({ x, y }) => {
    const other = known.get(x) ?? null;
    return drawable(y, axis) && drawable(other, axis) ? Math.abs(height(y, axis) - height(other, axis)) : [];
  });
}

function height(value: number, { scale }: ChartAxis): number {
  return scale === 'log' ? Math.log(value) : value;
}
