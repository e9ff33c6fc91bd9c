/** How files of columns are read: whether the first line is a header, and what becomes of missing values. */
import { counted } from '../../words/counted.ts';
import { isNumber, MISSING_REMEDY } from './csv-rows.ts';
import type { Row } from './plain-rows.ts';
import { DataFileError } from '../data-file.ts';

/**
 * refuse: the file, naming line and column; skip: the line; category: all missing values are one more
 * category.
 */
export const MISSING_POLICIES = ['refuse', 'skip', 'category'] as const;

export interface ReadingPolicy {
  /** Default auto: a first line that tells itself from the others is a header. */
  readonly header?: boolean | 'auto' | undefined;
  /** Default refuse. */
  readonly missing?: (typeof MISSING_POLICIES)[number] | undefined;
}

/** The category of missing values. */
export const MISSING_LABEL = '(missing)';

const MISSING_WORDS = new Set(['', 'na', 'nan', 'null', '?']);

/** Empty, NA, NaN, null or ?, in letters of either case. */
export function isMissing(word: string | undefined): boolean {
  return word === undefined || MISSING_WORDS.has(word.toLowerCase());
}

/** With fewer users a name that occurs once is no sign of a header. */
const LEAST_USERS = 10;

/**
 * Takes the header off the rows where there is one. By itself it is noticed in a column whose other values
 * are all numbers, and where its name is the only one that occurs once.
 *
 * @param columns those that are read, from 0
 * @returns the header, and what a user should know
 */
export function takeHeader(
  file: string,
  rows: Row[],
  columns: readonly number[],
  { header = 'auto' }: ReadingPolicy,
): { readonly header: Row | null; readonly notices: readonly string[] } {
  if (header === false || rows.length === 0) return { header: null, notices: [] };
  if (header === true) return { header: rows.shift()!, notices: [] };
  const [first, ...others] = rows as [Row, ...Row[]];
  const telling = columns.find((column) => isHeaderOf(first.cells[column], others, column));
  if (telling === undefined) return { header: null, notices: doubts(file, rows, columns) };
  rows.shift();
  const name = JSON.stringify(first.cells[telling]);
  const notice = `${file}: line ${first.line} is read as a header, with ${name} over column ${telling}; header: false counts it as a user`;
  return { header: first, notices: [notice] };
}

/** A first line whose names no other line has may be a header all the same: what it was taken for is said. */
function doubts(
  file: string,
  [first, ...others]: readonly Row[],
  columns: readonly number[],
): readonly string[] {
  const isDoubtful = (column: number): boolean => {
    const name = first!.cells[column];
    if (name === undefined || isMissing(name) || isNumber(name)) return false;
    const seen = new Set(others.map(({ cells }) => cells[column]));
    return !seen.has(name) && seen.size < others.length;
  };
  const [column] = columns;
  if (column === undefined || others.length === 0 || !columns.every(isDoubtful)) return [];
  const name = JSON.stringify(first!.cells[column]);
  return [
    `${file}: line ${first!.line} counts as a user, with ${name} in column ${column}, which no other line has; header: true reads it as a header`,
  ];
}

function isHeaderOf(name: string | undefined, others: readonly Row[], column: number): boolean {
  if (name === undefined || isMissing(name) || isNumber(name)) return false;
  const counts = new Map<string, number>();
  let numbers = true;
  for (const { cells } of others) {
    const word = cells[column];
    if (word === undefined || isMissing(word)) continue;
    if (word === name) return false;
    numbers &&= isNumber(word);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (counts.size === 0) return false;
  if (numbers) return true;
  return others.length >= LEAST_USERS && [...counts.values()].every((count) => count > 1);
}

/** How the users of a file were read. */
export interface ReadUsers {
  /** What a user should know of how the values were read. */
  readonly notices: readonly string[];
  /** Users that are left out for missing values. */
  readonly skipped: number;
}

export interface KeptRows extends ReadUsers {
  readonly rows: readonly Row[];
}

/**
 * The rows that are users, by the policy for missing values.
 *
 * @param missingIn what is missing in a row: 'column party'; null for nothing
 * @throws DataFileError with the line, where the policy is refuse; and where nobody is left
 */
export function keptRows(
  file: string,
  rows: readonly Row[],
  { missing = 'refuse' }: ReadingPolicy,
  missingIn: (row: Row) => { readonly where: string; readonly word: string | undefined } | null,
): KeptRows {
  const kept = rows.filter((row) => {
    const lack = missing === 'category' ? null : missingIn(row);
    if (lack === null) return true;
    if (missing === 'skip') return false;
    const shown =
      lack.word === undefined || lack.word === '' ? '' : `: ${JSON.stringify(lack.word)} counts as missing`;
    throw new DataFileError(file, `has no value in ${lack.where}${shown} (${MISSING_REMEDY})`, row.line);
  });
  if (kept.length === 0) throw new DataFileError(file, 'has no users');
  const skipped = rows.length - kept.length;
  const notices =
    skipped === 0
      ? []
      : [`${file}: ${counted(skipped, 'line')} of ${rows.length} left out, for missing values`];
  return { rows: kept, skipped, notices };
}
