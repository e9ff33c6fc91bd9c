import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Chart } from '../../src/charts/chart.ts';
import { chartFiles } from '../../src/page/chart-files.ts';
import type { ReportFigure } from '../../src/page/report-page.ts';
import { writePage } from '../../src/page/write-page.ts';

const POINT = { x: 1, y: 0.25, low: 0.2, high: 0.3 };
const two: Chart = {
  id: 'two',
  title: 'Two',
  x: { title: '', scale: 'linear', names: ['a, b', 'c'] },
  y: { title: 'error', scale: 'log' },
  panels: [
    {
      title: 'n = 10',
      series: [
        { name: 'one', style: 'measured', points: [POINT, { x: 2, y: null }] },
        { name: 'other', style: 'measured', points: [{ x: 2, y: 0.5 }] },
      ],
    },
  ],
};
const single: Chart = {
  ...two,
  id: 'single',
  panels: [{ title: '', series: [{ name: 'one', style: 'measured', points: [POINT] }] }],
};

it('writes each chart in all its forms, links to them, and leaves out a chart of one point', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    let seen: readonly ReportFigure[] = [];
    await writePage(
      folder,
      [
        { chart: two, caption: '' },
        { chart: single, caption: '' },
      ],
      (figures) => {
        seen = figures;
        return {
          title: '',
          headline: [],
          threatModel: [],
          parties: [],
          figures,
          tables: [],
          provenance: [],
          command: '',
        };
      },
    );
    const files = readdirSync(join(folder, 'figures')).toSorted();
    expect(files).toEqual(['two.data.csv', 'two.pdf', 'two.png', 'two.svg', 'two.vl.json']);
    expect(
      chartFiles(two)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(files);
    expect(seen.map(({ links }) => links?.map(({ href }) => href).toSorted())).toEqual([
      files.map((name) => `figures/${name}`),
    ]);
    expect(readFileSync(join(folder, 'figures/two.data.csv'), 'utf8')).toBe(
      'panel,series,name,x,y,low,high\nn = 10,one,"a, b",1,0.25,0.2,0.3\nn = 10,one,c,2,,,\nn = 10,other,c,2,0.5,,\n',
    );
    const spec = JSON.parse(readFileSync(join(folder, 'figures/two.vl.json'), 'utf8')) as TopLevelSpec;
    expect(compile(spec).spec.marks?.length).toBeGreaterThan(0);
    const html = readFileSync(join(folder, 'report.html'), 'utf8');
    for (const file of files) expect(html).toContain(`href="figures/${file}"`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
