/** Users with given sets. */
import type { HeldSets } from '@shuffle-dp/core';

export function sets(
  domain: number,
  rows: readonly (readonly number[])[],
  levelOf?: readonly number[],
): HeldSets {
  const histogram = new Float64Array(domain);
  for (const item of rows.flat()) histogram[item] = histogram[item]! + 1;
  return {
    kind: 'sets',
    users: rows.length,
    domain,
    items: rows[0]!.length,
    rows: Uint16Array.from(rows.flat()),
    histogram,
    ...(levelOf ? { levelOf: Uint8Array.from(levelOf) } : {}),
  };
}
