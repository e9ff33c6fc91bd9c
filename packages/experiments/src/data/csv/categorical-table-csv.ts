/** CSV files of categorical tables: one user a line, one column the class, the others attributes. */
import type { CategoricalTable } from '@shuffle-dp/protocols';
import { columnNamed, isNumber, parseRows, readingNotices, requireDistinctNames } from './csv-rows.ts';
import { DataFileError, type DataFile } from '../data-file.ts';
import {
  isMissing,
  keptRows,
  MISSING_LABEL,
  takeHeader,
  type ReadingPolicy,
  type ReadUsers,
} from './reading-policy.ts';

/** Values of a column are told apart by one byte. */
const MOST_VALUES = 256;

interface TableOfUsers extends ReadUsers {
  readonly table: CategoricalTable;
}

/**
 * The values of a column are numbered in order: of their size where all are numbers, else of their
 * characters.
 * @param classColumn a name (the first line is a header), or a number from 0
 * @throws DataFileError with the line
 */
export function parseCategoricalTable(
  data: DataFile,
  classColumn: string | number,
  policy: ReadingPolicy = {},
): TableOfUsers {
  const lines = parseRows(data, ',', false);
  const all = Array.from({ length: lines[0]?.cells.length ?? 0 }, (_, column) => column);
  const headed =
    typeof classColumn === 'string'
      ? { header: lines.shift(), notices: [] }
      : takeHeader(data.file, lines, all, policy);
  const header = headed.header ?? undefined;
  requireDistinctNames(data.file, header);
  const width = header?.cells.length ?? lines[0]?.cells.length ?? 0;
  const names = header?.cells ?? Array.from({ length: width }, (_, column) => String(column));
  const classAt = typeof classColumn === 'string' ? columnNamed(data.file, header, classColumn) : classColumn;
  if (!(Number.isInteger(classAt) && classAt >= 0 && classAt < width))
    throw new DataFileError(data.file, `has no column ${classColumn}, but columns 0 to ${width - 1}`, 1);
  const kept = keptRows(data.file, lines, policy, ({ cells }) => {
    const column = cells.findIndex((word) => isMissing(word));
    return column < 0 ? null : { where: `column ${names[column]}`, word: cells[column] };
  });
  const { rows } = kept;
  if (width < 2) throw new DataFileError(data.file, 'has no column beside the class', 1);

  const coded = names.map((name, column) => {
    const words = rows.map(({ cells }) => (isMissing(cells[column]) ? MISSING_LABEL : cells[column]!));
    return codeColumn(data.file, name, words, (user) => rows[user]!.line);
  });
  const notices = coded.flatMap(({ labels }, column) =>
    readingNotices(
      data.file,
      `column ${names[column]}`,
      labels,
      labels.some(isNumber) && !labels.every(isNumber),
    ),
  );
  const [classes] = coded.splice(classAt, 1);
  return {
    table: {
      users: rows.length,
      classes: Math.max(2, classes!.labels.length),
      classOf: classes!.values,
      arities: coded.map(({ labels }) => Math.max(2, labels.length)),
      columns: coded.map(({ values }) => values),
    },
    notices: [...headed.notices, ...kept.notices, ...notices],
    skipped: kept.skipped,
  };
}

function codeColumn(
  file: string,
  name: string,
  words: readonly string[],
  lineOf: (user: number) => number,
): { readonly values: Uint8Array; readonly labels: readonly string[] } {
  const known = new Set<string>();
  words.forEach((word, user) => {
    known.add(word);
    if (known.size > MOST_VALUES) {
      throw new DataFileError(
        file,
        `${JSON.stringify(word)} is value ${known.size} of column ${name}; at most ${MOST_VALUES} are allowed`,
        lineOf(user),
      );
    }
  });
  // By code units, the same in every locale.
  const labels = [...known].sort();
  if (labels.every(isNumber)) labels.sort((a, b) => Number(a) - Number(b));
  const codeOf = new Map(labels.map((label, code) => [label, code]));
  return { values: Uint8Array.from(words, (word) => codeOf.get(word)!), labels };
}
