import { describe, expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.ts';
import { seriesLooks } from '../../src/charts/legend.ts';
import { toVegaLite } from '../../src/charts/vega-lite-spec.ts';

const points = [
  { x: 1, y: 2 },
  { x: 3, y: 4 },
];
const chart = (changes: Partial<Chart> = {}): Chart => ({
  id: 'c',
  title: 'A chart',
  x: { title: 'x', scale: 'linear' },
  y: { title: 'y (%)', scale: 'log' },
  panels: [
    {
      title: '',
      series: [
        { name: 'expected', style: 'theory', colourKey: 'seen', points },
        { name: 'seen', style: 'measured', points },
        { name: 'nothing', style: 'line', points: [{ x: 1, y: null }] },
        { name: 'below', style: 'line', points: [{ x: 1, y: -1 }] },
        { name: 'other', style: 'measured', points },
      ],
    },
  ],
  ...changes,
});

describe('the legend', () => {
  it('lists what is drawn, and the subtitle names what is not', () => {
    const spec = JSON.stringify(toVegaLite(chart({ subtitle: 'n = 10' })));
    expect(spec).toContain('n = 10; without a value here: nothing, below');
    const legend = JSON.stringify((toVegaLite(chart()) as { hconcat: unknown[] }).hconcat[1]);
    expect(legend).toContain('"other"');
    expect(legend).not.toContain('"nothing"');
    expect(legend).not.toContain('"below"');
  });

  it('keeps the colours that the series have elsewhere', () => {
    const colourOf = (name: string, of: Chart): string =>
      seriesLooks(of).find((look) => look.name === name)!.colour;
    expect(colourOf('expected', chart())).toBe(colourOf('seen', chart()));
    expect(new Set(['seen', 'nothing', 'other'].map((name) => colourOf(name, chart()))).size).toBe(3);
  });

  it('joins no measured values beside their curve, and no things without an order', () => {
    const joined = (of: Chart): string[] =>
      seriesLooks(of).flatMap((look) => (look.joined ? [look.name] : []));
    expect(joined(chart())).toEqual(['expected', 'nothing', 'below', 'other']);
    expect(joined(chart({ x: { title: 'x', scale: 'linear', names: ['a', 'b'] } }))).toEqual(['expected']);
  });
});

describe('axes', () => {
  it('leave room for the marks at their ends, and percentages say where theirs begins', () => {
    const spec = JSON.stringify(
      toVegaLite(
        chart({
          y: { title: 'accuracy (%)', scale: 'linear' },
          panels: [
            {
              title: '',
              series: [
                {
                  name: 'a',
                  style: 'line',
                  points: [
                    { x: 0, y: 60 },
                    { x: 1, y: 85 },
                  ],
                },
              ],
            },
          ],
        }),
      ),
    );
    expect(spec).toContain('"domain":[-0.04,1.04]');
    expect(spec).toContain('"domain":[59,86]');
    expect(spec).toContain('accuracy (%), axis from 59');
  });
});
