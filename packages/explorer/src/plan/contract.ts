/** What the engine of plans is asked and answers. */
import type { Plan, PlanSetting } from '@shuffle-dp/experiments/plan';

export type PlanContract = {
  readonly plan: {
    readonly given: PlanSetting;
    /** Grows protocol by protocol. */
    readonly answer: Pick<Plan, 'rows' | 'excluded'> & {
      /** How many protocols have not been looked at. */
      readonly left: number;
      /** A config that verifies the choice by trials; null while no protocol is left. */
      readonly config: Readonly<Record<string, unknown>> | null;
    };
  };
};
