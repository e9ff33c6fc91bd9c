/**
 * Text in CSV files that a spreadsheet would take for a formula. Rule: a cell of text that begins
 * with = + - @, a tab or a carriage return, apostrophes before it aside, is written with one more apostrophe,
 * and read with one less. Numbers are written as they are, also where they are text.
 */
import { decimalNumber } from '../../words/decimal-number.ts';

const FORMULA = /^'*[=+\-@\t\r]/u;
const ESCAPED = /^''*[=+\-@\t\r]/u;

/** Text as it is written. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) && Number.isNaN(decimalNumber(text)) ? `'${text}` : text;
}

/** Text as it was before `escapeFormula`. */
export function unescapeFormula(written: string): string {
  return ESCAPED.test(written) ? written.slice(1) : written;
}
