/**
 * The rounds that a tree or a forest asks of its users, as an accountant composes them (S. Wang et al.,
 * "Numerical Composition for the Shuffle Model", 2025, section 8.2). At level h of a tree every user answers
 * d - h queries, one for each attribute that their node has not used; a query counts the cells (node, value,
 * class) in a round of its own, in which replacing one user moves one message. Against n(m - 1) uniform
 * blanket messages over q cells that is the pair with p = infinity, beta = 1 and this q; the others' own
 * messages are dropped, which costs nothing but tightness.
 *
 * The paper's cells are nodes times values, without the class (`classes` = 1), from which no tree could be
 * learnt. Its text prints H(2d - H)/2 queries beside a sum over h from 0 to H; levels 0 to H - 1, as its
 * experiments have them, make H(2d - H + 1)/2.
 */
import { ParameterError, requireInteger, type VariationRatio } from '@shuffle-dp/core';

export interface TreeSetting {
  readonly users: number;
  /** Number of values of each attribute that the tree may use. */
  readonly arities: readonly number[];
  /** Classes that are counted apart, at least 1. */
  readonly classes: number;
  /** Levels of splits H, from 1 to the number of attributes. */
  readonly height: number;
  /** m: the user's own message and m - 1 blanket messages in every round; an integer of at least 2. */
  readonly messagesPerUser: number;
}

/** `count` rounds alike: what `composedEpsilon` of the accounting package takes. */
export interface ShuffledRounds {
  /** The variation-ratio pair of one round. */
  readonly pair: VariationRatio;
  /** Messages that the pair is about: one of the victim and all blanket messages. */
  readonly users: number;
  readonly count: number;
}

/**
 * Cells of a query at `level`: values along a path of distinct attributes, times classes. The largest arities
 * bound every tree. A tree that stops early somewhere leaves at least `classes` of them unused.
 */
export function cellsAtLevel(arities: readonly number[], classes: number, level: number): number {
  const largest = [...arities].sort((a, b) => b - a).slice(0, level + 1);
  return largest.reduce((product, arity) => product * arity, classes);
}

/**
 * The rounds of one tree, level by level. They are known before any data are seen, and bound the tree that
 * stops early.
 * @throws ParameterError
 */
export function treeRounds({
  users,
  arities,
  classes,
  height,
  messagesPerUser,
}: TreeSetting): readonly ShuffledRounds[] {
  requireInteger('classes', classes, 1);
  arities.forEach((arity, attribute) => requireInteger(`arities[${attribute}]`, arity, 2));
  if (arities.length === 0) throw new ParameterError('arities', '[]', 'a list of at least one arity');
  requireInteger('height', height, 1, arities.length);
  return Array.from({ length: height }, (_, level) =>
    histogramRounds(users, messagesPerUser, cellsAtLevel(arities, classes, level), arities.length - level),
  );
}

/**
 * `count` histograms of so many cells, each of which has a message and m - 1 blanket messages of every user.
 * @throws ParameterError
 */
export function histogramRounds(
  users: number,
  messagesPerUser: number,
  cells: number,
  count: number,
): ShuffledRounds {
  requireInteger('users', users, 1);
  requireInteger('messagesPerUser', messagesPerUser, 2);
  return {
    pair: { p: Infinity, beta: 1, q: requireInteger('cells', cells, 2) },
    users: users * (messagesPerUser - 1) + 1,
    count,
  };
}

/** Rounds alike counted together, in the order of their first appearance. */
export function mergeRounds(rounds: readonly ShuffledRounds[]): readonly ShuffledRounds[] {
  const merged = new Map<string, ShuffledRounds>();
  for (const { pair, users, count } of rounds) {
    const key = [pair.p, pair.beta, pair.q, users].join();
    merged.set(key, { pair, users, count: count + (merged.get(key)?.count ?? 0) });
  }
  return [...merged.values()];
}
