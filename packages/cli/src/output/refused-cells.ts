/** Cells of a run that cannot be made at equal certified privacy, a line each. */
import type { RefusedCell } from '@shuffle-dp/experiments/results';
import { counted } from '@shuffle-dp/experiments/words';

export function refusedLines(refused: readonly RefusedCell[] = []): string[] {
  return refused.map(
    ({ protocol, users, sweep, why }) =>
      `- ${protocol} at ${counted(users, 'user')} (${settingText(sweep)}) cannot be made: ${why}`,
  );
}

/** 'epsilon0 2, randomizer grr' */
export function settingText(sweep: RefusedCell['sweep']): string {
  return Object.entries(sweep)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
