/** The engine of the page Compose: the same functions as behind the command. */
import { composeMechanisms, composeStages, type ScheduledRounds } from '@shuffle-dp/experiments/account';
import type { ComposeContract } from '../compose/contract.ts';
import { serve } from '../engine/serve.ts';

serve<ComposeContract>({
  *compose({ schedule, target }) {
    yield* composeStages(schedule, target);
  },
  *curve({ schedule, target, counts }) {
    const unknown: number[] = [];
    for (const rounds of counts) {
      const account = composeMechanisms(firstRounds(schedule, rounds), target, {}, { blanketsOnly: true });
      yield { rounds, account };
      if (account.bracket.upper > SEEN * account.bracket.lower) unknown.push(rounds);
    }
    for (const rounds of unknown)
      yield { rounds, account: composeMechanisms(firstRounds(schedule, rounds), target) };
  },
});

/** A factor between both ends below which a chart shows one line. */
const SEEN = 1.005;

function firstRounds(schedule: readonly ScheduledRounds[], count: number): ScheduledRounds[] {
  let left = count;
  return schedule.flatMap((entry) => {
    const rounds = Math.min(left, entry.rounds);
    left -= rounds;
    return rounds > 0 ? [{ ...entry, rounds }] : [];
  });
}
