/** Columns of a CSV file, by name or by number, with what a reading policy keeps of its rows. */
import { DataFileError, type DataFile } from '../data-file.ts';
import { columnNamed, parseRows } from './csv-rows.ts';
import { isMissing, keptRows, takeHeader, type ReadingPolicy } from './reading-policy.ts';

/**
 * @param asked names (the first line is then a header), or numbers from 0
 * @param telling of which columns a first line may tell by itself that it is a header: numbers among `asked`
 * @returns the rows that are kept, and where in them the columns stand
 * @throws DataFileError with the line
 */
export function readColumns(
  data: DataFile,
  asked: readonly (string | number)[],
  policy: ReadingPolicy,
  telling: readonly number[] = [...asked.keys()],
) {
  const { file } = data;
  const lines = parseRows(data, ',', false, (policy.missing ?? 'refuse') !== 'refuse');
  const named = asked.some((column) => typeof column === 'string');
  const header = named ? lines.shift() : undefined;
  const places = asked.map((column) =>
    typeof column === 'string' ? columnNamed(file, header, column) : column,
  );
  const width = lines[0]?.cells.length ?? 0;
  const beyond = places.findIndex((place) => place >= width);
  if (lines.length > 0 && beyond >= 0)
    throw new DataFileError(file, `has no value in column ${asked[beyond]}`, lines[0]!.line);
  const looked = telling.map((i) => places[i]!);
  const headed = named ? { notices: [] } : takeHeader(file, lines, looked, policy);
  const { rows, skipped, notices } = keptRows(file, lines, policy, ({ cells }) => {
    const lacking = places.findIndex((place) => isMissing(cells[place]));
    return lacking < 0 ? null : { where: `column ${asked[lacking]}`, word: cells[places[lacking]!] };
  });
  return { lines, rows, places, skipped, notices: [...headed.notices, ...notices] };
}

/** As `readColumns`, of one. @throws DataFileError with the line */
export function readColumn(data: DataFile, column: string | number, policy: ReadingPolicy) {
  const { places, ...read } = readColumns(data, [column], policy);
  return { ...read, index: places[0]!, where: `column ${column}` };
}
