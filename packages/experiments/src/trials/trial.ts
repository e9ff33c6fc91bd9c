/**
 * One trial of one cell, as a pure function of the cell and the trial's number: draw the data, run the
 * protocol, compare with the data's frequencies. The data's stream is named by seed, users and trial alone,
 * so every protocol meets the same users.
 */
import { RandomStream, type ShuffleTrace } from '@shuffle-dp/core';
import type { TopQuality } from '@shuffle-dp/protocols';
import type { DataSource } from '../data/data-set-card.ts';
import type { Cell } from '../kinds/cell.ts';
import type { DataCell } from '../kinds/data-cell.ts';
import type { AnyData } from '../kinds/data-kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import type { CellProtocol } from './cell-protocol.ts';
import { OTHER_ERROR, SQUARED_ERROR_BY } from './error-measure.ts';
import { postprocessEstimate } from './postprocessing.ts';

/**
 * Trials that are reported, and those that choose among the settings of a sweep: each kind has data and
 * random streams of its own.
 */
export type TrialPurpose = 'trial' | 'choice';

export interface TrialOutcome {
  /** By the cell's measure, against the empirical frequencies. */
  readonly squaredError: number;
  /** By which protocols are compared, where that does not follow from the squared error; else NaN. */
  readonly otherError: number;
  /** By the closed form; NaN where there is none. */
  readonly expectedError: number;
  /** The squared error against the population; NaN where there is none. */
  readonly populationError: number;
  /** Of a list of the most frequent. */
  readonly quality?: TopQuality;
}

/** What the users of a trial are drawn from: named by seed, users and trial alone. */
export function dataStream(data: DataCell, { number, purpose = 'trial' }: TrialName): RandomStream {
  return RandomStream.fromSeed(data.seed, 'data', `users ${data.users}`, `${purpose} ${number}`);
}

/** What the protocol of a trial draws from. */
export function trialStream(cell: Cell, { number, purpose = 'trial' }: TrialName): RandomStream {
  return RandomStream.fromSeed(cell.data.seed, 'cell', cell.streamLabel, `${purpose} ${number}`);
}

/** The data set of a trial. @param source that of the cell's config */
export function drawData(
  source: DataSource,
  data: DataCell,
  trial: number,
  purpose: TrialPurpose = 'trial',
): AnyData {
  return kindOf(data.holds).draw(source, data, dataStream(data, { number: trial, purpose }));
}

/** Which trial of its cell it is. */
export interface TrialName {
  readonly number: number;
  /** Default 'trial'. */
  readonly purpose?: TrialPurpose;
}

/** What looks on. */
export interface TrialWatch {
  /** The error of every item is added here. */
  readonly itemErrors?: Float64Array;
  /** Told what is estimated, and what is true. */
  readonly onAnswer?: (estimates: Float64Array, empirical: Float64Array) => void;
  readonly trace?: (entry: ShuffleTrace) => void;
}

export function runTrial(
  cell: Cell,
  protocol: CellProtocol,
  data: AnyData,
  name: TrialName,
  { itemErrors, onAnswer, trace }: TrialWatch = {},
): TrialOutcome {
  const { measure = 'frequencies', error = 'total-squared' } = cell;
  const kind = kindOf(cell.holds);
  const stream = trialStream(cell, name);
  const attacked = protocol.attacked?.(data, stream.fork('threats'));
  const raw = attacked ? attacked.estimate(stream, trace) : protocol.estimate(data, stream, trace);
  const estimate = postprocessEstimate(raw, cell.postprocess, kind.limitsOf(cell));
  const { empirical, population } = kind.truthOf(data, cell);
  onAnswer?.(estimate, empirical);
  const asked = kind.inQuestion?.(empirical, cell);
  const errors = new Float64Array(estimate.length);
  for (let item = 0; item < estimate.length; item++)
    if (!asked || asked[item] === 1) errors[item] = estimate[item]! - empirical[item]!;
  if (itemErrors) for (let item = 0; item < errors.length; item++) itemErrors[item]! += errors[item]!;
  const errorOf = SQUARED_ERROR_BY[measure];
  const squaredError = errorOf(errors);
  const expected = (): number | null => (attacked ? attacked.expectedError() : protocol.expectedError(data));
  const expectedError = (cell.postprocess === 'none' ? expected() : null) ?? Number.NaN;
  const otherError = OTHER_ERROR[error]?.(errors) ?? Number.NaN;
  // Which are found is told by the estimates as they come: a clean-up may move one to what is not found.
  const quality = kind.quality?.(raw, empirical, cell);
  const outcome = { squaredError, otherError, expectedError, ...(quality && { quality }) };
  if (!population) return { ...outcome, populationError: Number.NaN };
  for (let item = 0; item < estimate.length; item++) errors[item] = estimate[item]! - population[item]!;
  return { ...outcome, populationError: errorOf(errors) };
}
