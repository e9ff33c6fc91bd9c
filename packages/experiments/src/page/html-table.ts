/** Tables of a report as HTML. */
import { escapeHtml } from './escape-html.ts';

export interface ReportTable {
  readonly title: string;
  readonly caption: string;
  readonly columns: readonly string[];
  /** Cells as text, numbers already formatted. */
  readonly rows: readonly (readonly string[])[];
  /** Rows to set in bold: the best ones. */
  readonly emphasised?: ReadonlySet<number>;
  /** What holds these numbers in full, relative to the page. */
  readonly file?: string;
}

const NUMERIC = /^[<>≥≤~±]?\s?[-+]?[\d.,]+(e[-+]?\d+)?(\s?[×%])?$/i;

export function htmlTable(table: ReportTable): string {
  // A column whose cells are numbers, or nothing, is set flush right, its head over them.
  const numeric = table.columns.map((_, i) => {
    const cells = table.rows.map((row) => row[i] ?? '').filter((cell) => !/^[-–]?$/u.test(cell));
    return cells.length > 0 && cells.every((cell) => NUMERIC.test(cell));
  });
  const head = table.columns
    .map((column, i) => `<th scope="col"${numeric[i] ? ' class="number"' : ''}>${escapeHtml(column)}</th>`)
    .join('');
  const body = table.rows.map((row, index) => {
    const cells = row.map((cell, i) => `<td${cellClass(cell, numeric[i]!)}>${escapeHtml(cell)}</td>`);
    return `<tr${table.emphasised?.has(index) ? ' class="best"' : ''}>${cells.join('')}</tr>`;
  });
  const file =
    table.file === undefined
      ? ''
      : ` In full: <a href="${escapeHtml(encodeURI(table.file))}">${escapeHtml(table.file)}</a>.`;
  return `<h2>${escapeHtml(table.title)}</h2><p>${escapeHtml(table.caption)}${file}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(table.title)}"><table><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div>`;
}

/** Letters that make a cell a sentence or more. */
const PROSE = 60;

/** Numbers and intervals are not broken; sentences have room. */
function cellClass(cell: string, isNumeric: boolean): string {
  if (isNumeric) return ' class="number"';
  if (/^[-\d.e]+ … (inf|[-\d.e]+)$/u.test(cell)) return ' class="whole"';
  return cell.length > PROSE ? ' class="prose"' : '';
}
