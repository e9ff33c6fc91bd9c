/** Bounds with their values and verdicts, on every page that has some. */
import type { JSX } from 'preact';
import type { Soundness, Verdict } from '@shuffle-dp/core';
import type { Counterexample } from '@shuffle-dp/accounting';
import {
  counterexampleText,
  GENERAL_WORDS,
  HERE_WORDS,
  VERDICT_COLUMNS,
  VERDICT_LEGEND,
} from '@shuffle-dp/experiments/account';
import { sixDigitEnd, sixDigits } from '../words/numbers.ts';

export interface ListedBound {
  readonly name: string;
  /** 'upper' or 'lower', where both are listed. */
  readonly side?: string;
  /** Null where it says nothing. */
  readonly value: number | null;
  /** Absent for what is no bound. */
  readonly sound?: Soundness;
  readonly verdict: Verdict | null;
  readonly source: string;
  readonly reason?: string | undefined;
  readonly counterexample?: Counterexample | undefined;
}

export interface BoundsTableProps {
  /** What the table lists, for those who do not see where it stands. */
  readonly title: string;
  readonly asked: string;
  readonly bounds: readonly ListedBound[];
  /** Where bounds can be drawn in a chart. */
  readonly drawing?: { readonly drawn: ReadonlySet<string>; readonly onDraw: (name: string) => void };
}

export function BoundsTable({ title, asked, bounds, drawing }: BoundsTableProps): JSX.Element {
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        {/* Roles are said in full: on a phone the rows are laid out as blocks, which would take them away. */}
        <table class={drawing === undefined ? 'bounds' : 'bounds drawable'} role="table" aria-label={title}>
          <thead role="rowgroup">
            <tr role="row">
              {drawing !== undefined && (
                <th scope="col" role="columnheader">
                  draw
                </th>
              )}
              <th scope="col" role="columnheader">
                bound
              </th>
              <th scope="col" role="columnheader" class="number">
                {asked}
              </th>
              {VERDICT_COLUMNS.map((column) => (
                <th key={column} scope="col" role="columnheader">
                  {column}
                </th>
              ))}
              <th scope="col" role="columnheader">
                source
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {[...bounds.filter(says), ...bounds.filter((bound) => !says(bound))].map((bound) => (
              <BoundRow key={`${bound.name} ${bound.side ?? ''}`} bound={bound} drawing={drawing} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="fine">{VERDICT_LEGEND}</p>
    </>
  );
}

/** Bounds that say nothing here stand below the others. */
function says({ value }: ListedBound): boolean {
  return value !== null && value !== Infinity;
}

function BoundRow({
  bound,
  drawing,
}: {
  readonly bound: ListedBound;
  readonly drawing: BoundsTableProps['drawing'];
}): JSX.Element {
  const { name, side, value, sound, verdict, source, reason, counterexample } = bound;
  return (
    <tr role="row" class={says(bound) ? '' : 'silent'}>
      {drawing !== undefined && (
        <td role="cell">
          <input
            type="checkbox"
            aria-label={`draw ${name}`}
            checked={drawing.drawn.has(name)}
            onChange={() => drawing.onDraw(name)}
          />
        </td>
      )}
      <th scope="row" role="rowheader">
        <span class="name">{name}</span>
        {side !== undefined && <span class="side">{side}</span>}
        {(reason !== undefined || counterexample !== undefined) && (
          <details class="why">
            <summary>why</summary>
            {reason !== undefined && <span class="reason">{reason}</span>}
            {counterexample !== undefined && <code class="reason">{counterexampleText(counterexample)}</code>}
          </details>
        )}
      </th>
      <td role="cell" class="number">
        {value === null || value === Infinity ? '–' : valueText(value, side)}
      </td>
      <td role="cell" class="general">
        {sound === undefined ? (
          '–'
        ) : (
          <span class={`badge ${GENERAL_WORDS[`${sound}`]}`}>{GENERAL_WORDS[`${sound}`]}</span>
        )}
      </td>
      <td role="cell" class="at-values">
        {verdict === null ? '–' : <span class={`badge ${verdict}`}>{HERE_WORDS[verdict]}</span>}
      </td>
      <td role="cell" class="source">
        {source}
      </td>
    </tr>
  );
}

function valueText(value: number, side: string | undefined): string {
  return side === 'upper' || side === 'lower' ? sixDigitEnd(value, side) : sixDigits(value);
}
