/** The engine of the page Plan: the same functions as behind the command. */
import { planConfig, planStages } from '@shuffle-dp/experiments/plan';
import { serve } from '../engine/serve.ts';
import type { PlanContract } from '../plan/contract.ts';

serve<PlanContract>({
  *plan(setting) {
    for (const { rows, excluded, left } of planStages(setting)) {
      // Protocols that are left out say nothing yet: until one is found the page shows what it had.
      if (rows.length === 0 && left > 0) continue;
      const config = rows.length === 0 ? null : planConfig({ setting, rows, excluded }, 'plan');
      yield { rows, excluded, left, config };
      // What would follow is a refusal, whose reasons are those of the excluded.
      if (left === 0) return;
    }
  },
});
