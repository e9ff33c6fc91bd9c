/** Vectors of bounded numbers, one per user. */
import { onceEachObject, ParameterError } from '@shuffle-dp/core';
import type { VectorSetting } from '../setting.ts';

export interface VectorData {
  readonly kind: 'vectors';
  readonly users: number;
  readonly dimensions: number;
  /** User-major: coordinate j of user u stands at u * dimensions + j. */
  readonly values: Float32Array | Float64Array;
  /** Of the population that the users were drawn from: its mean, by coordinate. */
  readonly population?: Float64Array;
}

/** Equal vectors counted together: all that the aggregated path needs. */
export interface VectorCounts {
  /** Row-major, one row for each distinct vector. */
  readonly rows: Float64Array;
  /** Users with each vector. */
  readonly counts: readonly number[];
}

/** @throws ParameterError unless the data have this shape and every value is in [low, high] */
export function checkVectors(
  data: VectorData,
  {
    users,
    dimensions,
    range: { low, high },
  }: Required<Pick<VectorSetting, 'users' | 'dimensions' | 'range'>>,
): void {
  const { values } = data;
  if (data.users !== users) throw new ParameterError('data.users', data.users, `${users}`);
  if (data.dimensions !== dimensions) {
    throw new ParameterError('data.dimensions', data.dimensions, `${dimensions}`);
  }
  if (values.length !== users * dimensions) {
    throw new ParameterError('values.length', values.length, `users x dimensions = ${users * dimensions}`);
  }
  const wrong = values.findIndex((value) => !(value >= low && value <= high));
  if (wrong >= 0) throw new ParameterError(`values[${wrong}]`, values[wrong], `in [${low}, ${high}]`);
}

/** Average of the users' vectors: what the mean is estimated of. */
export function averageVector({ users, dimensions, values }: VectorData): Float64Array {
  const sums = new Float64Array(dimensions);
  for (let i = 0; i < values.length; i++) sums[i % dimensions]! += values[i]!;
  return sums.map((sum) => sum / users);
}

/** Users by their whole vectors, counted once per data set. */
export const countVectors = onceEachObject(({ users, dimensions, values }: VectorData): VectorCounts => {
  const countOf = new Map<string, { readonly user: number; count: number }>();
  for (let user = 0; user < users; user++) {
    const key = values.subarray(user * dimensions, (user + 1) * dimensions).join();
    const group = countOf.get(key);
    if (group) group.count++;
    else countOf.set(key, { user, count: 1 });
  }
  const groups = [...countOf.values()];
  const rows = new Float64Array(groups.length * dimensions);
  groups.forEach(({ user }, row) =>
    rows.set(values.subarray(user * dimensions, (user + 1) * dimensions), row * dimensions),
  );
  return { rows, counts: groups.map(({ count }) => count) };
});
