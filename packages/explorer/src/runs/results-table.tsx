/** The cells of a run; a click on a column's head sorts by it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fourDigitEnd, fourDigits } from '../words/numbers.ts';
import { cellError, certifiedEpsilon, type SummaryCell } from './served-runs.ts';

interface ResultColumn {
  readonly title: string;
  readonly value: (cell: SummaryCell) => number | string;
  readonly text?: (cell: SummaryCell) => string;
}

export function ResultsTable({ cells }: { readonly cells: readonly SummaryCell[] }): JSX.Element {
  const [sorting, setSorting] = useState({ title: 'error', ascending: true });
  const columns = columnsOf(cells);
  const column = columns.find(({ title }) => title === sorting.title) ?? columns[0]!;
  const sign = sorting.ascending ? 1 : -1;
  const sorted = cells.toSorted((a, b) => sign * compare(column.value(a), column.value(b)));
  return (
    <div class="scroll tall" tabIndex={0} role="region" aria-label="Results of the run">
      <table class="results">
        <thead>
          <tr>
            {columns.map(({ title, value }) => {
              const isSorted = title === column.title;
              const isNumber = typeof value(cells[0]!) === 'number';
              return (
                <th
                  key={title}
                  scope="col"
                  class={isNumber ? 'number' : ''}
                  aria-sort={isSorted ? (sorting.ascending ? 'ascending' : 'descending') : 'none'}
                >
                  <button
                    type="button"
                    class="plain"
                    onClick={() => setSorting({ title, ascending: isSorted ? !sorting.ascending : true })}
                  >
                    {title}
                    {isSorted ? (sorting.ascending ? ' ↑' : ' ↓') : ''}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.map((cell) => (
            <tr key={cell.cell}>
              {columns.map(({ title, value, text }) => {
                const shown = value(cell);
                return (
                  <td key={title} class={typeof shown === 'number' ? 'number' : ''}>
                    {text?.(cell) ?? (typeof shown === 'number' ? fourDigits(shown) : shown)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function columnsOf(cells: readonly SummaryCell[]): ResultColumn[] {
  const swept = [...new Set(cells.flatMap(({ sweep }) => Object.keys(sweep)))];
  return [
    { title: 'protocol', value: ({ protocol }) => protocol },
    { title: 'users', value: ({ users }) => users },
    ...swept.map((name) => ({ title: name, value: ({ sweep }: SummaryCell) => sweep[name] ?? '' })),
    {
      title: 'error',
      value: (cell) => cellError(cell).mean,
      text: (cell) => {
        const { mean, interval } = cellError(cell);
        const upper = Number(interval.upper);
        // One trial has no interval.
        const ends = Number.isFinite(upper) ? ` (${fourDigits(interval.lower)} to ${fourDigits(upper)})` : '';
        return fourDigits(mean) + ends;
      },
    },
    {
      title: 'certified epsilon',
      value: certifiedEpsilon,
      text: (cell) => fourDigitEnd(certifiedEpsilon(cell), 'upper'),
    },
    { title: 'messages', value: ({ messagesPerUser }) => messagesPerUser },
    { title: 'bits', value: ({ bitsPerUser }) => bitsPerUser },
  ];
}

function compare(a: number | string, b: number | string): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}
