/** The points of a config of unsupervised learning, on their grid. */
import { dirname, resolve } from 'node:path';
import { RandomStream } from '@shuffle-dp/core';
import { gridPoints, type GridPoints } from '@shuffle-dp/protocols';
import { drawBlobs, type MarkedPoints } from '../data/blobs.ts';
import { parseVectors, type NumberTable } from '../data/csv/csv-vectors.ts';
import { DataFileError, fileDigest, readDataFile, resolveDataPath } from '../data/data-file.ts';
import { countOutside, withOutside } from '../data/sources/source-users.ts';
import type { LoadedData } from '../message-sweep/learning-source.ts';
import { counted } from '../words/counted.ts';
import type { UnsupervisedConfig } from './unsupervised-schema.ts';

export interface LoadedPoints extends LoadedData {
  readonly points: GridPoints;
  /** 1 for users who are outliers; null where nobody knows. */
  readonly marked: Uint8Array | null;
}

/** @param file of the config, from which paths are resolved @throws DataFileError */
export function readPoints({ data, bins, seed }: UnsupervisedConfig, file: string): LoadedPoints {
  if (data.kind === 'blobs') {
    const { users } = data;
    const { marked, ...drawn } = drawBlobs(data, users, RandomStream.fromSeed(seed).fork('data'));
    const points = gridPoints(drawn.values, drawn.dimensions, { low: 0, high: 1 }, bins);
    return { points, marked, users, path: null, digest: null, notices: [], skippedUsers: 0 };
  }
  const path = resolveDataPath(data.path, dirname(resolve(file)));
  const { notices, skipped, ...table } = parseVectors(readDataFile(path), data);
  const { values, dimensions, marked } =
    data.outlierColumn === undefined
      ? { values: table.values, dimensions: table.width, marked: null }
      : withoutColumn(table, data.outlierColumn, path);
  const points = gridPoints(values, dimensions, data, bins);
  const { users } = points;
  if (users < 2) throw new DataFileError(path, 'has only one user: none is left to test on');
  const outside = countOutside(values, data);
  const told = `${counted(outside, 'coordinate')} outside ${data.low} to ${data.high}: counted as the nearer end, also in the exact values`;
  return {
    points,
    marked,
    users,
    path,
    digest: fileDigest(path),
    notices: withOutside(notices, outside, told),
    skippedUsers: skipped,
  };
}

/** Takes the column of marks out. @throws DataFileError */
function withoutColumn(
  { values, width, names }: Pick<NumberTable, 'values' | 'width' | 'names'>,
  column: string | number,
  file: string,
): MarkedPoints {
  const at = typeof column === 'number' ? column : (names?.indexOf(column) ?? -1);
  if (at < 0 || at >= width) throw new DataFileError(file, `has no column ${column}`, 1);
  if (width < 2) throw new DataFileError(file, 'has no column beside the outliers', 1);
  const users = values.length / width;
  const marked = new Uint8Array(users);
  const rest = new Float64Array(users * (width - 1));
  for (let user = 0, place = 0; user < users; user++)
    for (let j = 0; j < width; j++) {
      const value = values[user * width + j]!;
      if (j !== at) rest[place++] = value;
      else if (value === 0 || value === 1) marked[user] = value;
      else throw new DataFileError(file, `${value} in column ${column} is neither 0 nor 1`);
    }
  return { dimensions: width - 1, values: rest, marked };
}
