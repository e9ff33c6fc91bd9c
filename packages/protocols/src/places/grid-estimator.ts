/**
 * How many users are in each cell of a grid, from where their noisy messages fall: the linear estimate
 * without bias.
 */
import { ParameterError } from '@shuffle-dp/core';

/** A pivot below this leaves too few digits of the estimates. */
const LEAST_PIVOT = 1e-12;

export interface GridEstimator {
  /** From the numbers of messages in each cell to those of users. */
  estimate(counts: Float64Array): Float64Array;
  /** Sum over the cells of the variances that one user of a cell adds to the estimated numbers. */
  readonly spread: Float64Array;
}

/**
 * @param masses row by row of senders' cells, where their messages fall
 * @throws ParameterError where noise is so wide that cells cannot be told apart
 */
export function gridEstimator(masses: Float64Array, cells: number): GridEstimator {
  const inverse = inverted(masses, cells);
  const squares = new Float64Array(cells);
  for (let c = 0; c < cells; c++) for (let v = 0; v < cells; v++) squares[c]! += inverse[c * cells + v]! ** 2;
  const spread = new Float64Array(cells);
  for (let s = 0; s < cells; s++) {
    let second = 0;
    for (let c = 0; c < cells; c++) second += masses[s * cells + c]! * squares[c]!;
    spread[s] = Math.max(0, second - 1);
  }
  return {
    spread,
    estimate(counts) {
      const users = new Float64Array(cells);
      for (let c = 0; c < cells; c++)
        for (let v = 0; v < cells; v++) users[v]! += counts[c]! * inverse[c * cells + v]!;
      return users;
    },
  };
}

/** By Gauss and Jordan, with the largest pivot of each column. */
function inverted(matrix: Float64Array, size: number): Float64Array {
  const width = 2 * size;
  const rows = Array.from({ length: size }, (_, i) => {
    const row = new Float64Array(width);
    row.set(matrix.subarray(i * size, (i + 1) * size));
    row[size + i] = 1;
    return row;
  });
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let i = column + 1; i < size; i++)
      if (Math.abs(rows[i]![column]!) > Math.abs(rows[best]![column]!)) best = i;
    const pivotRow = rows[best]!;
    rows[best] = rows[column]!;
    rows[column] = pivotRow;
    const pivot = pivotRow[column]!;
    if (!(Math.abs(pivot) > LEAST_PIVOT))
      throw new ParameterError(
        'grid',
        Math.sqrt(size),
        'coarser: such wide noise does not tell these cells apart',
      );
    for (let k = column; k < width; k++) pivotRow[k] = pivotRow[k]! / pivot;
    for (const row of rows) {
      const factor = row[column]!;
      if (row === pivotRow || factor === 0) continue;
      for (let k = column; k < width; k++) row[k]! -= factor * pivotRow[k]!;
    }
  }
  const inverse = new Float64Array(size * size);
  rows.forEach((row, i) => inverse.set(row.subarray(size), i * size));
  return inverse;
}
