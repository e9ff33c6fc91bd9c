/** One column of a CSV file, by name or by number, with what a reading policy keeps of its rows. */
import { DataFileError, type DataFile } from '../data-file.ts';
import { columnNamed, parseRows } from './csv-rows.ts';
import { isMissing, keptRows, takeHeader, type ReadingPolicy } from './reading-policy.ts';

/**
 * @param column a name (the first line is a header), or a number from 0
 * @throws DataFileError with the line
 */
export function readColumn(data: DataFile, column: string | number, policy: ReadingPolicy) {
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
  return { rows, index, where, skipped, notices: [...headed.notices, ...notices] };
}
