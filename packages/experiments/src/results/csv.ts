/** CSV that compares byte by byte: fixed columns, LF, numbers in their shortest form that reads back the same. */
import { stringify } from 'csv-stringify/sync';

export type CsvValue = string | number | boolean | null | undefined;

/** @param rows one record per line; a missing or null field is empty */
export function toCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, CsvValue>>[],
): string {
  return stringify(
    rows.map((row) => columns.map((column) => row[column] ?? null)),
    {
      columns: [...columns],
      header: true,
      record_delimiter: '\n',
      cast: { number: String, boolean: String },
    },
  );
}
