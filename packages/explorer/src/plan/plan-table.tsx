/** The protocols of a plan, sortable by what is compared. */
import type { JSX } from 'preact';
import type { PlannedProtocol } from '@shuffle-dp/experiments/plan';
import { deployedParametersText } from '@shuffle-dp/experiments/words';
import { setFields } from '../address/current-address.ts';
import { fourDigitEnd, fourDigits } from '../words/numbers.ts';
import { SORT_COLUMNS, type SortColumn } from './plan-state.ts';

export function PlanTable({
  rows,
  sort,
}: {
  readonly rows: readonly PlannedProtocol[];
  readonly sort: SortColumn;
}): JSX.Element {
  const least = Math.min(...rows.map(({ error }) => error));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Protocols by error">
      <table class="plan">
        <thead>
          <tr>
            <th scope="col">protocol</th>
            {SORT_COLUMNS.map((column) => (
              <th
                key={column}
                scope="col"
                class="number"
                aria-sort={column === sort ? 'ascending' : undefined}
              >
                <button
                  type="button"
                  class="plain"
                  aria-label={`sort by ${column}`}
                  onClick={() => setFields({ sort: column })}
                >
                  {column}
                  {column === sort ? ' ↑' : ''}
                </button>
              </th>
            ))}
            <th scope="col" class="number">
              proved epsilon
            </th>
          </tr>
        </thead>
        <tbody>
          {rows
            .toSorted((a, b) => a[sort] - b[sort])
            .map((row) => (
              <tr key={row.protocol}>
                <th scope="row">
                  <span class="name">{row.protocol}</span>
                  <span class="reason">{parametersText(row)}</span>
                </th>
                <td class="number" title={`${fourDigits(row.error / least)} times the least`}>
                  {fourDigits(row.error)}
                </td>
                <td class="number">{fourDigits(row.messages)}</td>
                <td class="number">{fourDigits(row.bits)}</td>
                <td class="number" title={`between ${row.epsilon.lower} and ${row.epsilon.upper}`}>
                  {fourDigitEnd(row.epsilon.upper, 'upper')}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a deployment has to set, and where a sharper bound may allow less error. */
function parametersText({ parameters, blanketAlone }: PlannedProtocol): string {
  const set = deployedParametersText(parameters);
  return blanketAlone ? `${set}; by the blanket alone` : set;
}
