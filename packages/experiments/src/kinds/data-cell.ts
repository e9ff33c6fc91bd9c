/** The data of a run's cells, by what a user holds: plain data that names every data set of a trial. */
import type { SimulationPath } from '@shuffle-dp/core';
import type {
  CategoryDataConfig,
  IdentifierDataConfig,
  KeyValueDataConfig,
  NumberDataConfig,
  PlaceDataConfig,
  SetDataConfig,
  VectorDataConfig,
} from '../data/data-sets.ts';
import type { PlaceGrid } from '../data/sources/place-source.ts';
import type { NumberRange } from '../data/sources/number-source.ts';

/** What cells of all kinds say of their data. Cells with one key see the same users, trial by trial. */
interface DrawnData {
  /** Hash of everything that determines the data but the trial. */
  readonly key: string;
  /** Resolved path of the file, where there is one; no part of the identity, its digest is. */
  readonly file: string | null;
  readonly fileDigest: string | null;
  readonly users: number;
  /** Quantities that are estimated: one for each category or item, or the one mean. */
  readonly domain: number;
  readonly simulation: SimulationPath;
  readonly seed: string;
}

/** One category per user. */
export interface CategoryDataCell extends DrawnData {
  readonly holds: 'categories';
  readonly config: CategoryDataConfig;
}

/** A set of items per user, and a privacy level. */
export interface SetDataCell extends DrawnData {
  readonly holds: 'sets';
  readonly config: SetDataConfig;
  readonly items: number;
  /** Fraction of the users at each level. */
  readonly shares: readonly number[];
}

/** One number per user. */
export interface NumberDataCell extends DrawnData {
  readonly holds: 'numbers';
  readonly config: NumberDataConfig;
  readonly range: NumberRange;
}

/** Key-value pairs, as many per user. */
export interface KeyValueDataCell extends DrawnData {
  readonly holds: 'key-values';
  readonly config: KeyValueDataConfig;
  readonly items: number;
  /** Of the values. */
  readonly range: NumberRange;
}

/** One vector per user. */
export interface VectorDataCell extends DrawnData {
  readonly holds: 'vectors';
  readonly config: VectorDataConfig;
  /** Of every coordinate. */
  readonly range: NumberRange;
}

/** One place per user. */
export interface PlaceDataCell extends DrawnData {
  readonly holds: 'places';
  readonly config: PlaceDataConfig;
  readonly grid: PlaceGrid;
}

/** One identifier per user, of a large domain. */
export interface IdentifierDataCell extends DrawnData {
  readonly holds: 'identifiers';
  readonly config: IdentifierDataConfig;
  readonly bits: number;
  /** How many are looked for: the last so many quantities are those found that nobody holds. */
  readonly top: number;
}

export type DataCell =
  | IdentifierDataCell
  | VectorDataCell
  | PlaceDataCell
  | CategoryDataCell
  | SetDataCell
  | NumberDataCell
  | KeyValueDataCell;
