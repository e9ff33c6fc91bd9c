/**
 * Messages as columns of typed arrays: message i is (columns.a[i], columns.b[i], …). The type tells whether
 * the batch still stands in the order of the users: analyzers accept only `ShuffledMessages`, which the
 * shuffler makes, and the opening of sealed messages.
 */
export type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

export type MessageColumns = Readonly<Record<string, Column>>;

declare const shuffled: unique symbol;

/** Messages as the users sent them, in user order. Columns may be longer than `count`. */
export interface UserMessages<Columns extends MessageColumns = MessageColumns> {
  readonly columns: Columns;
  /** Number of messages in use, from the start of every column. */
  count: number;
}

/** Messages in uniformly random order: all that the analyzer ever sees. */
export interface ShuffledMessages<Columns extends MessageColumns = MessageColumns> {
  readonly columns: Columns;
  readonly count: number;
  readonly [shuffled]: true;
}

/**
 * One value of every user in every dimension, dimension-major: user i's value of dimension k stands at
 * k * users + i.
 */
export interface UserGradients {
  readonly values: Float32Array | Float64Array;
  readonly users: number;
  readonly dimensions: number;
}

/** The same, each dimension in a random order of its own. */
export interface ShuffledGradients extends UserGradients {
  readonly [shuffled]: true;
}
