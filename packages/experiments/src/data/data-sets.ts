/** The data sets that a config can name, by their cards, and what a run must know of the one it uses. */
import { ParameterError } from '@shuffle-dp/core';
import * as z from 'zod';
import type { Padding } from './data-fields.ts';
import type { DataSource, Holding } from './data-set-card.ts';
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
import {
  CATEGORIES_GAUSSIAN_BUMP,
  CATEGORIES_SHARES,
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

export const DATA_SETS = [
  MSNBC_LIKE,
  MSNBC,
  SETS_UNIFORM,
  SETS_ZIPF,
  SETS_GAUSSIAN_BUMP,
  CSV_SETS,
  CATEGORIES_UNIFORM,
  CATEGORIES_ZIPF,
  CATEGORIES_GAUSSIAN_BUMP,
  CATEGORIES_SHARES,
  CSV_CATEGORIES,
  NUMBERS_UNIFORM,
  NUMBERS_ZIPF,
  NUMBERS_GAUSSIAN_BUMP,
  CSV_NUMBERS,
  KEY_VALUES_ZIPF,
  CSV_KEY_VALUES,
  VECTORS_SPHERE,
  CSV_VECTORS,
  PLACES_CLUSTERS,
  CSV_PLACES,
  IDENTIFIERS_ZIPF,
  CSV_IDENTIFIERS,
] as const;

/** Made when it is first asked for, of all cards that are listed by then. */
export const dataSchema = z.lazy(() => {
  const [first, ...rest] = DATA_SETS.map(({ schema }) => schema);
  return z.discriminatedUnion('kind', [first!, ...rest], { error: 'a data set: see `shuffle-dp datasets`' });
});

type Card = (typeof DATA_SETS)[number];

/** A data set as a config names it, of users who hold this. */
export type DataConfig<Held extends Holding = Holding> = z.output<
  Extract<Card, { readonly holds: Held }>['schema']
>;

/** What the users of a data set hold. */
export function holdingOf(data: DataConfig): Holding {
  return cardOf(data).holds;
}

export function isSetData(data: DataConfig): data is DataConfig<'sets'> {
  return holdingOf(data) === 'sets';
}

/** @param file resolved path of the kinds that read one @throws DataFileError, ParameterError */
export function openDataSource<Config extends DataConfig>(
  config: Config,
  file: string | null,
): ReturnType<Extract<Card, { readonly kind: Config['kind'] }>['open']>;
export function openDataSource(config: DataConfig, file: string | null): DataSource {
  const card = cardOf(config);
  // The card of a config's kind takes that config; the compiler cannot follow the pairing through a list.
  return (card.open as (data: DataConfig, path: string | null) => DataSource)(config, file);
}

function cardOf({ kind }: DataConfig): Card {
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
  const { items } = config as DataConfig<'sets'>;
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
    ? `Only users who hold at least ${items} items take part, and who takes part is not hidden: neighbours' sets have at least ${items} items.`
    : `Users' sets have any size from one item, and neighbours' sets may differ in size: all sets are brought to ${items} items before anything is sent.`;
}
