/**
 * A categorical data set to learn classes from, drawn from a mixture: each class has some patterns, a pattern
 * is one value per attribute, and a user shows each value of one pattern of their class, or now and then a
 * uniform one. With several patterns a class no single attribute tells the classes apart, and trees must ask
 * in turn.
 */
import { requireInteger, requireProbability, type RandomStream } from '@shuffle-dp/core';
import type { CategoricalTable } from '@shuffle-dp/protocols';

export interface CategoricalMixture {
  /** Number of attributes, at least 1. */
  readonly attributes: number;
  /** Values of each attribute, 2 to 256. */
  readonly arity: number;
  /** Number of classes, 2 to 256, all alike likely. */
  readonly classes: number;
  /** Patterns of each class, all alike likely, at least 1. */
  readonly patterns: number;
  /** Probability that an attribute shows the pattern's value for sure; otherwise its value is uniform. */
  readonly clarity: number;
}

/**
 * Users of the mixture. The patterns depend on the stream's path alone, so that more users of one stream are
 * more of the same population. @throws ParameterError
 */
export function drawCategoricalMixture(
  { attributes, arity, classes, patterns, clarity }: CategoricalMixture,
  users: number,
  stream: RandomStream,
): CategoricalTable {
  requireInteger('attributes', attributes, 1);
  requireInteger('arity', arity, 2, 256);
  requireInteger('classes', classes, 2, 256);
  requireInteger('patterns', patterns, 1);
  requireProbability('clarity', clarity);
  requireInteger('users', users, 1);
  const source = stream.fork('patterns');
  const values = Uint8Array.from({ length: classes * patterns * attributes }, () =>
    source.integerBelow(arity),
  );

  const draws = stream.fork('users');
  const classOf = new Uint8Array(users);
  const columns = Array.from({ length: attributes }, () => new Uint8Array(users));
  for (let user = 0; user < users; user++) {
    const pattern = draws.integerBelow(classes * patterns);
    classOf[user] = pattern % classes;
    for (let k = 0; k < attributes; k++) {
      columns[k]![user] =
        draws.next() < clarity ? values[pattern * attributes + k]! : draws.integerBelow(arity);
    }
  }
  return { users, classes, classOf, arities: columns.map(() => arity), columns };
}
