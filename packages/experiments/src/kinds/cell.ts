/**
 * A cell: one combination of a protocol's values with a number of users. Which values there are depends on
 * what a user holds.
 */
import type {
  FrequencyProtocolSpec,
  HeavyHitterSpec,
  KeyValueProtocolSpec,
  NumberProtocolSpec,
  PlaceProtocolSpec,
  SetProtocolSpec,
  VectorProtocolSpec,
} from '@shuffle-dp/protocols';
import type { ErrorMeasure, EstimateError, Postprocessing } from '../config/schema.ts';
import type { CellBudgets } from '../personalized/cell-budgets.ts';
import type { Holding } from '../data/data-set-card.ts';
import type { CellThreats } from './threats.ts';
import type { OwnRandomizerSpec } from '../own-randomizer/own-randomizer.ts';
import type { DataCell } from './data-cell.ts';

/** What every cell says, whatever its users hold. */
interface CellBase<Held extends Holding, Spec> {
  readonly holds: Held;
  readonly spec: Spec;
  readonly data: Extract<DataCell, { readonly holds: Held }>;
  /** First 16 hexadecimal digits of the identity's hash. */
  readonly id: string;
  /**
   * Names the cell's random streams: the identity without the number of trials, so that more trials extend
   * fewer.
   */
  readonly streamLabel: string;
  /** Index of the protocol in the config. */
  readonly series: number;
  /** The config's own name of the protocol; absent where it gives none. */
  readonly label?: string;
  readonly delta: number;
  readonly trials: number;
  readonly postprocess: Postprocessing;
  /** Absent for 'frequencies', which older journals do not name. */
  readonly measure?: ErrorMeasure;
  /** Absent for 'total-squared'. */
  readonly error?: EstimateError;
  /** Users who do not do as they should; absent for none. */
  readonly threats?: CellThreats;
  /**
   * 'certified': only ranked where what is proved of every group meets what it asked for. Absent for
   * 'published'.
   */
  readonly accounting?: 'certified';
  /**
   * One of several settings of its protocol, of which one is chosen: on trials of their own where theory
   * cannot say.
   */
  readonly oneOfSweep?: true;
  /**
   * Theory may be known of some settings of the sweep alone, or in some of their trials: all have trials of
   * their own to be chosen on.
   */
  readonly choosesByTrials?: true;
  readonly sweep: Readonly<Record<string, number | string>>;
}

/** Users who all have one target. */
interface TargetedCell<Held extends Holding, Spec> extends CellBase<Held, Spec> {
  /** Central target in nats; absent where the spec fixes what it would set. */
  readonly epsilon?: number;
}

/** Users with one category each. */
export interface CategoryCell extends TargetedCell<'categories', FrequencyProtocolSpec | OwnRandomizerSpec> {
  /** Local budgets of the users' own, in place of a target. */
  readonly budgets?: CellBudgets;
}

/** Users with a set of items and a privacy level each. */
interface SetCell extends CellBase<'sets', SetProtocolSpec> {
  /** Central epsilons that users choose from, in nats, increasing. */
  readonly levels: readonly number[];
  /** Those of the levels, where the config gives any its own; `delta` is then the least of them. */
  readonly deltas?: readonly number[];
}

/** Users with one number each. */
export interface NumberCell extends TargetedCell<'numbers', NumberProtocolSpec> {
  /** Local budgets of the users' own, in place of a target. */
  readonly budgets?: CellBudgets;
}

/** Users with one identifier each. */
export interface IdentifierCell extends CellBase<'identifiers', HeavyHitterSpec> {
  /** Central target in nats. */
  readonly epsilon: number;
}

/** Everything that determines one row of the results. Plain data: it crosses to the workers as it is. */
export type Cell =
  | CategoryCell
  | SetCell
  | NumberCell
  | TargetedCell<'key-values', KeyValueProtocolSpec>
  | TargetedCell<'vectors', VectorProtocolSpec>
  | TargetedCell<'places', PlaceProtocolSpec>
  | IdentifierCell;
