/**
 * Step 1 of the segmented framework: two ways for the server to learn how many users chose each privacy
 * level.
 */
import type { CategoricalData, SetValuedData, ShuffledMessages } from '@shuffle-dp/core';
import { singleMessageFrequency } from '../frequencies/single-message-frequency.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';
import type { LevelAggregation } from './framework.ts';
import { levelHistograms } from './level-histograms.ts';

type LevelColumns = { readonly level: Uint8Array };

/** Every user sends their level as it is: the shuffler makes it anonymous, no more. The counts are exact. */
export function shuffledLevels(levels: readonly number[]): LevelAggregation {
  const bits = Math.log2(levels.length);
  return Object.freeze({
    name: 'shuffled',
    cost: Object.freeze({ messagesPerUser: 1, bitsPerUser: bits }),
    privacy: () => [],
    collect: (levelOf, counts, stream, path, trace) => {
      if (path === 'aggregated') return counts;
      const level = sentLevels(levelOf, counts);
      const batch = { columns: { level }, count: level.length };
      const shuffled = shuffleWithTrace('privacy levels', batch, stream, trace, {
        format: ({ level }, i) => `level ${levels[level[i]!]}`,
      });
      return countLevels(shuffled, levels.length);
    },
    round: (counts) =>
      counts ?? {
        stage: 'privacy levels',
        send: (block) => {
          const level = levelsOf(block);
          return { columns: { level }, count: level.length };
        },
        // The column is the one that was sent.
        count: (part) => countLevels(part as ShuffledMessages<LevelColumns>, levels.length),
      },
  } satisfies LevelAggregation);
}

/**
 * The levels go through generalized randomized response before they are shuffled, with the largest local
 * budget that gives a certified (epsilon, delta) to every user's choice. The counts are unbiased, and may be
 * negative.
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
        ...(path === 'messages' ? { values: Uint32Array.from(sentLevels(levelOf, counts)) } : {}),
      };
      return protocol.run(data, stream, path, trace).map((share) => share * users);
    },
    round: (counts) => {
      const round = protocol.messageRounds!(counts ? [counts] : []);
      if (round instanceof Float64Array) return round.map((share) => share * users);
      const ofLevels = (block: SetValuedData): CategoricalData => ({
        kind: 'categories',
        users: block.users,
        domain: levels.length,
        histogram: levelHistograms(block, levels.length).users,
        values: Uint32Array.from(levelsOf(block)),
      });
      return { ...round, send: (block, stream) => round.send(ofLevels(block), stream) };
    },
  } satisfies LevelAggregation);
}

/** The levels as messages, in the order of the users: a copy, which the shuffler may permute. */
function sentLevels(levelOf: Uint8Array | undefined, counts: Float64Array): Uint8Array {
  return levelOf ? levelOf.slice() : new Uint8Array(counts.reduce((sum, users) => sum + users, 0));
}

/** The same of a block of users. */
function levelsOf({ users, levelOf }: SetValuedData): Uint8Array {
  return sentLevels(levelOf, Float64Array.of(users));
}

function countLevels(
  { columns: { level }, count }: ShuffledMessages<LevelColumns>,
  levels: number,
): Float64Array {
  const observed = new Float64Array(levels);
  for (let i = 0; i < count; i++) observed[level[i]!]!++;
  return observed;
}
