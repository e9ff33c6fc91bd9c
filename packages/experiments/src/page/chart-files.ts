/** A chart as files: pictures, what draws it, and its numbers. */
import type { Chart } from '../charts/chart.ts';
import { toVegaLite } from '../charts/vega-lite-spec.ts';
import { toCsv } from '../results/csv.ts';
import { jsonText, writeFiles } from '../run-folder/write-files.ts';

/** Names of its files, and what they are in a word or two. */
export function chartFiles({
  id,
}: Pick<Chart, 'id'>): readonly { readonly name: string; readonly text: string }[] {
  return [
    { name: `${id}.data.csv`, text: 'data (CSV)' },
    { name: `${id}.svg`, text: 'SVG' },
    { name: `${id}.png`, text: 'PNG' },
    { name: `${id}.pdf`, text: 'PDF' },
    { name: `${id}.vl.json`, text: 'spec (Vega-Lite)' },
  ];
}

/** Writes the `chartFiles` of a chart into a folder. @returns the SVG, for the page @throws DiskError */
export async function writeChartFiles(folder: string, chart: Chart): Promise<string> {
  const { svg, written } = await beginChartFiles(folder, chart);
  await written;
  return svg;
}

/**
 * The SVG as soon as it is drawn. `written` settles when all files are there, the PNG being made meanwhile:
 * it fails with DiskError.
 */
export async function beginChartFiles(
  folder: string,
  chart: Chart,
): Promise<{ readonly svg: string; readonly written: Promise<void> }> {
  // What draws charts takes some tenths of a second to load, which few that know of these files need.
  const { renderVectors, svgToPng } = await import('../charts/render.ts');
  const spec = toVegaLite(chart);
  const { svg, pdf } = await renderVectors(chart, spec);
  const written = svgToPng(svg).then((png) =>
    writeFiles(folder, {
      [`${chart.id}.svg`]: svg,
      [`${chart.id}.png`]: png,
      [`${chart.id}.pdf`]: pdf,
      [`${chart.id}.vl.json`]: jsonText(spec),
      [`${chart.id}.data.csv`]: chartCsv(chart),
    }),
  );
  return { svg, written };
}

/** A row for each point: panel, series, x, y, and the ends of its bar. */
export function chartCsv({ panels, x: { names } }: Chart): string {
  const rows = panels.flatMap(({ title, series }) =>
    series.flatMap(({ name, points }) =>
      points.map(({ x, y, low, high }) => ({
        panel: title,
        series: name,
        ...(names ? { name: names[Math.round(x) - 1] ?? '' } : {}),
        x,
        y: y ?? '',
        low: low ?? '',
        high: high ?? '',
      })),
    ),
  );
  return toCsv(['panel', 'series', ...(names ? ['name'] : []), 'x', 'y', 'low', 'high'], rows);
}
