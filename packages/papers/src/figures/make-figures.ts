/**
 * Makes figures one by one, each into a folder of its own, and the gallery over all that the folder holds.
 */
import { picked } from '@shuffle-dp/core';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptionedChart } from '@shuffle-dp/experiments/charts';
import { renderReportPage, writeChartFiles } from '@shuffle-dp/experiments/report';
import { makeFolder, OutputError, writeFileAtomically } from '@shuffle-dp/experiments/run-folder';
import { tableCsv } from './figure-table.ts';
import type { Figure, FigureContext } from './figure.ts';
import { galleryPage, type FigureVerdict } from './gallery.ts';
import { inTurn } from './in-turn.ts';
import { madeFigures, saveMadeFigure, type MadeFigure } from './made-figure.ts';
import { FIGURES } from './registry.ts';
import { SERIES_LOOKS } from './series-looks.ts';

export interface MakeOptions extends Omit<FigureContext, 'folder'> {
  /** What became of the claims about a figure, for the page. */
  readonly verdictsOn: (id: string) => readonly FigureVerdict[];
  /** Called after each figure. */
  readonly onMade: () => void;
}

/**
 * Makes figures one by one, each in a folder of its own, and a gallery of all that the folder holds.
 *
 * @throws OutputError, DiskError; and the signal's reason when aborted
 */
export async function makeFigures(
  figures: readonly Figure[],
  out: string,
  { verdictsOn, onMade, ...context }: MakeOptions,
): Promise<MadeFigure[]> {
  const gallery = join(out, 'index.html');
  // Every gallery has figures beneath it, made before it was.
  if (existsSync(gallery) && madeFigures(out, FIGURES).length === 0)
    throw new OutputError(`${gallery}: shows no figures of this program: name another folder with --out`);
  return await inTurn(figures, context, async (figure) => {
    const folder = join(out, figure.id);
    makeFolder(folder);
    const start = performance.now();
    const { charts: untitled, table, notes } = await figure.make({ ...context, folder });
    const charts = untitled.map((captioned) => readyForPrint(captioned, figure));
    writeFileAtomically(join(folder, `${figure.id}.csv`), tableCsv(table));
    for (const { chart } of charts) {
      await writeChartFiles(folder, chart);
    }
    const done: MadeFigure = {
      ...picked(figure, 'id', 'paper', 'title', 'caption'),
      charts,
      notes,
      command: `shuffle-dp figures ${figure.id}${context.quick ? ' --quick' : ''}`,
      seconds: (performance.now() - start) / 1000,
    };
    saveMadeFigure(folder, done);
    // After every figure, so that a run that is stopped leaves a page of what it made.
    const page = galleryPage(out, madeFigures(out, FIGURES), context.quick, verdictsOn);
    writeFileAtomically(gallery, renderReportPage(page));
    onMade();
    return done;
  });
}

/** A chart leaves its page: its title says of which paper and figure it is, and a series keeps its colour. */
function readyForPrint({ chart, caption }: CaptionedChart, { title }: Figure): CaptionedChart {
  const source = title.slice(0, title.indexOf(':'));
  const own = chart.title.replace(/^(Figure|Table) \d+: /u, '');
  const named = chart.title.startsWith(source) ? chart.title : `${source}: ${own}`;
  return { chart: { ...chart, title: named, looks: SERIES_LOOKS }, caption };
}
