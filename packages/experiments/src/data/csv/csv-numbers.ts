/** A column of numbers of a CSV file. */
import { DataFileError, type DataFile } from '../data-file.ts';
import { readColumn } from './csv-column.ts';
import { isNumber } from './csv-rows.ts';
import type { ReadingPolicy } from './reading-policy.ts';

export interface NumberColumn {
  /** In the order of the file. */
  readonly values: Float64Array;
  /** What a user should know of how the values were read. */
  readonly notices: readonly string[];
  /** Users that are left out for missing values. */
  readonly skipped: number;
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
  const { file } = data;
  const { rows, index, where, skipped, notices } = readColumn(data, column, policy);
  // The first line may be a header, which is taken for one only above a number.
  const [first, second] = rows.filter(({ cells }) => !isNumber(cells[index]!));
  const wrong = first?.line === 1 ? (second ?? first) : first;
  if (wrong)
    throw new DataFileError(
      file,
      `${JSON.stringify(wrong.cells[index])} in ${where} is no number`,
      wrong.line,
    );
  return { values: Float64Array.from(rows, ({ cells }) => Number(cells[index])), notices, skipped };
}
