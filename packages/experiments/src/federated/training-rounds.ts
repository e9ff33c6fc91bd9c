/**
 * Which budgets meet in the rounds of a learning run: what is certified of a run is certified of each of
 * them.
 */
import { RandomStream } from '@shuffle-dp/core';
import { budgetLevels, roundUsers, type BudgetLevel } from '@shuffle-dp/protocols';
import type { LearningConfig } from './learning-schema.ts';
import { trainingBudgets } from './training-task.ts';

/** The users of one round of one training. */
export interface TrainingRound {
  readonly trial: number;
  /** Local budgets per dimension, in nats, as the users apply them. */
  readonly budgets: Float64Array;
}

/** Every round of every training, in order; budgets are drawn anew for each training. */
export function* trainingRounds(config: LearningConfig): Generator<TrainingRound> {
  for (let trial = 0; trial < config.trials; trial++) {
    const stream = RandomStream.fromSeed(config.seed).fork('trial').fork(trial);
    const all = trainingBudgets(config.budgets, config.users, config.budgetLevels, stream);
    for (let round = 0; round < config.rounds; round++) {
      const chosen = roundUsers(config, round, stream.fork('training'));
      yield { trial, budgets: Float64Array.from(chosen, (user) => all[user]!) };
    }
  }
}

/** One round, or what several have in common. */
export interface GatheredRound {
  readonly trial: number;
  /**
   * Levels that occur in any of the rounds, from the lowest, each with the least number of users that one of
   * them has.
   */
  readonly levels: readonly BudgetLevel[];
}

/**
 * Rounds gathered in groups of `size` of a training, equal ones once. Where several are gathered, only the
 * users that all of them have are counted on. What is certified then holds in each: the messages of further
 * users are independent of the victim's, and may be given to the adversary apart.
 */
export function gatheredRounds(
  rounds: Iterable<TrainingRound>,
  levelCount: number,
  size: number,
): GatheredRound[] {
  const groups = new Map<string, { trial: number; counts: Map<number, number> }>();
  let place = 0;
  let last = -1;
  for (const { trial, budgets } of rounds) {
    place = trial === last ? place + 1 : 0;
    last = trial;
    const counts = new Map(budgetLevels(budgets, levelCount).map(({ budget, users }) => [budget, users]));
    const key = `${trial}/${Math.floor(place / size)}`;
    const group = groups.get(key);
    groups.set(key, { trial, counts: group ? leastOf(group.counts, counts) : counts });
  }
  const distinct = new Map<string, GatheredRound>();
  for (const { trial, counts } of groups.values()) {
    const levels = [...counts].sort(([a], [b]) => a - b).map(([budget, users]) => ({ budget, users }));
    distinct.set(JSON.stringify([trial, levels]), { trial, levels });
  }
  return [...distinct.values()];
}

/** The smaller number at each level; 0 where one of both lacks it. */
function leastOf(one: Map<number, number>, other: Map<number, number>): Map<number, number> {
  const all = new Set([...one.keys(), ...other.keys()]);
  return new Map([...all].map((budget) => [budget, Math.min(one.get(budget) ?? 0, other.get(budget) ?? 0)]));
}
