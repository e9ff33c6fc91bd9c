/** What the engine of personal budgets is asked and answers. */
import type { PersonalizedAccount } from '@shuffle-dp/experiments/personalized';

export type BudgetMechanism = PersonalizedAccount['mechanism'];

export interface BudgetsSetting {
  /** A distribution, or numbers with commas between them. */
  readonly budgets: string;
  /** How many are drawn; a list has its own number. */
  readonly users: number;
  readonly mechanism: BudgetMechanism;
  readonly delta: number;
  readonly localDelta: number;
  readonly domain: number;
  readonly levels: number;
}

export type BudgetsContract = {
  readonly personalized: {
    readonly given: BudgetsSetting;
    readonly answer: {
      readonly account: PersonalizedAccount;
      /** Users per step of budgets from the smallest to the largest. */
      readonly histogram: readonly number[];
    };
  };
};
