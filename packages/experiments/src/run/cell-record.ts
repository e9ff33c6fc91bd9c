/** Everything that was measured of a cell, as the journal keeps it; all results are views of these. */
import type { TrialRange } from './trial-range.ts';
import type { CellDescription } from './cell-protocol.ts';
import type { Cell } from '../kinds/cell.ts';
import type { JournalEntry } from '../run-folder/journal.ts';

export interface CellRecord extends JournalEntry {
  readonly description: CellDescription;
  /** One per trial, in their order; so are the next two. */
  readonly squaredErrors: readonly number[];
  /** Where protocols are compared by an error that does not follow from the squared one. */
  readonly otherErrors?: readonly number[];
  /** Of trials that only choose among the settings of a sweep, where theory cannot. */
  readonly choiceErrors?: readonly number[];
  /** Null where the data have no population. */
  readonly populationErrors: readonly number[] | null;
  /** Null where the protocol has no closed form. */
  readonly expectedErrors: readonly number[] | null;
  readonly biasMaxAbs: number;
  /** The trials' time, summed over workers. */
  readonly seconds: number;
}

type TrialColumn = 'squaredErrors' | 'otherErrors' | 'choiceErrors' | 'populationErrors' | 'expectedErrors';

/** Sums go in the order of the trials, whoever ran them. */
export function cellRecord(
  cell: Cell,
  description: CellDescription,
  ranges: readonly TrialRange[],
): CellRecord {
  const all = (field: TrialColumn): number[] => ranges.flatMap((range) => [...range[field]]);
  const known = (values: number[]): number[] | null =>
    values.some((value) => Number.isNaN(value)) ? null : values;
  const otherErrors = known(all('otherErrors'));
  const choiceErrors = known(all('choiceErrors'));
  let biasMaxAbs = 0;
  for (let item = 0; item < cell.data.domain; item++) {
    let sum = 0;
    for (const range of ranges) sum += range.itemErrors[item]!;
    biasMaxAbs = Math.max(biasMaxAbs, Math.abs(sum / cell.trials));
  }
  return {
    cell: cell.id,
    description,
    squaredErrors: all('squaredErrors'),
    ...(otherErrors ? { otherErrors } : {}),
    ...(choiceErrors ? { choiceErrors } : {}),
    populationErrors: known(all('populationErrors')),
    expectedErrors: known(all('expectedErrors')),
    biasMaxAbs,
    seconds: ranges.reduce((sum, range) => sum + range.seconds, 0),
  };
}
