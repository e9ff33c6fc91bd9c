/** Reading the tables of figures, and writing their numbers in sentences. */
import { shortEnd } from '@shuffle-dp/experiments/words';
import type { ResultTable } from '../figures/figure-table.ts';

type Value = string | number;

/** A row by its column names. */
export interface TableRow<Column extends string = string> {
  /** @throws Error for a column that is missing or not a number */
  number(column: Column): number;
  text(column: Column): string;
  /** The table may leave a cell empty. */
  has(column: Column): boolean;
}

export function rowsOf<Column extends string>({ columns, rows }: ResultTable<Column>): TableRow<Column>[] {
  return rows.map((row) => {
    const value = (column: Column): Value => {
      const i = columns.indexOf(column);
      if (i < 0) throw new Error(`no column ${column} among ${columns.join(', ')}`);
      return row[i]!;
    };
    return {
      number(column) {
        const found = value(column);
        if (typeof found !== 'number') throw new Error(`${column} = ${found}: is no number`);
        return found;
      },
      text: (column) => String(value(column)),
      has: (column) => value(column) !== '',
    };
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** '16 % (5 to 25 %)': median, least and largest of percentages. */
export function percentRange(values: readonly number[]): string {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)].map(Math.round);
  return `${middle} % (${low} to ${high} %)`;
}

/** To `digits` significant digits, without trailing zeros. */
export function digits(value: number, count = 3): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    return Number(value.toPrecision(count)).toExponential();
  }
  return String(Number(value.toPrecision(count)));
}

/** A proved end to `count` significant digits, on the side on which it stays proved. */
export function endValue(value: number, side: 'lower' | 'upper', count: number): number {
  return Number(shortEnd(value, side, count));
}

/**
 * What stands in a column: a field as it is, a field to so many digits, a proved end to so many on its own
 * side, or a value of the row.
 */
export type ColumnOf<Row> =
  keyof Row | readonly [field: keyof Row, digits: number, end?: 'lower' | 'upper'] | ((row: Row) => Value);

/**
 * The rows as a table. A field that is null stands as nothing.
 *
 * @param columns by their names, in order
 * @example tableOf([{ n: 2, share: 0.12345 }], { users: 'n', share: ['share', 2, 'upper'] }).rows // [[2, 0.13]]
 */
export function tableOf<Row extends object, Column extends string>(
  rows: readonly Row[],
  columns: Readonly<Record<Column, ColumnOf<Row>>>,
): ResultTable<Column> {
  const cell = (row: Row, column: ColumnOf<Row>): Value => {
    if (typeof column === 'function') return column(row);
    const [field, count, end] = (Array.isArray(column) ? column : [column]) as readonly [
      keyof Row,
      number?,
      ('lower' | 'upper')?,
    ];
    const value = row[field] as Value | null;
    if (value === null) return '';
    if (count === undefined) return value;
    return end === undefined ? Number(digits(value as number, count)) : endValue(value as number, end, count);
  };
  const sources = Object.values<ColumnOf<Row>>(columns);
  return {
    columns: Object.keys(columns) as Column[],
    rows: rows.map((row) => sources.map((of) => cell(row, of))),
  };
}
