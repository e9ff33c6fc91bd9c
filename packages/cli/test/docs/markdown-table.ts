/** Tables of pages in Markdown. */

/** The cells of a row. */
export function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The cells of the rows of the table that follows a `<!-- table: … -->` mark, without its header. */
export function markedTable(page: string, name: string): string[][] {
  const after = page.split(`<!-- table: ${name} -->`)[1]?.trim() ?? '';
  const lines = after.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(2, end < 0 ? undefined : end).map(cellsOf);
}
