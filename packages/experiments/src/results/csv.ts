/**
 * CSV that compares byte by byte: fixed columns, LF, numbers in their shortest form that reads back the same.
 */
import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../data/csv/csv-formulas.ts';

export type CsvValue = string | number | boolean | null | undefined;

/**
 * Text that a spreadsheet would run is escaped (csv-formulas.ts). @param rows one record per line; a missing
 * or null field is empty
 */
export function toCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, CsvValue>>[],
): string {
  return stringify(
    rows.map((row) => columns.map((column) => written(row[column] ?? null))),
    {
      columns: columns.map(escapeFormula),
      header: true,
      record_delimiter: '\n',
      // Readers take it for the end of a line.
      quoted_match: /\r/u,
      cast: { number: String, boolean: String },
    },
  );
}

/** As `toCsv`: the columns are the fields of the first row, in their order. @param rows at least one */
export function rowsToCsv(rows: readonly Readonly<Record<string, CsvValue>>[]): string {
  return toCsv(Object.keys(rows[0]!), rows);
}

function written(value: NonNullable<CsvValue> | null): NonNullable<CsvValue> | null {
  return typeof value === 'string' ? escapeFormula(value) : value;
}
