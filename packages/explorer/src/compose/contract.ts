/** What the engine of compositions is asked and answers. */
import type { Target } from '@shuffle-dp/core';
import type { ComposedAccount, ScheduledRounds } from '@shuffle-dp/experiments/account';

export type ComposeContract = {
  /** What the composition theorems prove, then the bracket. */
  readonly compose: {
    readonly given: { readonly schedule: readonly ScheduledRounds[]; readonly target: Target };
    readonly answer: ComposedAccount;
  };
  /**
   * The account of the first so many of all rounds: in order by their blankets, and once more, by the sharp
   * bound.
   */
  readonly curve: {
    readonly given: {
      readonly schedule: readonly ScheduledRounds[];
      readonly target: Target;
      readonly counts: readonly number[];
    };
    readonly answer: { readonly rounds: number; readonly account: ComposedAccount };
  };
};
