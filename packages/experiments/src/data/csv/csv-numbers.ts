/** A column of numbers of a CSV file. */
import { DataFileError, type DataFile } from '../data-file.ts';
import { columnNamed, isNumber, parseRows } from './csv-rows.ts';
import { isMissing, keptRows, takeHeader, type ReadingPolicy } from './reading-policy.ts';

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
  const lines = parseRows(data, ',', false, (policy.missing ?? 'refuse') !== 'refuse');
  const index = typeof column === 'string' ? columnNamed(file, lines.shift(), column) : column;
  const width = lines[0]?.cells.length ?? 0;
  if (lines.length > 0 && index >= width)
    throw new DataFileError(file, `has no value in column ${column}`, lines[0]!.line);
  const headed = typeof column === 'string' ? { notices: [] } : takeHeader(file, lines, [index], policy);
  const where = `column ${column}`;
  const { rows, skipped, notices } = keptRows(file, lines, policy, ({ cells }) =>
    isMissing(cells[index]) ? { where, word: cells[index] } : null,
  );
  if (rows.length === 0) throw new DataFileError(file, 'has no users');
  const values = Float64Array.from(rows, ({ cells, line }) => {
    const word = cells[index]!;
    if (!isNumber(word))
      throw new DataFileError(file, `${JSON.stringify(word)} in ${where} is no number`, line);
    return Number(word);
  });
  return { values, notices: [...headed.notices, ...notices], skipped };
}
