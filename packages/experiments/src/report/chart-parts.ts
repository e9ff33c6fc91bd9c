/** What the charts of a run have in common: names, points, titles and captions. */
import { groupBy } from '@shuffle-dp/core';
import type { ChartPoint } from '../charts/chart.ts';
import { TARGET_COLUMNS } from '../config/threat-columns.ts';
import { targetWords } from '../results/cell-setting.ts';
import { chooseSetting } from '../results/chosen-setting.ts';
import { errorWords } from '../results/error-words.ts';
import type { CellResult, RunResult } from '../results/run-result.ts';

/** In the order of the config, so that a protocol has one colour in all charts. */
export function protocolNames(run: RunResult): string[] {
  return [...new Set(run.cells.map(({ protocol }) => protocol))];
}

/** In words where the run has several targets: at different privacy no setting is better than another. */
export function sweptTarget(run: RunResult, cell: CellResult): string {
  return TARGET_COLUMNS.some((name) => run.sweptParameters.includes(name))
    ? targetWords(cell).join(', ')
    : '';
}

/** For each key the chosen one of the cells that have it. */
export function chosenBy(cells: readonly CellResult[], key: (cell: CellResult) => string): CellResult[] {
  return [...groupBy(cells, key).values()].map((same) => chooseSetting(same).cell);
}

/** The error of a cell, with its interval. */
export function measuredPoint(cell: CellResult, x: number): ChartPoint {
  const { mean, interval } = cell.error;
  const { lower, upper } = interval;
  // Axes are logarithmic: a bar to 0 or to infinity has no end.
  return {
    x,
    y: mean,
    ...(lower > 0 && Number.isFinite(upper) ? { low: lower, high: upper } : {}),
  };
}

export function panelTitle({ users, domain, items }: CellResult): string {
  return `n = ${users.toLocaleString('en')}${domain > 1 ? `, d = ${domain}` : ''}${items > 1 ? `, s = ${items}` : ''}`;
}

export function runSubtitle(run: RunResult): string {
  const { cells } = run;
  const isOpen = cells.some(({ error: { interval } }) => !(interval.lower > 0 && interval.upper < Infinity));
  return `${cells[0]?.trials ?? 0} trials a point, 95 % intervals${isOpen ? ', left out where an end is infinite' : ''}`;
}

export function runCaption(run: RunResult): string {
  return `Error: ${errorWords(run).definition} against ${run.truth}. Bars: 95 % intervals of the mean over the trials. Seed ${run.provenance.seed}.`;
}
