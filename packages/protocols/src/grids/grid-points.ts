/** Users' vectors on a grid: each coordinate in one of a few equal bins, so that histograms can count it. */
import { ParameterError, requireInteger } from '@shuffle-dp/core';

export interface GridPoints {
  readonly users: number;
  /** Bins of each coordinate, 2 to 256. */
  readonly bins: number;
  /** One column per coordinate: the bin of each user. */
  readonly columns: readonly Uint8Array[];
}

/**
 * Vectors as points of a grid of equal bins in each dimension.
 *
 * @param values rows of `dimensions` numbers; those outside the range go to the bins at its ends
 * @throws ParameterError
 */
export function gridPoints(
  values: ArrayLike<number>,
  dimensions: number,
  { low, high }: { readonly low: number; readonly high: number },
  bins: number,
): GridPoints {
  requireInteger('dimensions', dimensions, 1);
  requireInteger('bins', bins, 2, 256);
  const users = values.length / dimensions;
  if (!Number.isInteger(users) || users < 1)
    throw new ParameterError('the number of values', values.length, `a multiple of ${dimensions}`);
  if (!(low < high)) throw new ParameterError('high', high, `above low, ${low}`);
  const columns = Array.from({ length: dimensions }, (_, j) =>
    Uint8Array.from({ length: users }, (__, user) => {
      const bin = Math.floor((bins * (values[user * dimensions + j]! - low)) / (high - low));
      return Math.min(bins - 1, Math.max(0, bin));
    }),
  );
  return { users, bins, columns };
}

/** The middle of a bin, where the range is from 0 to 1. */
export function binMiddle(bin: number, bins: number): number {
  return (bin + 0.5) / bins;
}

/** These users, in the order given. */
export function selectPoints({ bins, columns }: GridPoints, users: Uint32Array): GridPoints {
  return {
    users: users.length,
    bins,
    columns: columns.map((column) => Uint8Array.from(users, (user) => column[user]!)),
  };
}
