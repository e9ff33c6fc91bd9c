/** Tables of a report as HTML. */

export interface ReportTable {
  readonly title: string;
  readonly caption: string;
  readonly columns: readonly string[];
  /** Cells as text; a cell that is a number already formatted is set flush right. */
  readonly rows: readonly (readonly string[])[];
  /** Rows to set in bold: the best ones. */
  readonly emphasised?: ReadonlySet<number>;
}

const NUMERIC = /^[<>≥≤~±]?\s?[-+]?[\d.,]+(e[-+]?\d+)?(\s?[×%])?$/i;

export function htmlTable(table: ReportTable): string {
  // A column whose cells are numbers, or nothing, has its head over them.
  const head = table.columns
    .map((column, i) => {
      const cells = table.rows.map((row) => row[i] ?? '').filter((cell) => cell !== '' && cell !== '-');
      const isNumeric = cells.length > 0 && cells.every((cell) => NUMERIC.test(cell));
      return `<th scope="col"${isNumeric ? ' class="number"' : ''}>${escapeHtml(column)}</th>`;
    })
    .join('');
  const body = table.rows.map((row, index) => {
    const cells = row.map(
      (cell) => `<td${NUMERIC.test(cell) ? ' class="number"' : ''}>${escapeHtml(cell)}</td>`,
    );
    return `<tr${table.emphasised?.has(index) ? ' class="best"' : ''}>${cells.join('')}</tr>`;
  });
  return `<h2>${escapeHtml(table.title)}</h2><p>${escapeHtml(table.caption)}</p>
<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(table.title)}"><table><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
