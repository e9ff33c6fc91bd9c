/** Tables for a terminal: columns as wide as their widest cell, numbers flush right. */
export { shortNumber } from '@shuffle-dp/experiments/words';

export function textTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, i) =>
    Math.max(column.length, ...rows.map((row) => (row[i] ?? '').length)),
  );
  const numeric = columns.map((_, i) =>
    rows.every((row) => /^[-+~≤≥]?[\d.]*(e[-+]?\d+)?( ?×)?$|^[-–]?$|^inf/u.test(row[i] ?? '')),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (numeric[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd();
  return [line(columns), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
