/** Cells of a run that cannot be made, or are not ranked, at equal certified privacy. */
import { picked } from '@shuffle-dp/core';
import type { NamedCell, RefusedCell } from '@shuffle-dp/experiments/results';
import { counted } from '@shuffle-dp/experiments/words';

export function refusedLines(refused: readonly RefusedCell[] = []): string[] {
  return refused.map(
    ({ protocol, users, sweep, why }) =>
      `- ${protocol} at ${counted(users, 'user')} (${settingText(sweep)}) cannot be made: ${why}`,
  );
}

/** As JSON lists it. */
export function excludedJson(cell: NamedCell, why: string): object {
  const { sweep: parameters, users } = cell;
  return { ...picked(cell, 'cell', 'protocol', 'kind'), parameters, users, why };
}

/** 'epsilon0 2, randomizer grr' */
export function settingText(sweep: RefusedCell['sweep']): string {
  return Object.entries(sweep)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
