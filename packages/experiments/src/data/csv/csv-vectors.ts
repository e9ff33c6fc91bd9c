/** A CSV file whose columns are the coordinates of the users' vectors. */
import { DataFileError, type DataFile } from '../data-file.ts';
import { isNumber, parseRows, requireDistinctNames } from './csv-rows.ts';
import { isMissing, keptRows, takeHeader, type ReadingPolicy, type ReadUsers } from './reading-policy.ts';

export interface NumberTable extends ReadUsers {
  /** Row-major. */
  readonly values: Float64Array;
  readonly width: number;
  /** Of the header; null without one. */
  readonly names: readonly string[] | null;
}

/** @throws DataFileError with the line */
export function parseVectors(data: DataFile, policy: ReadingPolicy = {}): NumberTable {
  const { file } = data;
  const lines = parseRows(data, ',', false);
  const columns = (lines[0]?.cells ?? []).map((_, column) => column);
  const { header, notices: headed } = takeHeader(file, lines, columns, policy);
  requireDistinctNames(file, header);
  const { rows, skipped, notices } = keptRows(file, lines, policy, ({ cells }) => {
    const lacking = cells.findIndex((cell) => isMissing(cell));
    return lacking < 0 ? null : { where: `column ${lacking}`, word: cells[lacking] };
  });
  const values = new Float64Array(rows.length * columns.length);
  rows.forEach(({ cells, line }, user) => {
    cells.forEach((word, column) => {
      if (!isNumber(word))
        throw new DataFileError(file, `${JSON.stringify(word)} in column ${column} is no number`, line);
      values[user * columns.length + column] = Number(word);
    });
  });
  return {
    values,
    width: columns.length,
    names: header?.cells ?? null,
    notices: [...headed, ...notices],
    skipped,
  };
}
