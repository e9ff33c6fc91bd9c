import { describe, expect, it } from 'vitest';
import type { Chart } from '../../src/charts/chart.ts';
import { seriesLooks } from '../../src/charts/legend.ts';
import { renderVectors } from '../../src/charts/render.ts';
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
    const legend = JSON.stringify(toVegaLite(chart()).vconcat[1]);
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

describe('a look that is given', () => {
  it('is kept, and the others take what is left', () => {
    const free = new Map(seriesLooks(chart()).map((look) => [look.name, look.colour]));
    const looks = seriesLooks(chart({ looks: { other: 0, nothing: 7, 'in no panel': 1 } }));
    const colours = new Map(looks.map((look) => [look.name, look.colour]));
    // The first series has the first colour where nothing is given.
    expect(colours.get('other')).toBe(free.get('seen'));
    expect(colours.get('expected')).toBe(colours.get('seen'));
    expect(new Set(colours.values()).size).toBe(4);
  });
});

describe('curves that cannot be told apart', () => {
  const line = (name: string, ys: (number | null)[], style: 'line' | 'printed' | 'measured' = 'line') => ({
    name,
    style,
    points: ys.map((y, x) => ({ x, y })),
  });
  const subtitleOf = (...panels: ReturnType<typeof line>[][]): string => {
    const spec = toVegaLite(
      chart({
        y: { title: 'y', scale: 'linear', domain: [0, 100] },
        panels: panels.map((series) => ({ title: '', series })),
      }),
    );
    return ((spec.title as { subtitle?: string[] }).subtitle ?? []).join(' ');
  };

  it('are named, together where they share one', () => {
    const said = subtitleOf([line('a', [1, 50, 99]), line('b', [1.9, 50, 98.1]), line('c', [2, 50.5, 98])]);
    expect(said).toBe('too close to tell apart: “a” and “b” and “c”');
  });

  it('are those that meet everywhere, of which one panel is enough', () => {
    expect(subtitleOf([line('a', [1, 50, 99]), line('b', [2.1, 50, 99])])).toBe('');
    expect(subtitleOf([line('a', [1, 50, 99]), line('b', [null, null, 99])])).toBe('');
    expect(subtitleOf([line('a', [1, 2]), line('b', [1, 2])], [line('a', [1, 2]), line('b', [9, 2])])).toBe(
      'in some panels too close to tell apart: “a” and “b”',
    );
  });

  it('are told in pairs where they meet in different panels', () => {
    const said = subtitleOf(
      [line('a', [1, 2]), line('b', [1, 2]), line('c', [50, 60])],
      [line('a', [1, 2]), line('b', [50, 60]), line('c', [50, 60])],
    );
    expect(said).toBe('in some panels too close to tell apart: “a” and “b”, “b” and “c”');
  });

  it('are no marks beside a curve', () => {
    const marked = [line('a', [1, 2], 'line'), line('b', [1, 2], 'printed'), line('c', [1, 2], 'measured')];
    expect(subtitleOf(marked)).toBe('');
  });

  it('are compared by their heights on a logarithmic axis', () => {
    const spec = toVegaLite(
      chart({
        y: { title: 'y', scale: 'log', domain: [1e-3, 1] },
        panels: [{ title: '', series: [line('a', [0.001, 1]), line('b', [0.0012, 1])] }],
      }),
    );
    expect(JSON.stringify(spec.title)).not.toContain('too close');
  });
});

describe('names along an axis', () => {
  it('may be those of what every object has', async () => {
    const names = ['a', 'constructor', 'toString', '__proto__'];
    const { svg } = await renderVectors(chart({ x: { title: 'x', scale: 'linear', names } }));
    for (const name of names) expect(svg).toContain(name);
  });

  it('stand aslant where they are wider than their places', () => {
    const along = (names: string[]): string =>
      JSON.stringify(toVegaLite(chart({ x: { title: 'x', scale: 'linear', names } })));
    expect(along(['a', 'b'])).not.toContain('labelAngle');
    expect(along(Array.from({ length: 6 }, () => 'a rather long name'))).toContain('"labelAngle":-35');
  });

  it('that are too long are cut off, and take no more room than that', async () => {
    const drawn = (name: string) =>
      renderVectors(chart({ x: { title: 'x', scale: 'linear', names: ['a', name] } }));
    const [long, longer] = [await drawn('x'.repeat(60)), await drawn('x'.repeat(3000))];
    expect(longer.svg).toContain('xxx…');
    const sizeOf = ({ svg }: typeof long): string => / width="\d+" height="\d+"/u.exec(svg)![0];
    expect(sizeOf(longer)).toBe(sizeOf(long));
  });
});

describe('a title', () => {
  it('is broken into lines that are no wider than the panels', () => {
    const { text } = toVegaLite(chart({ title: 'word '.repeat(30).trim() })).title;
    expect([text].flat().length).toBeGreaterThan(2);
    expect([text].flat().join(' ')).toBe('word '.repeat(30).trim());
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
    expect(spec).toContain('"domain":[-0.065,1.065]');
    expect(spec).toContain('"domain":[55,86.625]');
    expect(spec).toContain('accuracy (%), axis from 55');
    expect(spec).toContain('"type":"rule"');
    // No axis from 0 is broken.
    expect(JSON.stringify(toVegaLite(chart({ y: { title: 'y (%)', scale: 'linear' } })))).not.toContain(
      '"rule"',
    );
  });
});
