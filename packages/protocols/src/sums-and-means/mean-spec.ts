/** What a config says of a mean by one message per user, and what becomes of it. */
import type { SingleMessageAccounting } from '@shuffle-dp/accounting';
import type { ClipLaplaceCorrection } from '@shuffle-dp/randomizers';
import type { SingleMessageChoice } from '../local-budget.ts';

export interface SingleMessageMeanSpec extends SingleMessageChoice {
  readonly kind: 'mean';
  /** A name of NUMBER_RANDOMIZERS whose one parameter is its budget or its noise. */
  readonly randomizer: string;
  /** Of the Gaussian mechanism, in widths of the range: in place of a local budget. */
  readonly sigma?: number;
  /**
   * Of Clip-Laplace: 'user' (default), each user moves the own number outwards first, and the mean is
   * unbiased; 'average', the analyzer puts the average right, which is biased where users differ.
   */
  readonly correction?: ClipLaplaceCorrection;
  /** Of Gaussian noise of users with budgets of their own: the local failure probability, in (0, 1). */
  readonly localDelta?: number;
}

export type SingleMessageMeanParameters = {
  readonly randomizer: string;
  /** In nats; absent for noise whose one message is not purely private. */
  readonly epsilon0?: number;
  /** Standard deviation of such noise, in widths of the range. */
  readonly sigma?: number;
  readonly correction?: string;
  readonly accounting: SingleMessageAccounting;
  readonly low: number;
  readonly high: number;
};
