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
  const values = Float64Array.from(rows, ({ cells, line }) => {
    const word = cells[index]!;
    if (!isNumber(word))
      throw new DataFileError(file, `${JSON.stringify(word)} in ${where} is no number`, line);
    return Number(word);
  });
  return { values, notices, skipped };
}
