/** Data sets as protocols see them. */

/** One category per user. */
export interface CategoricalData {
  readonly kind: 'categories';
  readonly users: number;
  readonly domain: number;
  /** Users holding each category; sums to `users`. */
  readonly histogram: Float64Array;
  /** The users' categories in user order; absent when only the histogram exists (very many users). */
  readonly values?: Uint32Array;
  /** The distribution the data were drawn from, where there is one. */
  readonly population?: Float64Array;
}

/** Exactly `items` distinct items per user. */
export interface SetValuedData {
  readonly kind: 'sets';
  readonly users: number;
  readonly domain: number;
  readonly items: number;
  /** Row-major: the items of user u stand at u * items, increasing. */
  readonly rows: Uint16Array;
  /** Users holding each item; sums to users * items. */
  readonly histogram: Float64Array;
  /** Index of each user's privacy level; absent where all users have one level. */
  readonly levelOf?: Uint8Array;
  /** The probability that a user drawn from the source holds each item, where it is known. */
  readonly population?: Float64Array;
}
