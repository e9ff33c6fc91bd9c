/** CSV files of categories (a column) or of item lists (a line). Values are all numbers, or all names. */
import { LIMITS } from '../../documents/limits.ts';
import { readColumn } from './csv-column.ts';
import { isNumber, parseRows, readingNotices } from './csv-rows.ts';
import { DataFileError, type DataFile } from '../data-file.ts';
import type { SetCollection } from '../item-sets/item-sets.ts';
import {
  isMissing,
  keptRows,
  MISSING_LABEL,
  takeHeader,
  type ReadingPolicy,
  type ReadUsers,
} from './reading-policy.ts';
import { codeValues, type Coded } from './value-codes.ts';

export interface CategoryColumn extends ReadUsers {
  readonly domain: number;
  readonly values: Uint32Array;
  /** Names of the categories, where the file has names. */
  readonly labels: readonly string[] | null;
}

/**
 * @param column a name (the first line is a header), or a number from 0
 * @param domain number of categories, that of missing values included; by default as many as the file has
 * @throws DataFileError with the line
 */
export function parseCategories(
  data: DataFile,
  column: string | number,
  domain?: number,
  policy: ReadingPolicy = {},
): CategoryColumn {
  const { file } = data;
  const { rows, index, where, skipped, notices } = readColumn(data, column, policy);
  const known: string[] = [];
  const lineOf: number[] = [];
  for (const { cells, line } of rows) {
    if (isMissing(cells[index])) continue;
    known.push(cells[index]!);
    lineOf.push(line);
  }
  const lacking = known.length < rows.length;
  const code = codeValues(file, known, (i) => lineOf[i]!, {
    domain: lacking && domain !== undefined ? domain - 1 : domain,
    largest: LIMITS.domain.most,
    lacking,
  });
  const missing = withMissing(code, lacking, domain);
  let next = 0;
  return {
    domain: missing.domain,
    values: Uint32Array.from(rows, ({ cells }) =>
      isMissing(cells[index]) ? missing.code : code.codes[next++]!,
    ),
    labels: missing.labels,
    notices: [...notices, ...noticesOf(file, where, known, code.labels)],
    skipped,
  };
}

/** The code of missing values: the one after all names, or the last of the domain after numbers. */
function withMissing(
  { domain, labels }: Coded,
  lacking: boolean,
  given: number | undefined,
): { readonly domain: number; readonly labels: readonly string[] | null; readonly code: number } {
  if (!lacking) return { domain, labels, code: -1 };
  if (labels === null) return { domain: domain + 1, labels, code: domain };
  const size = given ?? Math.max(2, labels.length + 1);
  return { domain: size, labels: [...labels, MISSING_LABEL], code: labels.length };
}

/** One user a line; repeated items count once. @throws DataFileError with the line */
export function parseItemLists(
  data: DataFile,
  separator: string,
  domain?: number,
  policy: ReadingPolicy = {},
): SetCollection & Pick<CategoryColumn, 'labels'> & ReadUsers {
  const lines = parseRows(data, separator, true, (policy.missing ?? 'refuse') !== 'refuse');
  const headed = takeHeader(data.file, lines, [0], policy);
  const { rows, skipped, notices } = keptRows(data.file, lines, policy, ({ cells }) => {
    const word = cells.find((cell) => cell !== '' && isMissing(cell));
    const none = cells.every((cell) => cell === '');
    return word === undefined && !(none && policy.missing === 'skip') ? null : { where: 'its items', word };
  });
  const words: string[] = [];
  const owner: number[] = [];
  rows.forEach(({ cells, line }, user) => {
    const held = new Set(
      cells.filter((cell) => cell !== '').map((cell) => (isMissing(cell) ? MISSING_LABEL : cell)),
    );
    if (held.size === 0 && policy.missing === 'category') held.add(MISSING_LABEL);
    if (held.size === 0) throw new DataFileError(data.file, 'has no items', line);
    for (const word of held) {
      words.push(word);
      owner.push(user);
    }
  });
  const code = codeValues(data.file, words, (i) => rows[owner[i]!]!.line, {
    domain,
    largest: LIMITS.setDomain.most,
  });
  return {
    domain: code.domain,
    ...distinctItems(code.codes, owner, rows.length),
    labels: code.labels,
    notices: [...headed.notices, ...notices, ...noticesOf(data.file, 'items', words, code.labels)],
    skipped,
  };
}

/**
 * The items of each user, each once: two words of one line may have one code, as 7 and 07.
 *
 * @param owner the user of each code, in order
 */
function distinctItems(
  codes: readonly number[],
  owner: readonly number[],
  users: number,
): Pick<SetCollection, 'items' | 'offsets'> {
  const items = new Uint16Array(codes.length);
  const offsets = new Uint32Array(users + 1);
  let end = 0;
  for (let user = 0, next = 0; user < users; user++) {
    const held = new Set<number>();
    while (owner[next] === user) held.add(codes[next++]!);
    items.set([...held], end);
    end += held.size;
    offsets[user + 1] = end;
    items.subarray(offsets[user], end).sort();
  }
  return { items: items.slice(0, end), offsets };
}

function noticesOf(
  file: string,
  what: string,
  words: readonly string[],
  labels: readonly string[] | null,
): string[] {
  if (labels?.every((label) => /^\d+$/u.test(label)))
    return [
      `${file}: ${what}: numbers up to ${labels.at(-1)} are too large to be category numbers: they are read as ${labels.length} names, in the order of their size`,
    ];
  const padded = words.find((word) => /^0\d/u.test(word));
  if (!labels && padded !== undefined)
    return [
      `${file}: ${what}: ${JSON.stringify(padded)} is read as the number ${Number(padded)}: leading zeros tell no categories apart`,
    ];
  if (labels) return readingNotices(file, what, labels, labels.some(isNumber));
  return words.every((word) => word === words[0]) ? readingNotices(file, what, words.slice(0, 1), false) : [];
}
