/**
 * Tables for a terminal: columns as wide as their widest cell, numbers flush right. One that is wider than
 * the terminal has heads and sentences on several lines; where that does not do, it is cut into tables one
 * below the other, each with the first column.
 */
import { terminalWidth } from './terminal-width.ts';
import { wrappedLines } from './wrapped.ts';

export { shortEnd, shortEnds, shortNumber } from '@shuffle-dp/experiments/words';

const GAP = '  ';
/** Letters of a cell that stays on one line. */
const SHORT = 30;

interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  readonly numeric: boolean;
  /** Of its cells. */
  readonly longest: number;
  /** On one line, its head too. */
  readonly natural: number;
  /** With its head and its sentences on several lines. */
  readonly least: number;
}

/** @param width columns of the terminal; only a word that is longer goes beyond it */
export function textTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  width = terminalWidth(),
): string {
  const columns = heads.map((head, i) => {
    const cells = rows.map((row) => row[i] ?? '');
    return columnOf(head, cells);
  });
  return parts(columns, width)
    .map((part) => layOut(part, width))
    .join('\n\n');
}

function columnOf(head: string, cells: readonly string[]): Column {
  const longest = Math.max(0, ...cells.map(({ length }) => length));
  const words = [head, ...(longest > SHORT ? cells : [])].flatMap((text) => text.split(' '));
  return {
    head,
    cells,
    numeric: cells.every((cell) => /^[-+~≤≥]?[\d.]*(e[-+]?\d+)?( ?×)?$|^[-–]?$|^inf/u.test(cell)),
    longest,
    natural: Math.max(head.length, longest),
    least: Math.max(Math.min(longest, SHORT), ...words.map(({ length }) => length)),
  };
}

/** As few tables as the width allows, each as full as it can be. */
function parts(columns: readonly Column[], width: number): Column[][] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const found: Column[][] = [[first]];
  for (const column of others) {
    const last = found.at(-1)!;
    if (last.length > 1 && leastWidth([...last, column]) > width) found.push([first, column]);
    else last.push(column);
  }
  return found;
}

function leastWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { least }) => sum + least, GAP.length * (columns.length - 1));
}

function layOut(columns: readonly Column[], width: number): string {
  const widths = columns.map(({ least }) => least);
  // What is left goes to sentences first, then to heads.
  let left = Math.max(0, width - leastWidth(columns));
  for (const wanted of ['longest', 'natural'] as const)
    columns.forEach((column, i) => {
      const more = Math.max(0, Math.min(left, column[wanted] - widths[i]!));
      widths[i]! += more;
      left -= more;
    });
  const rowText = (cells: readonly string[]): string => {
    const lines = cells.map((cell, i) => wrappedLines(cell, widths[i]!));
    return Array.from({ length: Math.max(...lines.map(({ length }) => length)) }, (_, k) =>
      columns
        .map(({ numeric }, i) => {
          const text = lines[i]![k] ?? '';
          return numeric ? text.padStart(widths[i]!) : text.padEnd(widths[i]!);
        })
        .join(GAP)
        .trimEnd(),
    ).join('\n');
  };
  return [
    rowText(columns.map(({ head }) => head)),
    widths.map((columnWidth) => '-'.repeat(columnWidth)).join(GAP),
    ...columns[0]!.cells.map((_, k) => rowText(columns.map(({ cells }) => cells[k]!))),
  ].join('\n');
}
