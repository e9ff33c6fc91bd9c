/** Key-value pairs of a CSV file: a line has a user, a key and a value. */
import { LIMITS } from '../../documents/limits.ts';
import { DataFileError, type DataFile } from '../data-file.ts';
import { readColumns } from './csv-column.ts';
import { isNumber } from './csv-rows.ts';
import { isMissing, type ReadingPolicy, type ReadUsers } from './reading-policy.ts';

export interface KeyValueRows extends ReadUsers {
  /** Distinct keys of the users, one user after another. */
  readonly keys: Uint32Array;
  readonly values: Float64Array;
  /** The pairs of user u stand at offsets[u] to offsets[u + 1]. */
  readonly offsets: Uint32Array;
  /** Names of the keys. */
  readonly labels: readonly string[];
  /** Users of whom every line is left out for missing values. */
  readonly skipped: number;
}

/** The columns by name (the first line is then a header) or number. */
export interface KeyValueColumns {
  readonly user: string | number;
  readonly key: string | number;
  readonly value: string | number;
}

/** @throws DataFileError with the line, also for a key that a user has twice */
export function parseKeyValues(
  data: DataFile,
  columns: KeyValueColumns,
  policy: ReadingPolicy = {},
): KeyValueRows {
  const { file } = data;
  const asked = [columns.user, columns.key, columns.value];
  const { lines, rows, places, notices } = readColumns(data, asked, policy, [2]);
  const users = new Map<string, Map<string, number>>();
  const codes = new Map<string, number>();
  for (const { cells, line } of rows) {
    const [user, key, word] = places.map((place) => cells[place]!) as [string, string, string];
    if (!isNumber(word))
      throw new DataFileError(file, `${JSON.stringify(word)} in column ${columns.value} is no number`, line);
    const own = users.get(user) ?? new Map<string, number>();
    if (own.has(key))
      throw new DataFileError(
        file,
        `user ${JSON.stringify(user)} has key ${JSON.stringify(key)} twice`,
        line,
      );
    users.set(user, own.set(key, Number(word)));
    if (!codes.has(key)) codes.set(key, 0);
    if (codes.size > LIMITS.setDomain.most)
      throw new DataFileError(file, `has more than ${LIMITS.setDomain.most} keys`, line);
  }
  const all = new Set(lines.map(({ cells }) => cells[places[0]!]!).filter((user) => !isMissing(user)));
  const labels = [...codes.keys()].sort();
  labels.forEach((label, code) => codes.set(label, code));
  const offsets = new Uint32Array(users.size + 1);
  [...users.values()].forEach((own, u) => (offsets[u + 1] = offsets[u]! + own.size));
  const pairs = [...users.values()].flatMap((own) => [...own]);
  return {
    keys: Uint32Array.from(pairs, ([key]) => codes.get(key)!),
    values: Float64Array.from(pairs, ([, value]) => value),
    offsets,
    labels,
    notices,
    skipped: all.size - users.size,
  };
}
