import { expect, it } from 'vitest';
import { describeChart } from '../../src/charts/describe-chart.ts';
import type { Chart } from '../../src/charts/index.ts';

const CHART: Chart = {
  id: 'a',
  title: 'Errors',
  x: { title: 'users', scale: 'log' },
  y: { title: 'error', scale: 'log' },
  panels: [
    {
      title: 'all',
      series: [
        {
          name: 'falls',
          style: 'line',
          points: [
            { x: 10, y: 0.12345 },
            { x: 100, y: 0.01 },
          ],
        },
        {
          name: 'dips',
          style: 'line',
          points: [
            { x: 10, y: 3 },
            { x: 20, y: 1 },
            { x: 30, y: null },
            { x: 40, y: 2 },
          ],
        },
        { name: 'alone', style: 'printed', points: [{ x: 5, y: 6 }] },
        { name: 'nothing', style: 'line', points: [{ x: 5, y: null }] },
      ],
    },
  ],
};

it('says the axes, and where each series goes', () => {
  expect(describeChart(CHART)).toBe(
    'Errors: error over users. falls goes from 0.123 at 10 to 0.01 at 100; dips goes from 3 at 10 to 2 at 40, between 1 and 3; alone is 6 at 5.',
  );
});

it('names the panels where there are several', () => {
  const few = { title: 'few', series: [CHART.panels[0]!.series[2]!] };
  const two = { ...CHART, panels: [...CHART.panels, few] };
  expect(describeChart(two)).toMatch(/ all: falls .* few: alone is 6 at 5\.$/u);
});
