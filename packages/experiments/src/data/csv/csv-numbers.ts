/** Columns of numbers of a CSV file. */
import { DataFileError, type DataFile } from '../data-file.ts';
import { readColumn, readColumns } from './csv-column.ts';
import { isNumber } from './csv-rows.ts';
import type { Row } from './plain-rows.ts';
import type { ReadingPolicy, ReadUsers } from './reading-policy.ts';

/** Numbers in the order of the file. */
export interface NumberColumn extends ReadUsers {
  readonly values: Float64Array;
}

/** Two numbers of each user, in the order of the file. */
export interface PlaceColumns extends ReadUsers {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * @param column a name (the first line is a header), or a number from 0
 * @throws DataFileError with the line
 */
export function parseNumbers(
  data: DataFile,
  column: string | number,
  policy: ReadingPolicy = {},
): NumberColumn {
  const { rows, index, where, skipped, notices } = readColumn(data, column, policy);
  return { values: numbersIn(data.file, rows, index, where), notices, skipped };
}

/** Both numbers of a user stand in one line. @throws DataFileError with the line */
export function parsePlaces(
  data: DataFile,
  columns: { readonly x: string | number; readonly y: string | number },
  policy: ReadingPolicy = {},
): PlaceColumns {
  const { rows, places, skipped, notices } = readColumns(data, [columns.x, columns.y], policy);
  const [x, y] = [columns.x, columns.y].map((column, i) =>
    numbersIn(data.file, rows, places[i]!, `column ${column}`),
  ) as [Float64Array, Float64Array];
  return { x, y, notices, skipped };
}

/** The numbers of a column. @param where it stands, in words @throws DataFileError with the line */
function numbersIn(file: string, rows: readonly Row[], index: number, where: string): Float64Array {
  // The first line may be a header, which is taken for one only above a number.
  const [first, second] = rows.filter(({ cells }) => !isNumber(cells[index]!));
  const wrong = first?.line === 1 ? (second ?? first) : first;
  if (wrong)
    throw new DataFileError(
      file,
      `${JSON.stringify(wrong.cells[index])} in ${where} is no number`,
      wrong.line,
    );
  return Float64Array.from(rows, ({ cells }) => Number(cells[index]));
}
