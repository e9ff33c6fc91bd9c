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
import type { CellThreats } from './threats.ts';
import type { OwnRandomizerSpec } from '../own-randomizer/own-randomizer.ts';
import type {
  CategoryDataCell,
  IdentifierDataCell,
  KeyValueDataCell,
  NumberDataCell,
  PlaceDataCell,
  SetDataCell,
  VectorDataCell,
} from './data-cell.ts';

/** What every cell says, whatever its users hold. */
interface CellBase {
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
  readonly sweep: Readonly<Record<string, number | string>>;
}

/** Users with one category each. */
export interface CategoryCell extends CellBase {
  readonly holds: 'categories';
  readonly spec: FrequencyProtocolSpec | OwnRandomizerSpec;
  readonly data: CategoryDataCell;
  /** Central target in nats; absent where the spec fixes what it would set. */
  readonly epsilon?: number;
  /** Local budgets of the users' own, in place of a target. */
  readonly budgets?: CellBudgets;
}

/** Users with a set of items and a privacy level each. */
export interface SetCell extends CellBase {
  readonly holds: 'sets';
  readonly spec: SetProtocolSpec;
  readonly data: SetDataCell;
  /** Central epsilons that users choose from, in nats, increasing. */
  readonly levels: readonly number[];
  /** Those of the levels, where the config gives any its own; `delta` is then the least of them. */
  readonly deltas?: readonly number[];
}

/** Users with one number each. */
export interface NumberCell extends CellBase {
  readonly holds: 'numbers';
  readonly spec: NumberProtocolSpec;
  readonly data: NumberDataCell;
  /** Central target in nats; absent where the spec fixes what it would set. */
  readonly epsilon?: number;
  /** Local budgets of the users' own, in place of a target. */
  readonly budgets?: CellBudgets;
}

/** Users with key-value pairs. */
export interface KeyValueCell extends CellBase {
  readonly holds: 'key-values';
  readonly spec: KeyValueProtocolSpec;
  readonly data: KeyValueDataCell;
  /** Central target in nats; absent where the spec fixes what it would set. */
  readonly epsilon?: number;
}

/** Users with one vector each. */
export interface VectorCell extends CellBase {
  readonly holds: 'vectors';
  readonly spec: VectorProtocolSpec;
  readonly data: VectorDataCell;
  /** Central target in nats; absent where the spec fixes what it would set. */
  readonly epsilon?: number;
}

/** Users with one place each. */
export interface PlaceCell extends CellBase {
  readonly holds: 'places';
  readonly spec: PlaceProtocolSpec;
  readonly data: PlaceDataCell;
  /** Central target in nats; absent where the spec fixes what it would set. */
  readonly epsilon?: number;
}

/** Users with one identifier each. */
export interface IdentifierCell extends CellBase {
  readonly holds: 'identifiers';
  readonly spec: HeavyHitterSpec;
  readonly data: IdentifierDataCell;
  /** Central target in nats. */
  readonly epsilon: number;
}

/** Everything that determines one row of the results. Plain data: it crosses to the workers as it is. */
export type Cell =
  IdentifierCell | VectorCell | PlaceCell | CategoryCell | SetCell | NumberCell | KeyValueCell;
