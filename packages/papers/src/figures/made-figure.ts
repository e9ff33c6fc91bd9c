/**
 * What a made figure leaves in its folder, so that the gallery can show it again: its words, charts and
 * numbers.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chartFiles } from '@shuffle-dp/experiments/report';
import { writeFileAtomically } from '@shuffle-dp/experiments/run-folder';
import type { Figure, FigureResult } from './figure.ts';

export interface MadeFigure extends Omit<Figure, 'cost' | 'make'>, Omit<FigureResult, 'table'> {
  /** What makes it again. */
  readonly command: string;
  readonly seconds: number;
}

/** Names of its files in its folder. */
export function figureFiles({ id, charts }: MadeFigure): string[] {
  return [`${id}.csv`, ...charts.flatMap(({ chart }) => chartFiles(chart).map(({ name }) => name))];
}

export function saveMadeFigure(folder: string, figure: MadeFigure): void {
  writeFileAtomically(join(folder, `${figure.id}.json`), `${JSON.stringify(figure)}\n`);
}

/** The figures among these that were made in folders below `out`. */
export function madeFigures(out: string, figures: readonly Figure[]): MadeFigure[] {
  return figures.flatMap(({ id }) => {
    const file = join(out, id, `${id}.json`);
    return existsSync(file) ? [JSON.parse(readFileSync(file, 'utf8')) as MadeFigure] : [];
  });
}
