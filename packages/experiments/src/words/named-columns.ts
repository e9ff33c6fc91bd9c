/** Tables whose columns are named where their values are. */

/** Its head, and what stands there in the row of this thing. */
export type NamedColumn<Row> = readonly [head: string, cell: (row: Row) => string];

/**
 * The heads of a table, and a row of cells for each thing.
 *
 * @example namedColumns([1, 2], [['n', String], ['n²', (n) => String(n * n)]]).rows[1] // ['2', '4']
 */
export function namedColumns<Row>(
  rows: readonly Row[],
  columns: readonly NamedColumn<Row>[],
): { readonly columns: string[]; readonly rows: string[][] } {
  return {
    columns: columns.map(([head]) => head),
    rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
  };
}
