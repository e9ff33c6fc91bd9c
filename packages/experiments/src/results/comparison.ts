/** Which protocol has the least error: cells on the same data, compared trial by trial. */
import { meanConfidenceInterval } from '@shuffle-dp/core';
import { momentsOf } from './trial-statistics.ts';
import type { CellResult, RunResult } from './run-result.ts';

export interface ComparedCell {
  readonly cell: CellResult;
  /** Measured error over the least one of the group. */
  readonly ratioToBest: number;
  /** 95 % interval of the mean difference to the best, over paired trials. */
  readonly differenceToBest: { readonly lower: number; readonly upper: number };
  /** The interval covers no difference: the data do not tell the two apart. */
  readonly separated: boolean;
}

/** Cells on the same data sets with the same clean-up, by number of users. */
export interface ComparisonGroup {
  readonly users: number;
  readonly best: CellResult;
  /** In the order of the config. */
  readonly cells: readonly ComparedCell[];
}

export function compareCells(run: RunResult): ComparisonGroup[] {
  const groups = new Map<string, CellResult[]>();
  for (const cell of run.cells) {
    const target = typeof cell.sweep['targetEpsilon'] === 'number' ? cell.sweep['targetEpsilon'] : '';
    const key = `${cell.dataKey} ${target}`;
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  return [...groups.values()].map((cells) => {
    const best = cells.reduce((least, cell) => (cell.mse < least.mse ? cell : least));
    return { users: best.users, best, cells: cells.map((cell) => compare(cell, best)) };
  });
}

function compare(cell: CellResult, best: CellResult): ComparedCell {
  const difference = momentsOf(cell.squaredErrors.map((error, trial) => error - best.squaredErrors[trial]!));
  const interval = meanConfidenceInterval(difference);
  return {
    cell,
    ratioToBest: cell.mse / best.mse,
    differenceToBest: interval,
    separated: cell !== best && (interval.lower > 0 || interval.upper < 0),
  };
}

/** Of every protocol, the cell with the least measured error, in the order of the config. */
export function bestOfEachSeries(group: ComparisonGroup): ComparedCell[] {
  const best = new Map<number, ComparedCell>();
  for (const compared of group.cells) {
    const known = best.get(compared.cell.series);
    if (known === undefined || compared.cell.mse < known.cell.mse) best.set(compared.cell.series, compared);
  }
  return [...best.values()];
}
