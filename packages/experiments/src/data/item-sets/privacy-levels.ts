/** Which user has chosen which privacy level: exact shares, in random order. */
import type { RandomStream } from '@shuffle-dp/core';
import { levelCounts } from '@shuffle-dp/protocols';

/** The level of every user: as many of each as the shares say, assigned uniformly at random. */
export function assignLevels(users: number, shares: readonly number[], stream: RandomStream): Uint8Array {
  const levels = new Uint8Array(users);
  let end = 0;
  levelCounts(users, shares).forEach((count, level) => {
    levels.fill(level, end, end + count);
    end += count;
  });
  for (let last = users - 1; last > 0; last--) {
    const other = stream.integerBelow(last + 1);
    const level = levels[last]!;
    levels[last] = levels[other]!;
    levels[other] = level;
  }
  return levels;
}
