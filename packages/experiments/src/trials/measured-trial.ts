/** What is measured in one trial of one cell, put where it belongs in its range. */
import type { Cell } from '../kinds/cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import type { CellProtocol } from './cell-protocol.ts';
import { OTHER_ERROR } from './error-measure.ts';
import { addAnswer, type TrialRange } from './trial-range.ts';
import { runTrial, type TrialOutcome } from './trial.ts';

interface MeasuredTrial {
  readonly cell: Cell;
  readonly protocol: CellProtocol;
  readonly data: AnyData;
  /** Its number. */
  readonly trial: number;
}

/** Runs the trial and puts its errors at this place of the range; that which only chooses is left out. */
export function measureInto(
  range: TrialRange,
  index: number,
  { cell, protocol, data, trial }: MeasuredTrial,
): void {
  const outcome = runTrial(
    cell,
    protocol,
    data,
    { number: trial },
    {
      itemErrors: range.itemErrors,
      onAnswer: (estimates, empirical) => addAnswer(range.answers, index, estimates, empirical),
    },
  );
  range.squaredErrors[index] = outcome.squaredError;
  range.otherErrors[index] = outcome.otherError;
  range.populationErrors[index] = outcome.populationError;
  range.precisions[index] = outcome.quality?.precision ?? Number.NaN;
  range.recalls[index] = outcome.quality?.recall ?? Number.NaN;
  range.cumulativeRanks[index] = outcome.quality?.cumulativeRank ?? Number.NaN;
  range.expectedErrors[index] = outcome.expectedError;
  const cost = protocol.costOf?.(data);
  range.messages[index] = cost?.messagesPerUser ?? Number.NaN;
  range.bits[index] = cost?.bitsPerUser ?? Number.NaN;
  range.choiceErrors[index] = Number.NaN;
}

/**
 * Whether a trial of its own chooses among the settings of a sweep: where theory cannot, or may not in others
 * of them. @param index of a measured trial
 */
export function needsChoice(cell: Cell, { expectedErrors }: TrialRange, index: number): boolean {
  if (!cell.oneOfSweep) return false;
  if (cell.choosesByTrials) return true;
  return Number.isNaN(expectedErrors[index]) || OTHER_ERROR[cell.error ?? 'total-squared'] !== undefined;
}

/** The error that settings and protocols are compared by. */
export function comparedError({ squaredError, otherError }: TrialOutcome): number {
  return Number.isNaN(otherError) ? squaredError : otherError;
}
