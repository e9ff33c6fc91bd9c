/** The lines of a CSV file as rows of words, with refusals that name the line. */
import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { counted } from '../../words/counted.ts';
import { decimalNumber } from '../../words/decimal-number.ts';
import { LIMITS } from '../../documents/limits.ts';
import { unescapeFormula } from './csv-formulas.ts';
import { DataFileError, type DataFile } from '../data-file.ts';
import { plainRows, type Row } from './plain-rows.ts';

/** What a config may say of lines without a value. */
export const MISSING_REMEDY =
  'missing: skip leaves such lines out; of categories and items missing: category counts them as one';

/**
 * Every line is a row; blank ones are left out at the end of the file, and refused elsewhere.
 *
 * @param ragged whether rows may differ in length
 * @param blanks whether a blank line is a row, of one empty cell, as where all of a user's values may be
 * missing
 * @throws DataFileError with the line
 */
export function parseRows(
  { file, bytes }: DataFile,
  delimiter: string,
  ragged: boolean,
  blanks = false,
): Row[] {
  if (!isUtf8(bytes))
    throw new DataFileError(file, 'has bytes that are not UTF-8', firstLineBeyondUtf8(bytes));
  if (hasMoreLines(bytes, LIMITS.rows.most))
    throw new DataFileError(file, `has more lines than ${LIMITS.rows.most}, which is the most that are read`);
  const rows = plainRows(bytes, delimiter) ?? quotedRows(file, bytes, delimiter);
  while (rows.length > 0 && isBlank(rows.at(-1)!)) rows.pop();
  const width = rows[0]?.cells.length;
  for (const row of rows) {
    const { cells, line } = row;
    if (isBlank(row)) {
      const isValue = ragged || width === 1;
      if (blanks && isValue) continue;
      throw new DataFileError(file, isValue ? `is blank (${MISSING_REMEDY})` : 'is blank', line);
    }
    if (!ragged && cells.length !== width)
      throw new DataFileError(
        file,
        `has ${counted(cells.length, 'value')}, where line ${rows[0]!.line} has ${width}`,
        line,
      );
  }
  return rows;
}

/**
 * Where a column is named by the first line. @throws DataFileError where no column or several have the name
 */
export function columnNamed(file: string, header: Row | undefined, name: string): number {
  const names = header?.cells ?? [];
  const places = names.flatMap((known, i) => (known === name ? [i] : []));
  const quoted = JSON.stringify(name);
  if (places.length === 0) {
    const isWhole = names.length === 1 && /[;\t|]/u.test(names[0]!);
    const hint = isWhole ? ': commas stand between columns' : '';
    throw new DataFileError(file, `has no column ${quoted}, but ${names.join(', ')}${hint}`, 1);
  }
  if (places.length > 1)
    throw new DataFileError(
      file,
      `has ${places.length} columns ${quoted}: name them apart, or give a number`,
      1,
    );
  return places[0]!;
}

/** @throws DataFileError where two columns of the header have one name */
export function requireDistinctNames(file: string, header: Row | null | undefined): void {
  const seen = new Set<string>();
  const twice = header?.cells.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) columnNamed(file, header!, twice);
}

/** Of a file whose values may be quoted. @throws DataFileError */
export function quotedRows(file: string, bytes: Buffer, delimiter: string): Row[] {
  try {
    const rows: Row[] = [];
    let line = 1;
    parse(bytes, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      info: true,
      relax_column_count: true,
      quote: '"',
      // Nothing but the rows is kept.
      on_record: (entry) => {
        const { record, info } = entry as unknown as { record: string[]; info: { lines: number } };
        rows.push({
          cells: record.map((cell) => unescapeFormula(cell.trim())),
          line: Math.min(line, info.lines),
        });
        // The parser says where a row ends, which with quotes may be further down.
        line = info.lines + 1;
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { line, reason } = inOurWords(error, bytes);
    throw new DataFileError(file, reason, line);
  }
}

function inOurWords(
  { code, message, ...error }: CsvError,
  bytes: Buffer,
): { readonly line: number; readonly reason: string } {
  const line = Number(error['lines']);
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return { line: lineOfOpenQuote(bytes), reason: 'opens a quote that nothing closes' };
  if (code === 'INVALID_OPENING_QUOTE')
    return { line, reason: 'has a quote inside a value: quote the whole value, and double the quotes in it' };
  if (code === 'CSV_INVALID_CLOSING_QUOTE' || code === 'CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE')
    return { line, reason: 'goes on after the closing quote of a value' };
  return { line, reason: message };
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;

/** Quotes open and close in turn, doubled ones too. */
function lineOfOpenQuote(bytes: Buffer): number {
  let line = 1;
  let open = 0;
  for (const byte of bytes) {
    if (byte === NEWLINE) line++;
    else if (byte === QUOTE) open = open === 0 ? line : 0;
  }
  return open;
}

function hasMoreLines(bytes: Buffer, most: number): boolean {
  let lines = 0;
  for (let at = -1; lines <= most; lines++) {
    at = bytes.indexOf(NEWLINE, at + 1);
    if (at < 0) return false;
  }
  return true;
}

function firstLineBeyondUtf8(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; ; line++) {
    const stop = bytes.indexOf(NEWLINE, start);
    if (stop < 0 || !isUtf8(bytes.subarray(start, stop))) return line;
    start = stop + 1;
  }
}

function isBlank({ cells }: Row): boolean {
  return cells.length === 1 && cells[0] === '';
}

const NAMES_SHOWN = 8;

/**
 * How values were read, where that may not be what was meant: all as names though some are numbers, or all
 * the same.
 *
 * @param names the distinct values, in their order
 * @param mixed whether numbers among them count as names
 * @returns at most one line
 */
export function readingNotices(
  file: string,
  what: string,
  names: readonly string[],
  mixed: boolean,
): string[] {
  const shown = names.slice(0, NAMES_SHOWN).join(', ') + (names.length > NAMES_SHOWN ? ', …' : '');
  if (names.length === 1) return [`${file}: ${what}: every value is ${shown}`];
  return mixed ? [`${file}: ${what}: ${names.length} names, not numbers: ${shown}`] : [];
}

export function isNumber(word: string): boolean {
  return Number.isFinite(decimalNumber(word));
}
