/** The data of a run's cells, by what a user holds: plain data that names every data set of a trial. */
import type { SimulationPath } from '@shuffle-dp/core';
import type { Holding } from '../data/data-set-card.ts';
import type { DataConfig } from '../data/data-sets.ts';
import type { KeyValueSource } from '../data/sources/key-value-source.ts';
import type { PlaceGrid } from '../data/sources/place-source.ts';
import type { NumberRange } from '../data/sources/number-source.ts';

/** What cells of all kinds say of their data. Cells with one key see the same users, trial by trial. */
interface DrawnData<Held extends Holding> {
  readonly holds: Held;
  readonly config: DataConfig<Held>;
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
type CategoryDataCell = DrawnData<'categories'>;

/** A set of items per user, and a privacy level. */
interface SetDataCell extends DrawnData<'sets'> {
  readonly items: number;
  /** Fraction of the users at each level. */
  readonly shares: readonly number[];
}

/** One number per user. */
interface NumberDataCell extends DrawnData<'numbers'> {
  readonly range: NumberRange;
}

/** Key-value pairs, as many per user. */
interface KeyValueDataCell extends DrawnData<'key-values'>, Pick<KeyValueSource, 'items' | 'range'> {
  /** Keys whose error counts, from the first, where that is not of all. */
  readonly keys?: number;
}

/** One vector per user. */
interface VectorDataCell extends DrawnData<'vectors'> {
  /** Of every coordinate. */
  readonly range: NumberRange;
}

/** One place per user. */
interface PlaceDataCell extends DrawnData<'places'> {
  readonly grid: PlaceGrid;
}

/** One identifier per user, of a large domain. */
interface IdentifierDataCell extends DrawnData<'identifiers'> {
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
