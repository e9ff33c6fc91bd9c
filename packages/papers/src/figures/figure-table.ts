/** The numbers behind a figure as rows. */
import { stringify } from 'csv-stringify/sync';

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** LF line ends, numbers in their shortest exact form. */
export function tableCsv({ columns, rows }: ResultTable): string {
  return stringify([[...columns], ...rows.map((row) => row.map(String))]);
}
