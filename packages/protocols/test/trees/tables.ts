/** Small tables for the tests of trees. */
import { RandomStream } from '@shuffle-dp/core';
import type { CategoricalTable } from '../../src/trees/categorical-table.ts';

/** Random values; the class follows from the first two attributes, but for one user in ten. */
export function randomTable(
  users: number,
  classes: number,
  arities: readonly number[],
  seed: string,
): CategoricalTable {
  const stream = RandomStream.fromSeed(seed);
  const columns = arities.map((arity) =>
    Uint8Array.from({ length: users }, () => stream.integerBelow(arity)),
  );
  const classOf = Uint8Array.from({ length: users }, (_, user) =>
    stream.next() < 0.1
      ? stream.integerBelow(classes)
      : (columns[0]![user]! + 2 * columns[1]![user]!) % classes,
  );
  return { users, classes, classOf, arities, columns };
}
