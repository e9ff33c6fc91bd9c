/** Step 1 of the segmented framework: two ways for the server to learn how many users chose each privacy level. */
import type { CategoricalData } from '@shuffle-dp/core';
import { singleMessageFrequency } from '../frequencies/single-message-frequency.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import type { LevelAggregation } from './framework.ts';

/** Every user sends their level as it is: the shuffler makes it anonymous, no more. The counts are exact. */
export function shuffledLevels(levels: readonly number[]): LevelAggregation {
  const bits = Math.log2(levels.length);
  return Object.freeze({
    name: 'shuffled',
    cost: Object.freeze({ messagesPerUser: 1, bitsPerUser: bits }),
    privacy: () => [],
    collect: (levelOf, counts, stream, path, trace) => {
      if (path === 'aggregated') return counts;
      const batch = { columns: { level: levelOf.slice() }, count: levelOf.length };
      const shuffled = shuffleWithTrace(
        'privacy levels',
        batch,
        stream,
        ({ level }, i) => `level ${levels[level[i]!]}`,
        trace,
      );
      const observed = new Float64Array(levels.length);
      const { level } = shuffled.columns;
      for (let i = 0; i < shuffled.count; i++) observed[level[i]!]!++;
      return observed;
    },
  } satisfies LevelAggregation);
}

/**
 * The levels go through generalized randomized response before they are shuffled, with the largest local budget that
 * gives a certified (epsilon, delta) to every user's choice. The counts are unbiased, and may be negative.
 */
export function privateLevels(
  levels: readonly number[],
  users: number,
  epsilon: number,
  delta: number,
): LevelAggregation {
  const protocol = singleMessageFrequency(
    { kind: 'frequency', randomizer: 'grr' },
    { users, domain: levels.length, epsilon, delta },
    'privacy levels',
  );
  return Object.freeze({
    name: 'private',
    cost: protocol.cost(),
    privacy: () =>
      protocol.privacy().map((statement) => ({
        ...statement,
        unit: "one user's choice of privacy level",
        view: 'the shuffled privacy levels of all users',
        group: 'privacy levels',
      })),
    collect: (levelOf, counts, stream, path, trace) => {
      const data: CategoricalData = {
        kind: 'categories',
        users,
        domain: levels.length,
        histogram: counts,
        values: Uint32Array.from(levelOf),
      };
      return protocol.run(data, stream, path, trace).map((share) => share * users);
    },
  } satisfies LevelAggregation);
}
