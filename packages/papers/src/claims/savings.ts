/** Claims of the kind "saves about so many per cent of the budget", measured on the grid of a figure. */
import type { ResultTable } from '../figures/figure-table.ts';
import { median, percentRange, rowsOf, type TableRow } from './table-values.ts';

/**
 * "About": the median over the figure's grid lies within so many points of the printed percentage, on either
 * side.
 */
const TOLERANCE = 5;

export const SAVING_CRITERION = `the median over the figure's grid is within ${TOLERANCE} points of the printed percentage`;

/** The curves of a table; any name where its columns are not known. */
type CurveOf<Column extends string> = string extends Column
  ? string
  : Column extends `epsilon: ${infer Curve}`
    ? Curve
    : never;

/** Percentages by which `curve` lies below the smallest of `baselines`, at each point where both exist. */
export function savings<Column extends string>(
  table: ResultTable<Column>,
  curve: CurveOf<Column>,
  baselines: readonly CurveOf<Column>[],
): number[] {
  // Every curve of the table has its column; the compiler does not put the name together again.
  return rowsOf(table as ResultTable).flatMap((row) => {
    const earlier = baselines.filter((name) => row.has(epsilonOf(name))).map((name) => at(row, name));
    if (earlier.length === 0 || !row.has(epsilonOf(curve))) return [];
    return 100 * (1 - at(row, curve) / Math.min(...earlier));
  });
}

export function isSaved(percentages: readonly number[], printed: number): boolean {
  return Math.abs(median(percentages) - printed) <= TOLERANCE;
}

/** One row per comparison. */
export function savingsEvidence(compared: Readonly<Record<string, readonly number[]>>): ResultTable {
  return {
    columns: ['comparison', 'points', 'least saving %', 'median %', 'largest %'],
    rows: Object.entries(compared).map(([name, values]) => [
      name,
      values.length,
      ...[Math.min(...values), median(values), Math.max(...values)].map((value) => Number(value.toFixed(1))),
    ]),
  };
}

export function savingsText(compared: Readonly<Record<string, readonly number[]>>): string {
  return `${Object.entries(compared)
    .map(([name, values]) => `${name}: median ${percentRange(values)}`)
    .join('; ')}.`;
}

function at(row: TableRow, curve: string): number {
  return row.number(epsilonOf(curve));
}

function epsilonOf(curve: string): string {
  return `epsilon: ${curve}`;
}
