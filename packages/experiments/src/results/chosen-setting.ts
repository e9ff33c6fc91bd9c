/**
 * Which setting of a sweep stands for its protocol. The least of several measured errors is too low by
 * chance, and its interval misses; so the choice never looks at the trials that are reported, but at the
 * closed form, or where some setting has none at trials of its own: an expected error is not compared with a
 * measured one.
 */
import type { CellResult } from './run-result.ts';

export type ChoiceBasis = 'theory' | 'trials of their own';

export interface ChosenSetting {
  readonly cell: CellResult;
  /** Null where there was nothing to choose. */
  readonly by: ChoiceBasis | null;
}

/**
 * The cell of the least expected error among those that differ in their settings alone; the first of equal
 * ones.
 */
export function chooseSetting(cells: readonly CellResult[]): ChosenSetting {
  const by = cells.every(({ error }) => error.theory !== null) ? 'theory' : 'trials of their own';
  /** What a setting promises before its reported trials are looked at. */
  const promise = ({ error, choiceError }: CellResult): number =>
    (by === 'theory' ? error.theory : choiceError) ?? Infinity;
  const cell = cells.reduce((least, candidate) => (promise(candidate) < promise(least) ? candidate : least));
  return { cell, by: cells.length === 1 ? null : by };
}
