/**
 * Users per privacy level, and holders of each item per level: all that the aggregated path needs of
 * set-valued data.
 */
import { ParameterError, type HeldSets, type SetCounts, type SetValuedData } from '@shuffle-dp/core';

export interface LevelHistograms {
  /** Users at each level. */
  readonly users: Float64Array;
  /** Per level, the users holding each item. */
  readonly items: readonly Float64Array[];
}

/** Data sets are never changed, so that several protocols on one data set count it once. */
const counted = new WeakMap<SetValuedData, LevelHistograms>();

/** Whether the data say how many users of each level hold what. */
export function knowsLevels(data: SetValuedData, levels: number): boolean {
  return levels === 1 || data.levelOf !== undefined || data.counts !== undefined;
}

/**
 * The data with every user's set, as messages are made from. @throws ParameterError where users are only
 * counted
 */
export function heldSets(data: SetValuedData): HeldSets {
  const { rows } = data;
  if (rows === undefined)
    throw new ParameterError('path', 'messages', "'aggregated' for data that are only counts");
  return { ...data, rows };
}

/**
 * Users of each privacy level, and holders of each item among them.
 *
 * @param levels number of levels; with one level, data without levels will do
 * @throws ParameterError where the data have no levels, or more than `levels`
 */
export function levelHistograms(data: SetValuedData, levels: number): LevelHistograms {
  if (levels === 1) return { users: Float64Array.of(data.users), items: [data.histogram] };
  if (data.counts) return ofCounts(data.counts, levels);
  const known = counted.get(data);
  if (known !== undefined && known.users.length === levels) return known;
  const result = count(data, levels);
  counted.set(data, result);
  return result;
}

function ofCounts({ usersOfLevel, holdersOfLevel }: SetCounts, levels: number): LevelHistograms {
  if (usersOfLevel.length !== levels)
    throw new ParameterError(
      'data.counts.usersOfLevel',
      `${usersOfLevel.length} entries`,
      `${levels}, one per level`,
    );
  return { users: usersOfLevel, items: holdersOfLevel };
}

function count(data: SetValuedData, levels: number): LevelHistograms {
  const { users, domain, items, levelOf } = data;
  const { rows } = heldSets(data);
  if (levelOf === undefined) throw new ParameterError('levelOf', 'nothing', 'the level of every user');

  const perLevel = new Float64Array(levels);
  const table = new Float64Array(levels * domain);
  for (let u = 0, i = 0; u < users; u++) {
    const level = levelOf[u]!;
    if (level >= levels) throw new ParameterError(`levelOf[${u}]`, level, `below ${levels}`);
    perLevel[level]!++;
    const row = level * domain;
    for (let j = 0; j < items; j++, i++) table[row + rows[i]!]!++;
  }
  return {
    users: perLevel,
    items: Array.from({ length: levels }, (_, k) => table.subarray(k * domain, (k + 1) * domain)),
  };
}
