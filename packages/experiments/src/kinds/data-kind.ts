/**
 * What a run must know of a kind of data: how its users are drawn, what is true of them, and which protocols
 * estimate that. A new kind is its types here, a file with its functions, and a line in kinds.ts.
 */
import type { CategoricalData, FrequencyOracle, RandomStream, SetValuedData } from '@shuffle-dp/core';
import type {
  IdentifierData,
  KeyValuedData,
  NumberData,
  PlaceData,
  ShuffleProtocol,
  TopQuality,
  VectorData,
} from '@shuffle-dp/protocols';
import type { ErrorMeasure } from '../config/schema.ts';
import type { DataSource, Holding } from '../data/data-set-card.ts';
import type { Cell } from './cell.ts';
import type { DataCell } from './data-cell.ts';
import type { Attendance } from './threats.ts';

/** Of these cells or sources, those of what users hold. */
type Of<Held extends Holding, Any> = Extract<Any, { readonly holds: Held }>;

export type AnyData =
  CategoricalData | SetValuedData | NumberData | KeyValuedData | VectorData | PlaceData | IdentifierData;

type DataOf<Held extends Holding> = Extract<AnyData, { readonly kind: Held }>;

/** What is estimated, as it is among the users of a trial. */
export interface Truth {
  readonly empirical: Float64Array;
  /** The same in the population that the users were drawn from; absent where there is none. */
  readonly population?: Float64Array | undefined;
}

/** What clean-ups of estimates go by. */
export interface EstimateLimits {
  /** Of every estimate, or of each. */
  readonly low: number | readonly number[];
  /** As `low`. */
  readonly high: number | readonly number[];
  /** What the estimates of a trial sum to; absent where that is not known. */
  readonly sum?: number;
  /** The value of what is not estimated at all, which a clip leaves alone; absent where all is estimated. */
  readonly missed?: number;
}

/** A protocol as a cell runs it. */
export interface RunProtocol<Data> extends ShuffleProtocol<Data> {
  /**
   * Whether code that a user brought does what it states; asked before anything is said of it. @throws
   * ParameterError
   */
  check?(): void;
  sentBy?(users: number): RunProtocol<Data>;
  /** Of one message a user about a category. */
  readonly oracle?: FrequencyOracle;
}

/** How the users of a generator are met block by block, and what is kept of them. */
export interface UserBlocks<DataCell, Data> {
  /** The data cell of each block, of so many users: together they have the law of the whole. */
  cut(cell: DataCell, sizes: readonly number[], stream: RandomStream): DataCell[];
  /** A block without its users: counts alone. */
  counted(block: Data, cell: DataCell): Data;
  /** The counts of all blocks added up. */
  sum(blocks: readonly Data[]): Data;
}

export interface DataKind<Held extends Holding> {
  readonly holds: Held;
  /** One data set. @throws RangeError for more users than a file has */
  draw(source: Of<Held, DataSource>, cell: Of<Held, DataCell>, stream: RandomStream): DataOf<Held>;
  /** Absent where no protocol of the kind meets its users so. */
  readonly blocks?: UserBlocks<Of<Held, DataCell>, DataOf<Held>>;
  truthOf(data: DataOf<Held>, cell: Of<Held, Cell>): Truth;
  /** Which quantities an error is of, by what is true of them; nothing where it is of all. */
  inQuestion?(truth: Float64Array, cell: Of<Held, Cell>): Uint8Array | undefined;
  /**
   * How good a list of the most frequent is, by estimates before any clean-up; absent where none is looked
   * for.
   */
  quality?(estimate: Float64Array, truth: Float64Array, cell: Of<Held, Cell>): TopQuality;
  /** What the quantities are called; null where the users of the data have no names for them. */
  namesOf(source: Of<Held, DataSource>, measure: ErrorMeasure): readonly string[] | null;
  /** Where what is estimated can be. */
  limitsOf(cell: Of<Held, Cell>): EstimateLimits;
  /** Bytes of the arrays that grow with users and domain. */
  bytesOf(data: DataOf<Held>): number;
  /**
   * The protocol of a cell, at the measure that the cell asks for.
   * @param users who take part; default all of the cell's
   * @throws ParameterError, OutOfRegimeError
   */
  protocolOf(cell: Of<Held, Cell>, users?: number): RunProtocol<DataOf<Held>>;
  /**
   * The data of those who take part in a trial under threats. @throws ParameterError where no part of such
   * data is drawn
   */
  attending(
    data: DataOf<Held>,
    cell: Of<Held, Cell>,
    attendance: Attendance,
    stream: RandomStream,
  ): DataOf<Held>;
}
