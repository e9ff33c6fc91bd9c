/** What the messages of one framework of a learning run give away, and what its paper says of it. */
import type { Interval, Soundness } from '@shuffle-dp/core';

export interface FrameworkPrivacy {
  /**
   * Smallest and largest local budget per dimension and round, of vector-rr of all dimensions; null without
   * privacy.
   */
  readonly local: Interval | null;
  /**
   * Central epsilon of one dimension (of vector-rr: of all dimensions) in one round at privacy.delta, of the
   * worst user of the worst round; null where nothing is proved.
   */
  readonly dimension: Interval | null;
  /**
   * Central upper end over all dimensions and rounds at privacy.userDelta, of the users who are worst off in
   * one dimension; null where nothing is proved.
   */
  readonly user: number | null;
  /** The paper's own claim for one dimension and round; null where it makes none. */
  readonly published: number | null;
  readonly publishedSound: Soundness | null;
  /**
   * The paper's Proposition 1 over the dimensions of one round that tell; its factor is not proved. Of
   * vector-rr over all rounds. Null too where the deltas of the dimensions leave no delta below 1.
   */
  readonly publishedUser: number | null;
  /** The delta that it is for: privacy.userDelta, or more where the dimensions' own deltas use that up. */
  readonly publishedUserDelta: number | null;
  readonly note: string;
}

/** @param note why nothing is */
export function nothingProved(note: string): FrameworkPrivacy {
  return {
    local: null,
    dimension: null,
    user: null,
    published: null,
    publishedSound: null,
    publishedUser: null,
    publishedUserDelta: null,
    note,
  };
}
