/** The data sets that a config can name, by their cards, and what a run must know of the one it uses. */
import { ParameterError } from '@shuffle-dp/core';
import * as z from 'zod';
import type { CategorySource } from './sources/category-source.ts';
import type { Padding } from './data-fields.ts';
import {
  CSV_CATEGORIES,
  CSV_IDENTIFIERS,
  CSV_KEY_VALUES,
  CSV_NUMBERS,
  CSV_PLACES,
  CSV_SETS,
  CSV_VECTORS,
} from './csv/own-data.ts';
import { MSNBC, MSNBC_LIKE } from './msnbc/msnbc-data.ts';
import type { IdentifierSource } from './sources/identifier-source.ts';
import type { KeyValueSource } from './sources/key-value-source.ts';
import type { NumberSource } from './sources/number-source.ts';
import type { PlaceSource } from './sources/place-source.ts';
import type { VectorSource } from './sources/vector-source.ts';
import type { SetSource } from './item-sets/set-source.ts';
import {
  CATEGORIES_GAUSSIAN_BUMP,
  CATEGORIES_UNIFORM,
  CATEGORIES_ZIPF,
  IDENTIFIERS_ZIPF,
  KEY_VALUES_ZIPF,
  NUMBERS_GAUSSIAN_BUMP,
  NUMBERS_UNIFORM,
  NUMBERS_ZIPF,
  PLACES_CLUSTERS,
  SETS_GAUSSIAN_BUMP,
  SETS_UNIFORM,
  SETS_ZIPF,
  VECTORS_SPHERE,
} from './synthetic-data.ts';

const SET_DATA_SETS = [MSNBC_LIKE, MSNBC, SETS_UNIFORM, SETS_ZIPF, SETS_GAUSSIAN_BUMP, CSV_SETS] as const;
const CATEGORY_DATA_SETS = [
  CATEGORIES_UNIFORM,
  CATEGORIES_ZIPF,
  CATEGORIES_GAUSSIAN_BUMP,
  CSV_CATEGORIES,
] as const;

const NUMBER_DATA_SETS = [NUMBERS_UNIFORM, NUMBERS_ZIPF, NUMBERS_GAUSSIAN_BUMP, CSV_NUMBERS] as const;

const VECTOR_DATA_SETS = [VECTORS_SPHERE, CSV_VECTORS] as const;
const PLACE_DATA_SETS = [PLACES_CLUSTERS, CSV_PLACES] as const;
const KEY_VALUE_DATA_SETS = [KEY_VALUES_ZIPF, CSV_KEY_VALUES] as const;
const IDENTIFIER_DATA_SETS = [IDENTIFIERS_ZIPF, CSV_IDENTIFIERS] as const;

export const DATA_SETS = [
  ...SET_DATA_SETS,
  ...CATEGORY_DATA_SETS,
  ...NUMBER_DATA_SETS,
  ...KEY_VALUE_DATA_SETS,
  ...VECTOR_DATA_SETS,
  ...PLACE_DATA_SETS,
  ...IDENTIFIER_DATA_SETS,
] as const;

/** Made when it is first asked for, of all cards that are listed by then. */
export const dataSchema = z.lazy(() => {
  const [first, ...rest] = DATA_SETS.map(({ schema }) => schema);
  return z.discriminatedUnion('kind', [first!, ...rest], { error: 'a data set: see `shuffle-dp datasets`' });
});

export type SetDataConfig = z.output<(typeof SET_DATA_SETS)[number]['schema']>;
export type CategoryDataConfig = z.output<(typeof CATEGORY_DATA_SETS)[number]['schema']>;
export type NumberDataConfig = z.output<(typeof NUMBER_DATA_SETS)[number]['schema']>;
export type KeyValueDataConfig = z.output<(typeof KEY_VALUE_DATA_SETS)[number]['schema']>;
export type VectorDataConfig = z.output<(typeof VECTOR_DATA_SETS)[number]['schema']>;
export type PlaceDataConfig = z.output<(typeof PLACE_DATA_SETS)[number]['schema']>;
export type IdentifierDataConfig = z.output<(typeof IDENTIFIER_DATA_SETS)[number]['schema']>;
export type DataConfig =
  | IdentifierDataConfig
  | VectorDataConfig
  | PlaceDataConfig
  | SetDataConfig
  | CategoryDataConfig
  | NumberDataConfig
  | KeyValueDataConfig;
export type DataSource =
  SetSource | CategorySource | NumberSource | KeyValueSource | VectorSource | PlaceSource | IdentifierSource;

/** What a user holds. */
export type Holding = DataSource['holds'];

const HOLDINGS = {
  'sets of items': 'sets',
  'one category': 'categories',
  'one number': 'numbers',
  'key-value pairs': 'key-values',
  'one vector': 'vectors',
  'one place': 'places',
  'one identifier': 'identifiers',
} as const;

/** What the users of a data set hold. */
export function holdingOf(data: DataConfig): Holding {
  return HOLDINGS[cardOf(data).values];
}

export function isSetData(data: DataConfig): data is SetDataConfig {
  return holdingOf(data) === 'sets';
}

/** @param file resolved path of the kinds that read one @throws DataFileError, ParameterError */
export function openDataSource(config: SetDataConfig, file: string | null): SetSource;
export function openDataSource(config: CategoryDataConfig, file: string | null): CategorySource;
export function openDataSource(config: NumberDataConfig, file: string | null): NumberSource;
export function openDataSource(config: PlaceDataConfig, file: string | null): PlaceSource;
export function openDataSource(config: VectorDataConfig, file: string | null): VectorSource;
export function openDataSource(config: IdentifierDataConfig, file: string | null): IdentifierSource;
export function openDataSource(config: KeyValueDataConfig, file: string | null): KeyValueSource;
export function openDataSource(config: DataConfig, file: string | null): DataSource;
export function openDataSource(config: DataConfig, file: string | null): DataSource {
  const card = cardOf(config);
  // The card of a config's kind takes that config; the compiler cannot follow the pairing through a list.
  return (card.open as (data: DataConfig, path: string | null) => DataSource)(config, file);
}

function cardOf({ kind }: DataConfig): (typeof DATA_SETS)[number] {
  const card = DATA_SETS.find((known) => known.kind === kind);
  if (card) return card;
  throw new ParameterError('kind', kind, `one of ${DATA_SETS.map((known) => known.kind).join(', ')}`);
}

/** How sets of different sizes come to one size; null where they have one, or users hold something else. */
function paddingOf(config: DataConfig): Padding | null {
  if ('sizes' in config) return config.sizes ? (config.padding ?? 'fill') : null;
  return 'padding' in config ? (config.padding ?? null) : null;
}

/** Said wherever an error is measured: what the truth is. */
export function truthInWords(config: DataConfig): string {
  if (holdingOf(config) === 'identifiers') return 'the most frequent identifiers of the users of each trial';
  if (holdingOf(config) === 'vectors') return 'the mean of the vectors of the users of each trial';
  if (holdingOf(config) === 'key-values') return 'what the pairs of the users of each trial give';
  if (holdingOf(config) === 'places') return 'what the places of the users of each trial give';
  if (holdingOf(config) === 'numbers') return 'what the numbers of the users of each trial give';
  const rule = paddingOf(config);
  if (rule === null) return 'the empirical frequencies of the data of each trial';
  const padding = {
    fill: 'after users with too few items got random ones that they do not hold',
    dummy: 'after users with too few items got dummy items, which count as items of the domain',
    truncate: 'among users who hold enough items',
  }[rule];
  const { items } = config as SetDataConfig;
  return `the empirical frequencies of the ${items} items per user of each trial, ${padding}`;
}

/**
 * Said with the unit of privacy: which sets are hidden from each other; null where all have one size by
 * themselves.
 */
export function sizesInWords(config: DataConfig): string | null {
  const padding = paddingOf(config);
  if (padding === null || !isSetData(config)) return null;
  const { items } = config;
  return padding === 'truncate'
    ? `Only users who hold at least ${items} items take part, which is not hidden: neighbours' sets have at least ${items} items.`
    : `Users' sets have any size from one item, and neighbours' sets may differ in size: all are brought to ${items} before anything is sent.`;
}
