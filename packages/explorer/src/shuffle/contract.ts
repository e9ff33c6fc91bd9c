/** What the engine of the page Watch a shuffle is asked and answers. */
import type { Interval } from '@shuffle-dp/core';

/** Fewer users show nothing, more take long. */
export const FEWEST_USERS = 30;
export const MOST_USERS = 1_000_000;

export interface ShuffleSetting {
  /** From the fewest to the most. */
  readonly users: number;
  readonly domain: number;
  readonly epsilon0: number;
  /** Share of the users who tell the analyzer their messages. */
  readonly colluding: number;
  readonly seed: string;
}

/** A few users whose messages are followed one by one. */
export interface WatchedBatch {
  readonly values: readonly number[];
  /** What each user sends. */
  readonly messages: readonly number[];
  /** The place of each user's message after the shuffle. */
  readonly places: readonly number[];
  /** Which of them collude. */
  readonly colludes: readonly boolean[];
}

/** Estimates of all categories from the messages of the first so many users. */
export interface EstimateStep {
  readonly users: number;
  readonly estimates: readonly number[];
  readonly truth: readonly number[];
  /** Standard deviation of each estimate. */
  readonly deviations: readonly number[];
}

export interface WatchedShuffle {
  readonly batch: WatchedBatch;
  readonly steps: readonly EstimateStep[];
  readonly delta: number;
  readonly honest: number;
  /** Certified epsilon with all users honest, and among the honest ones alone. */
  readonly epsilon: Interval;
  readonly epsilonHonest: Interval;
}

export type ShuffleContract = {
  readonly watch: { readonly given: ShuffleSetting; readonly answer: WatchedShuffle };
};
