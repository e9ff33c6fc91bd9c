import { expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.ts';
import type { DrawnChart } from '../../src/charts/render.ts';
import { CHART_THREAD } from '../../src/page/chart-thread.ts';
import { drawCharts } from '../../src/page/draw-charts.ts';

const CHARTS = ['first', 'second', 'third', 'fourth'].map((id, i): Chart => {
  const points = [1, 2, 3].map((x) => ({ x, y: x / (i + 4), low: x / (i + 5), high: x / (i + 3) }));
  return {
    id,
    title: id,
    x: { title: 'users', scale: 'linear' },
    y: { title: 'error', scale: 'log' },
    panels: [{ title: 'n = 10', series: [{ name: id, style: 'measured', points }] }],
  };
});

async function drawnBy(module: string | null): Promise<readonly DrawnChart[]> {
  const drawn: DrawnChart[] = [];
  await drawCharts(CHARTS, (index, chart) => (drawn[index] = chart), module);
  return drawn;
}

it('draws the same bytes alone and with a thread, each chart as if it were the only one', async () => {
  const alone = await drawnBy(null);
  expect(alone).toHaveLength(CHARTS.length);
  const withThread = await drawnBy(CHART_THREAD);
  for (const [i, { svg, png, pdf }] of alone.entries()) {
    expect(svg).toContain(`>${CHARTS[i]!.id}<`);
    expect(withThread[i]!.svg).toBe(svg);
    expect(Buffer.compare(withThread[i]!.png, png)).toBe(0);
    expect(Buffer.compare(withThread[i]!.pdf, pdf)).toBe(0);
    expect(svg).toContain('id="clip1"');
  }
});

it('ends with what a chart that is drawn meets', async () => {
  const full = (): never => {
    throw new Error('disk full');
  };
  await expect(drawCharts(CHARTS, full, null)).rejects.toThrow('disk full');
});
