/** The table of a forest config: drawn, or read from its file. */
import { dirname, resolve } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';
import type { CategoricalTable } from '@shuffle-dp/protocols';
import { drawCategoricalMixture } from '../data/categorical-mixture.ts';
import { parseCategoricalTable } from '../data/csv/categorical-table-csv.ts';
import { DataFileError, fileDigest, readDataFile, resolveDataPath } from '../data/data-file.ts';
import type { LoadedData } from '../message-sweep/learning-source.ts';
import type { ForestConfig } from './forest-schema.ts';

export interface LoadedTable extends LoadedData {
  readonly table: CategoricalTable;
}

/** @param file of the config, from which paths are resolved @throws DataFileError */
export function readTable({ data, seed }: ForestConfig, file: string): LoadedTable {
  if (data.kind === 'mixture') {
    const { users, ...mixture } = data;
    const table = drawCategoricalMixture(mixture, users, RandomStream.fromSeed(seed).fork('data'));
    return { table, users, path: null, digest: null, notices: [], skippedUsers: 0 };
  }
  const path = resolveDataPath(data.path, dirname(resolve(file)));
  const { table, notices, skipped } = parseCategoricalTable(readDataFile(path), data.classColumn, data);
  const { users } = table;
  if (users < 2) throw new DataFileError(path, 'has only one user: none is left to test on');
  return { table, users, path, digest: fileDigest(path), notices, skippedUsers: skipped };
}
