/** Draws the charts of a page, on two cores where there are some. */
import { availableParallelism } from 'node:os';
import type { Chart } from '../charts/chart.ts';
import type { DrawnChart } from '../charts/render.ts';
import { openThreads } from '../pool/pool.ts';
import { CHART_THREAD, drawChart } from './chart-thread.ts';

/** A thread takes as long to load what draws as for two charts. */
const WORTH_A_THREAD = 3;

/**
 * All charts, drawn: their bytes do not depend on which thread did.
 *
 * @param onDrawn called for each as soon as it is drawn, in any order
 * @param module URL of `chart-thread.ts` for a thread beside this one; null draws all of them here
 * @throws what `onDrawn` throws; TaskError where the thread ends
 */
export async function drawCharts(
  charts: readonly Chart[],
  onDrawn: (index: number, drawn: DrawnChart) => void,
  module = isWorthAThread(charts) ? CHART_THREAD : null,
): Promise<void> {
  const open = [...charts.keys()];
  const drawWith = async (
    next: () => number | undefined,
    draw: (chart: Chart) => Promise<DrawnChart>,
  ): Promise<void> => {
    for (let index = next(); index !== undefined; index = next()) {
      // One after the other: a thread does one thing at a time.
      // oxlint-disable-next-line no-await-in-loop
      onDrawn(index, await draw(charts[index]!));
    }
  };
  const here = (): Promise<void> => drawWith(() => open.shift(), drawChart);
  if (module === null) return here();
  const thread = openThreads(module, 1);
  const there = drawWith(
    () => open.pop(),
    async (chart) => (await thread.perform(drawChart.name, chart)) as DrawnChart,
  );
  try {
    await Promise.all([there, here()]);
  } finally {
    await thread.close();
  }
}

/** What is source loads too slowly in a thread. */
function isWorthAThread({ length }: readonly Chart[]): boolean {
  return length >= WORTH_A_THREAD && availableParallelism() > 1 && !CHART_THREAD.endsWith('.ts');
}
