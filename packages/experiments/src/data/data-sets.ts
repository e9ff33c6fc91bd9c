/** The data sets that a config can name, and what a run must know of the one it uses. */
import type { DataConfig } from '../config/data-schema.ts';
import { isSetData } from '../config/data-schema.ts';
import { categorySource, type CategorySource } from './category-source.ts';
import { setSource, type SetSource } from './set-source.ts';

export type DataSource = SetSource | CategorySource;

/** @param file resolved path of the kinds that read one @throws DataFileError, ParameterError */
export function openDataSource(config: DataConfig, file: string | null): DataSource {
  return isSetData(config) ? setSource(config, file) : categorySource(config, file);
}

export interface DataSetEntry {
  readonly kind: DataConfig['kind'];
  readonly values: 'sets of items' | 'one category';
  readonly parameters: readonly string[];
  readonly description: string;
}

export const DATA_SETS: readonly DataSetEntry[] = [
  {
    kind: 'msnbc-like',
    values: 'sets of items',
    parameters: ['items', 'padding'],
    description:
      '17 page categories, drawn from a mixture fitted to the 989,818 users of the MSNBC data: exact marginals, pairs within 1.5 % in total variation.',
  },
  {
    kind: 'msnbc',
    values: 'sets of items',
    parameters: ['path', 'items', 'padding'],
    description:
      'The UCI file msnbc990928.seq, plain or gzipped; a random subset of its users in every trial.',
  },
  {
    kind: 'sets-uniform',
    values: 'sets of items',
    parameters: ['domain', 'items'],
    description: 'Uniform sets of the given size.',
  },
  {
    kind: 'sets-zipf',
    values: 'sets of items',
    parameters: ['domain', 'items', 'exponent'],
    description: 'Items drawn without replacement with weights 1 / (i + 1)^exponent.',
  },
  {
    kind: 'sets-gaussian-bump',
    values: 'sets of items',
    parameters: ['domain', 'items', 'centre', 'width'],
    description: 'Items drawn without replacement with weights of a bell curve over the domain.',
  },
  {
    kind: 'csv-sets',
    values: 'sets of items',
    parameters: ['path', 'items', 'padding', 'domain', 'separator', 'header', 'missing'],
    description: 'A file with the items of one user a line: numbers from 0, or names.',
  },
  {
    kind: 'categories-uniform',
    values: 'one category',
    parameters: ['domain'],
    description: 'All categories alike.',
  },
  {
    kind: 'categories-zipf',
    values: 'one category',
    parameters: ['domain', 'exponent'],
    description: 'Category i has a probability proportional to 1 / (i + 1)^exponent.',
  },
  {
    kind: 'categories-gaussian-bump',
    values: 'one category',
    parameters: ['domain', 'centre', 'width'],
    description: 'Probabilities of a bell curve over the domain.',
  },
  {
    kind: 'csv-categories',
    values: 'one category',
    parameters: ['path', 'column', 'domain', 'header', 'missing'],
    description: 'A column of a CSV file: numbers from 0, or names.',
  },
];

/** Said wherever an error is measured: which frequencies are the truth. */
export function truthInWords(config: DataConfig): string {
  if (!('padding' in config)) return 'the empirical frequencies of the data of each trial';
  const padding = {
    fill: 'after users with too few items got random ones that they do not hold',
    dummy: 'after users with too few items got dummy items, which count as items of the domain',
    truncate: 'among users who hold enough items',
  }[config.padding];
  return `the empirical frequencies of the ${config.items} items per user of each trial, ${padding}`;
}
