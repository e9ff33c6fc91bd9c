/** Counts of blocks of users, added up entry by entry. */
export function sumOfRows(rows: readonly Float64Array[]): Float64Array {
  const sums = rows[0]!.slice();
  for (const row of rows.slice(1)) row.forEach((count, i) => (sums[i] = sums[i]! + count));
  return sums;
}
