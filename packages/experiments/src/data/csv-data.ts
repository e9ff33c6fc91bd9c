/** CSV files of categories (a column) or of item lists (a line). Values are all numbers from 0, or all names. */
import { columnNamed, isNumber, parseRows, readingNotices } from './csv-rows.ts';
import { DataFileError, type DataFile } from './data-file.ts';
import type { SetCollection } from './item-sets.ts';

const LARGEST_SET_DOMAIN = 65_535;

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
  const code = encode(data.file, words, (i) => rows[i]!.line, domain, 0xffff_ffff);
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
  const code = encode(data.file, words, (i) => rows[owner[i]!]!.line, domain, LARGEST_SET_DOMAIN);
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
  if (labels) return readingNotices(file, what, labels, labels.some(isNumber));
  return words.every((word) => word === words[0]) ? readingNotices(file, what, words.slice(0, 1), false) : [];
}

interface Coded {
  readonly domain: number;
  readonly codes: readonly number[];
  readonly labels: readonly string[] | null;
}

/** Numbers stand for themselves; names are numbered in the order of their characters. */
function encode(
  file: string,
  words: readonly string[],
  lineOf: (index: number) => number,
  domain: number | undefined,
  largest: number,
): Coded {
  if (words.every((word) => /^\d{1,10}$/u.test(word))) {
    const codes = words.map(Number);
    let most = 0;
    for (const code of codes) most = Math.max(most, code);
    const size = domain ?? Math.max(2, most + 1);
    if (size > largest)
      throw new DataFileError(file, `has items up to ${most}; at most ${largest} are allowed`);
    const outside = codes.findIndex((code) => code >= size);
    if (outside >= 0) {
      throw new DataFileError(file, `${words[outside]} is not below the domain, ${size}`, lineOf(outside));
    }
    return { domain: size, codes, labels: null };
  }
  const labels = [...new Set(words)].sort();
  const size = domain ?? Math.max(2, labels.length);
  if (labels.length > size) {
    const known = new Set<string>();
    const outside = words.findIndex((word) => known.add(word).size > size);
    throw new DataFileError(
      file,
      `${JSON.stringify(words[outside])} is one name more than the domain, ${size}`,
      lineOf(outside),
    );
  }
  if (size > largest)
    throw new DataFileError(file, `has ${labels.length} items; at most ${largest} are allowed`);
  const codeOf = new Map(labels.map((label, code) => [label, code]));
  return { domain: size, codes: words.map((word) => codeOf.get(word)!), labels };
}
