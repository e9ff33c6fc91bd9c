/** Everything that was measured of a cell, as the journal keeps it; all results are views of these. */
import type { Cost } from '@shuffle-dp/core';
import type { TopQuality } from '@shuffle-dp/protocols';
import type { ItemAnswers } from '../results/run-result.ts';
import type { TrialRange } from '../trials/trial-range.ts';
import type { CellDescription } from '../trials/cell-protocol.ts';
import type { Cell } from '../kinds/cell.ts';
import type { JournalEntry } from '../run-folder/journal.ts';

export interface CellAccount {
  readonly description: CellDescription;
  /** Null where nobody may take it over. */
  readonly account: string | null;
}

export interface CellRecord extends JournalEntry {
  readonly description: CellDescription;
  /**
   * `accountName` of the cell, where this machine accounted for it: a run that replaces this one takes the
   * description over.
   */
  readonly account?: string;
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
  /** Mean over the trials' data, where it depends on them; else that of the description holds. */
  readonly cost?: Cost;
  readonly biasMaxAbs: number;
  /** Item by item, over all trials; absent where there are too many items, and in older journals. */
  readonly answers?: ItemAnswers;
  /** Where the most frequent are looked for, means over the trials. */
  readonly quality?: TopQuality;
  /** The trials' time, summed over workers. */
  readonly seconds: number;
}

/** @param trials all of the cell's */
export function cellRecord(
  cell: Cell,
  { description, account }: CellAccount,
  trials: TrialRange,
): CellRecord {
  const known = (values: Float64Array): number[] | null =>
    values.some((value) => Number.isNaN(value)) ? null : [...values];
  const otherErrors = known(trials.otherErrors);
  const choiceErrors = known(trials.choiceErrors);
  let biasMaxAbs = 0;
  for (const sum of trials.itemErrors) biasMaxAbs = Math.max(biasMaxAbs, Math.abs(sum / cell.trials));
  return {
    cell: cell.id,
    description,
    ...(account === null ? {} : { account }),
    squaredErrors: [...trials.squaredErrors],
    ...(otherErrors ? { otherErrors } : {}),
    ...(choiceErrors ? { choiceErrors } : {}),
    populationErrors: known(trials.populationErrors),
    expectedErrors: known(trials.expectedErrors),
    ...(known(trials.messages) ? { cost: meanCost(trials) } : {}),
    biasMaxAbs,
    ...(trials.answers.means.length > 0 ? { answers: trials.answers } : {}),
    ...(known(trials.recalls) ? { quality: meanQuality(trials) } : {}),
    seconds: trials.seconds,
  };
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanCost({ messages, bits }: TrialRange): Cost {
  return { messagesPerUser: mean(messages), bitsPerUser: mean(bits) };
}

function meanQuality({ precisions, recalls, cumulativeRanks }: TrialRange): TopQuality {
  return { precision: mean(precisions), recall: mean(recalls), cumulativeRank: mean(cumulativeRanks) };
}
