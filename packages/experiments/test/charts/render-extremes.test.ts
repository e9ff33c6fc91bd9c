/** Charts of nothing, and of numbers at the ends of the doubles: the axes are drawn, and a file comes. */
import { expect, it } from 'vitest';
import type { Chart, ChartPoint } from '../../src/charts/chart.ts';
import { logDomain } from '../../src/charts/log-ticks.ts';
import { renderVectors } from '../../src/charts/render.ts';

const chartOf = (panels: readonly (readonly ChartPoint[])[]): Chart => ({
  id: 'extreme',
  title: 'Extreme',
  x: { title: 'n', scale: 'linear' },
  y: { title: 'error', scale: 'log' },
  panels: panels.map((points, i) => ({
    title: `panel ${i}`,
    series: points.length > 0 ? [{ name: 'measured', style: 'measured', points }] : [],
  })),
});

const INFINITE = { x: 1, y: Infinity };

it.each([
  { name: 'no series', panels: [[]] },
  { name: 'infinite values alone', panels: [[INFINITE]] },
  { name: 'infinite values alone in both panels', panels: [[INFINITE], [INFINITE]] },
  { name: 'values in one of two panels', panels: [[INFINITE], [{ x: 1, y: 2 }]] },
])('$name: axes are drawn', async ({ panels }) => {
  const { svg, pdf } = await renderVectors(chartOf(panels));
  expect(svg).toContain('>error<');
  expect(svg).not.toMatch(/NaN/u);
  expect(pdf.length).toBeGreaterThan(1000);
});

it('values whose ratio leaves the doubles have a range, and a chart', async () => {
  const [low, high] = logDomain([1e-308, 1e308]);
  expect(low).toBeGreaterThan(0);
  expect(low).toBeLessThan(1e-308);
  expect(high).toBeGreaterThan(1e308);
  expect(high).toBeLessThan(Infinity);
  const points = [
    { x: 1, y: 1e-308 },
    { x: 2, y: 1e308 },
  ];
  const { svg } = await renderVectors(chartOf([points]));
  // Some power of ten above 200 stands at the axis.
  expect(svg).toMatch(/>10²[⁰¹²³⁴⁵⁶⁷⁸⁹]{2}</u);
});
