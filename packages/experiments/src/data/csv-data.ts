/** CSV files of categories (a column) or of item lists (a line). Values are all numbers, or all names. */
import { LIMITS } from '../config/limits.ts';
import { columnNamed, isNumber, parseRows, readingNotices } from './csv-rows.ts';
import { DataFileError, type DataFile } from './data-file.ts';
import type { SetCollection } from './item-sets.ts';
import { codeValues } from './value-codes.ts';

export interface CategoryColumn {
  readonly domain: number;
  readonly values: Uint32Array;
  /** Names of the categories, where the file has names. */
  readonly labels: readonly string[] | null;
  /** What a user should know of how the values were read. */
  readonly notices: readonly string[];
}

/**
 * @param column a name (the first line is a header), or a number from 0 (there is no header)
 * @param domain number of categories; by default as many as the file has
 * @throws DataFileError with the line
 */
export function parseCategories(data: DataFile, column: string | number, domain?: number): CategoryColumn {
  const rows = parseRows(data, ',', false);
  const index = typeof column === 'string' ? columnNamed(data.file, rows.shift(), column) : column;
  const words = rows.map(({ cells, line }) => {
    const word = cells[index];
    if (word === undefined || word === '')
      throw new DataFileError(data.file, `has no value in column ${column}`, line);
    return word;
  });
  if (words.length === 0) throw new DataFileError(data.file, 'has no users');
  const code = codeValues(data.file, words, (i) => rows[i]!.line, domain, LIMITS.domain.most);
  return {
    domain: code.domain,
    values: Uint32Array.from(code.codes),
    labels: code.labels,
    notices: noticesOf(data.file, `column ${column}`, words, code.labels),
  };
}

/** One user a line; repeated items count once. @throws DataFileError with the line */
export function parseItemLists(
  data: DataFile,
  separator: string,
  domain?: number,
): SetCollection & Pick<CategoryColumn, 'labels' | 'notices'> {
  const rows = parseRows(data, separator, true);
  if (rows.length === 0) throw new DataFileError(data.file, 'has no users');
  const words: string[] = [];
  const owner: number[] = [];
  rows.forEach(({ cells, line }, user) => {
    const held = new Set(cells.filter((cell) => cell !== ''));
    if (held.size === 0) throw new DataFileError(data.file, 'has no items', line);
    for (const word of held) {
      words.push(word);
      owner.push(user);
    }
  });
  const code = codeValues(data.file, words, (i) => rows[owner[i]!]!.line, domain, LIMITS.setDomain.most);
  const offsets = new Uint32Array(rows.length + 1);
  for (const user of owner) offsets[user + 1]!++;
  for (let u = 0; u < rows.length; u++) offsets[u + 1]! += offsets[u]!;
  const items = Uint16Array.from(code.codes);
  for (let u = 0; u < rows.length; u++) items.subarray(offsets[u]!, offsets[u + 1]!).sort();
  return {
    domain: code.domain,
    items,
    offsets,
    labels: code.labels,
    notices: noticesOf(data.file, 'items', words, code.labels),
  };
}

function noticesOf(
  file: string,
  what: string,
  words: readonly string[],
  labels: readonly string[] | null,
): string[] {
  if (labels?.every((label) => /^\d+$/u.test(label)))
    return [
      `${file}: ${what}: numbers up to ${labels.at(-1)} are too large to stand for themselves: ${labels.length} names, in the order of their size`,
    ];
  if (labels) return readingNotices(file, what, labels, labels.some(isNumber));
  return words.every((word) => word === words[0]) ? readingNotices(file, what, words.slice(0, 1), false) : [];
}
