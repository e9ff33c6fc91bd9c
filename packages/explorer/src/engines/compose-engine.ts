/** The engine of the page Compose: the same functions as behind the command. */
import { composeMechanisms, composeStages, type ScheduledRounds } from '@shuffle-dp/experiments/account';
import type { ComposeContract } from '../compose/contract.ts';
import { serve } from '../engine/serve.ts';

serve<ComposeContract>({
  *compose({ schedule, target }) {
    yield* composeStages(schedule, target);
  },
  *curve({ schedule, target, counts }) {
    for (const rounds of counts)
      yield { rounds, account: composeMechanisms(firstRounds(schedule, rounds), target) };
  },
});

function firstRounds(schedule: readonly ScheduledRounds[], count: number): ScheduledRounds[] {
  let left = count;
  return schedule.flatMap((entry) => {
    const rounds = Math.min(left, entry.rounds);
    left -= rounds;
    return rounds > 0 ? [{ ...entry, rounds }] : [];
  });
}
