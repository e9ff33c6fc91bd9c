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
import type { Attendance } from './threats.ts';
import type { ErrorMeasure } from '../config/schema.ts';
import type { CategorySource } from '../data/sources/category-source.ts';
import type { Holding } from '../data/data-sets.ts';
import type { IdentifierSource } from '../data/sources/identifier-source.ts';
import type { KeyValueSource } from '../data/sources/key-value-source.ts';
import type { NumberSource } from '../data/sources/number-source.ts';
import type { PlaceSource } from '../data/sources/place-source.ts';
import type { SetSource } from '../data/item-sets/set-source.ts';
import type { VectorSource } from '../data/sources/vector-source.ts';
import type {
  CategoryCell,
  IdentifierCell,
  KeyValueCell,
  NumberCell,
  PlaceCell,
  SetCell,
  VectorCell,
} from './cell.ts';
import type {
  CategoryDataCell,
  IdentifierDataCell,
  KeyValueDataCell,
  NumberDataCell,
  PlaceDataCell,
  SetDataCell,
  VectorDataCell,
} from './data-cell.ts';

interface TypesOf<Cell, DataCell, Source, Data> {
  readonly cell: Cell;
  readonly dataCell: DataCell;
  readonly source: Source;
  readonly data: Data;
}

/** By what a user holds. */
export interface KindTypes {
  readonly categories: TypesOf<CategoryCell, CategoryDataCell, CategorySource, CategoricalData>;
  readonly sets: TypesOf<SetCell, SetDataCell, SetSource, SetValuedData>;
  readonly numbers: TypesOf<NumberCell, NumberDataCell, NumberSource, NumberData>;
  readonly places: TypesOf<PlaceCell, PlaceDataCell, PlaceSource, PlaceData>;
  readonly vectors: TypesOf<VectorCell, VectorDataCell, VectorSource, VectorData>;
  readonly identifiers: TypesOf<IdentifierCell, IdentifierDataCell, IdentifierSource, IdentifierData>;
  readonly 'key-values': TypesOf<KeyValueCell, KeyValueDataCell, KeyValueSource, KeyValuedData>;
}

export type AnyData = KindTypes[Holding]['data'];

/** What is estimated, as it is among the users of a trial. */
export interface Truth {
  readonly empirical: Float64Array;
  /** The same in the population that the users were drawn from; absent where there is none. */
  readonly population?: Float64Array | undefined;
}

/** What clean-ups of estimates go by. */
export interface EstimateLimits {
  readonly low: number;
  readonly high: number;
  /** What the estimates of a trial sum to; absent where that is not known. */
  readonly sum?: number;
}

/** A protocol as a cell runs it. */
export interface RunProtocol<Data> extends ShuffleProtocol<Data> {
  /**
   * Whether code that a user brought does what it states; asked before anything is said of it. @throws
   * ParameterError
   */
  check?(): void;
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
  draw(
    source: KindTypes[Held]['source'],
    cell: KindTypes[Held]['dataCell'],
    stream: RandomStream,
  ): KindTypes[Held]['data'];
  /** Absent where no protocol of the kind meets its users so. */
  readonly blocks?: UserBlocks<KindTypes[Held]['dataCell'], KindTypes[Held]['data']>;
  truthOf(data: KindTypes[Held]['data'], cell: KindTypes[Held]['cell']): Truth;
  /** Which quantities an error is of, where it is not of all; by what is true of them. */
  inQuestion?(truth: Float64Array, cell: KindTypes[Held]['cell']): Uint8Array;
  /** How good a list of the most frequent is; absent where none is looked for. */
  quality?(estimate: Float64Array, truth: Float64Array, cell: KindTypes[Held]['cell']): TopQuality;
  /** What the quantities are called; null where the users of the data have no names for them. */
  namesOf(source: KindTypes[Held]['source'], measure: ErrorMeasure): readonly string[] | null;
  /** Where what is estimated can be. */
  limitsOf(cell: KindTypes[Held]['cell']): EstimateLimits;
  /** Bytes of the arrays that grow with users and domain. */
  bytesOf(data: KindTypes[Held]['data']): number;
  /**
   * The protocol of a cell, at the measure that the cell asks for.
   * @param users who take part; default all of the cell's
   * @throws ParameterError, OutOfRegimeError
   */
  protocolOf(cell: KindTypes[Held]['cell'], users?: number): RunProtocol<KindTypes[Held]['data']>;
  /**
   * The data of those who take part in a trial under threats. @throws ParameterError where no part of such
   * data is drawn
   */
  attending(
    data: KindTypes[Held]['data'],
    cell: KindTypes[Held]['cell'],
    attendance: Attendance,
    stream: RandomStream,
  ): KindTypes[Held]['data'];
}
