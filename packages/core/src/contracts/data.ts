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
  /** Row-major: the items of user u stand at u * items, increasing; absent where users are only counted. */
  readonly rows?: Uint16Array;
  /** Users holding each item; sums to users * items. */
  readonly histogram: Float64Array;
  /** Index of each user's privacy level; absent where all users have one level, or are only counted. */
  readonly levelOf?: Uint8Array;
  /** The users counted by what they hold, where they were drawn so. */
  readonly counts?: SetCounts;
  /** The probability that a user drawn from the source holds each item, where it is known. */
  readonly population?: Float64Array;
}

/** The same with every user's set: what the message path needs. */
export interface HeldSets extends SetValuedData {
  readonly rows: Uint16Array;
}

/** Users without their order: how many there are at each level, and how many hold what. */
export interface SetCounts {
  /** Users at each privacy level; sums to all users. */
  readonly usersOfLevel: Float64Array;
  /** Per level, the users holding each item. */
  readonly holdersOfLevel: readonly Float64Array[];
  /** Users of whole sets; absent where only their items are counted. */
  readonly sets?: CountedSets;
}

/** Sets with the users who hold them, at any level. */
export interface CountedSets {
  /** The sets row-major, each increasing. */
  readonly rows: Uint16Array;
  /** Users who hold each of them; sums to all users. */
  readonly holders: Float64Array;
}
