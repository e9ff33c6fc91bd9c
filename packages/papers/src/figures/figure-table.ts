/** The numbers behind a figure as rows. */
import { stringify } from 'csv-stringify/sync';

/** @typeParam Column the names of the columns, where they are known: readers of a row then name no other */
export interface ResultTable<Column extends string = string> {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** LF line ends, numbers in their shortest exact form. */
export function tableCsv({ columns, rows }: ResultTable): string {
  return stringify([[...columns], ...rows.map((row) => row.map(String))]);
}
