/** A table to learn classes from: one row a user, columns of small integers, and the class of each user. */
import { ParameterError, requireInteger, type RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';

export interface CategoricalTable {
  readonly users: number;
  readonly classes: number;
  /** Class of each user, below `classes`. */
  readonly classOf: Uint8Array;
  /** Number of values of each attribute, 2 to 256. */
  readonly arities: readonly number[];
  /** One column per attribute: the value of each user, below the attribute's arity. */
  readonly columns: readonly Uint8Array[];
}

/** @throws ParameterError unless shapes agree and every value is in range */
export function checkCategoricalTable(table: CategoricalTable): void {
  const { users, classes, classOf, arities, columns } = table;
  requireInteger('users', users, 1);
  requireInteger('classes', classes, 2, 256);
  if (columns.length === 0 || columns.length !== arities.length) {
    throw new ParameterError('columns', columns.length, `${arities.length}, one per arity, and at least one`);
  }
  checkColumn('classOf', classOf, users, classes);
  columns.forEach((column, attribute) => {
    const arity = requireInteger(`arities[${attribute}]`, arities[attribute]!, 2, 256);
    checkColumn(`columns[${attribute}]`, column, users, arity);
  });
}

function checkColumn(name: string, column: Uint8Array, users: number, values: number): void {
  if (column.length !== users)
    throw new ParameterError(`${name}.length`, column.length, `${users}, one per user`);
  const wrong = column.findIndex((value) => value >= values);
  if (wrong >= 0) throw new ParameterError(`${name}[${wrong}]`, column[wrong], `below ${values}`);
}

/** The rows of these users, in the order given: a training or a test part. */
export function selectUsers(table: CategoricalTable, users: Uint32Array): CategoricalTable {
  const pick = (column: Uint8Array): Uint8Array => Uint8Array.from(users, (user) => column[user]!);
  return {
    ...table,
    users: users.length,
    classOf: pick(table.classOf),
    columns: table.columns.map(pick),
  };
}

/**
 * `trainUsers` users drawn without replacement to learn from, and the others to test on.
 * @throws ParameterError where no user is left to test on
 */
export function splitTable(
  table: CategoricalTable,
  trainUsers: number,
  stream: RandomStream,
): { readonly train: CategoricalTable; readonly test: CategoricalTable } {
  requireInteger('trainUsers', trainUsers, 1, table.users - 1);
  const all = Uint32Array.from({ length: table.users }, (_, user) => user);
  const { user } = shuffle({ columns: { user: all }, count: table.users }, stream).columns;
  return {
    train: selectUsers(table, user.subarray(0, trainUsers)),
    test: selectUsers(table, user.subarray(trainUsers)),
  };
}
