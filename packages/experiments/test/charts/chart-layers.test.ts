import { expect, it } from 'vitest';
import type { Chart, ChartSeries } from '../../src/charts/chart.ts';
import { panelLayers } from '../../src/charts/chart-layers.ts';
import { seriesLooks } from '../../src/charts/legend.ts';

interface Layer {
  readonly data: { readonly values: readonly { readonly series: string; readonly colour: string }[] };
  readonly mark: {
    readonly type: string;
    readonly strokeDash?: readonly number[];
    readonly filled?: boolean;
  };
  readonly encoding: { readonly tooltip?: readonly { readonly field: string }[] };
}

const points = [
  { x: 1, y: 2 },
  { x: 3, y: null },
  { x: 4, y: 4 },
];
const barred = points.map((point) => ({ ...point, low: 1, high: 5 }));

function layersOf(series: readonly ChartSeries[], live = false): Layer[] {
  const axis = { title: '', scale: 'linear' } as const;
  const chart: Chart = { id: 'c', title: 'c', x: axis, y: axis, panels: [{ title: '', series }] };
  const size = { width: 300, height: 200 };
  return panelLayers(chart, chart.panels[0]!, seriesLooks(chart), { live, ...size }) as Layer[];
}

it('has a layer for each kind of mark, however many series there are', () => {
  const many = Array.from({ length: 9 }, (_, i): ChartSeries[] => [
    { name: `measured ${i}`, style: 'measured', points: barred },
    { name: `curve ${i}`, style: 'theory', points },
    { name: `print ${i}`, style: 'printed', points },
  ]).flat();
  const layers = layersOf(many);
  expect(layers.map(({ mark }) => mark.type)).toEqual(['errorbar', 'line', 'point', 'point', 'line']);
  // Rings of what a paper prints lie under what we measured, and dashed curves over all.
  expect(layers.map(({ mark }) => mark.filled)).toEqual([undefined, undefined, false, true, undefined]);
  expect(layers[4]!.mark.strokeDash).toEqual([5, 4]);
  expect(new Set(layers[3]!.data.values.map(({ series }) => series)).size).toBe(9);
  // A line has its gap, which bars and marks have not.
  expect(layers.map(({ data }) => data.values.length)).toEqual([27, 27, 18, 18, 27]);
});

it('gives each point the colour of its series, and tells of bars where there are some', () => {
  const layers = layersOf([
    { name: 'with', style: 'measured', points: barred },
    { name: 'without', style: 'measured', points, colourKey: 'with' },
    { name: 'other', style: 'line', points },
  ]);
  const marks = layers.filter(({ mark }) => mark.type === 'point');
  const told = marks.map(({ data, encoding }) => [
    [...new Set(data.values.map(({ series }) => series))],
    encoding.tooltip!.some(({ field }) => field === 'barWords'),
  ]);
  expect(told).toEqual([
    [['with'], true],
    [['without', 'other'], false],
  ]);
  const line = layers.find(({ mark }) => mark.type === 'line')!;
  const colours = new Map(line.data.values.map(({ series, colour }) => [series, colour]));
  expect(colours.get('with')).toBe(colours.get('without'));
  expect(colours.get('other')).not.toBe(colours.get('with'));
});

it('has what a dashed curve tells beneath all else, on pages alone', () => {
  const curve: ChartSeries = { name: 'curve', style: 'theory', points };
  expect(layersOf([curve]).map(({ mark }) => mark.type)).toEqual(['line']);
  expect(layersOf([curve], true).map(({ mark }) => mark.type)).toEqual(['point', 'line']);
});
