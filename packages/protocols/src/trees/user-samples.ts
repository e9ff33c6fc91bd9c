/**
 * The users that each tree of a forest learns from. A bootstrap sample draws as many users as there are, with
 * replacement (L. Breiman, "Bagging Predictors", Machine Learning 24, 1996); half of them without replacement
 * vary like it (A. Owen and D. Eckles, "Bootstrapping data arrays of arbitrary order", Annals of Applied
 * Statistics 6, 2012: double or nothing). Draws are public and do not depend on the data.
 */
import type { RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import type { ShuffledRounds } from './tree-rounds.ts';

/**
 * all: every tree from all users. half: from half of them. bootstrap: from as many draws as users, with
 * replacement.
 */
export const USER_SAMPLES = ['all', 'half', 'bootstrap'] as const;

export type UserSample = (typeof USER_SAMPLES)[number];

/** Answers that one histogram of a tree has, by how the users of a tree are drawn. */
export function sampleSize(users: number, sample: UserSample): number {
  return sample === 'half' ? Math.max(1, Math.floor(users / 2)) : users;
}

/** The users of a tree; who is drawn twice stands there twice. */
export function drawUsers(users: number, sample: UserSample, stream: RandomStream): Uint32Array {
  const all = Uint32Array.from({ length: users }, (_, user) => user);
  if (sample === 'all') return all;
  if (sample === 'bootstrap') return all.map(() => stream.integerBelow(users));
  const { user } = shuffle({ columns: { user: all }, count: users }, stream).columns;
  return user.subarray(0, sampleSize(users, sample));
}

/**
 * How often one user answers, by tree, the most first: at each place the most that any user has there, so
 * that no user answers more often than this says, whichever the trees are. @param draws of each tree
 */
export function mostAnswers(users: number, draws: readonly Uint32Array[]): number[] {
  const times = draws.map((drawn) => {
    const count = new Uint16Array(users);
    for (const user of drawn) count[user]!++;
    return count;
  });
  const most = draws.map(() => 0);
  for (let user = 0; user < users; user++) {
    const own = times.map((count) => count[user]!).sort((a, b) => b - a);
    own.forEach((count, place) => {
      if (count > most[place]!) most[place] = count;
    });
  }
  return most;
}

/**
 * The rounds of a user who answers each of them `times` times. Their messages are moved together, among the
 * same blanket. Cutting the blanket into as many equal parts, with a message in each, tells no less: what is
 * seen is these parts shuffled together. Each part is a round.
 */
export function answeredTimes(rounds: readonly ShuffledRounds[], times: number): readonly ShuffledRounds[] {
  return times === 0
    ? []
    : rounds.map(({ pair, users, count }) => ({
        pair,
        users: Math.floor((users - 1) / times) + 1,
        count: count * times,
      }));
}
