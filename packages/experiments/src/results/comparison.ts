/**
 * Which protocol has the least error, among cells that were run on the same data sets at one central target.
 */
import { groupBy, ratiosToLeast, type Interval } from '@shuffle-dp/core';
import { settingOf } from './cell-setting.ts';
import { chooseSetting, type ChoiceBasis } from './chosen-setting.ts';
import { ACCOUNTING_COLUMN } from '../config/threat-columns.ts';
import { isAtCertifiedPrivacy, whyNotRanked } from './equal-privacy.ts';
import type { CellResult, NamedCell, RunResult } from './run-result.ts';

export interface ComparedCell {
  readonly cell: CellResult;
  /** Stands for its protocol: the only setting, or the chosen one of a sweep. */
  readonly chosen: boolean;
  /** How it was chosen; null for an only setting, and for those not chosen. */
  readonly chosenBy: ChoiceBasis | null;
  /** Measured error over the least one of the cells compared. */
  readonly ratioToBest: number;
  /**
   * Of the expected error to the least one, counting all comparisons; null for cells that are not compared.
   */
  readonly ratioInterval: Interval | null;
  /** The interval excludes 1: this cell is not the best. */
  readonly separated: boolean;
}

export interface ComparisonGroup {
  readonly users: number;
  /** The least measured error of the cells compared. */
  readonly best: CellResult;
  /** In the order of the config; at equal certified privacy only those that meet it. */
  readonly cells: readonly ComparedCell[];
  /**
   * At equal certified privacy, those that do not meet it or cannot be made: each in the order of the config.
   */
  readonly excluded: readonly ExcludedCell[];
}

export interface ExcludedCell {
  readonly cell: NamedCell;
  readonly why: string;
}

/**
 * By default the chosen settings are compared, one of each protocol; with `everySetting` all cells are, and
 * counted. Cells share their data sets but not their noise, in which nearly all of the spread is: they are
 * taken as independent, which is on the safe side of what they share.
 */
export function compareCells(run: RunResult, { everySetting = false } = {}): ComparisonGroup[] {
  return [...groupBy(run.cells, circumstancesOf)].flatMap(([together, all]) => {
    const refused = refusedOf(run).filter(({ cell }) => circumstancesOf(cell) === together);
    const excluded = [...excludedOf(all, run), ...refused];
    const cells = all.filter((cell) => excluded.every((out) => out.cell !== cell));
    if (cells.length === 0) return [];
    const chosen = new Map(
      [...groupBy(cells, ({ series }) => series).values()]
        .map((settings) => chooseSetting(settings))
        .map(({ cell, by }) => [cell, by]),
    );
    const compared = everySetting ? cells : cells.filter((cell) => chosen.has(cell));
    const best = compared.reduce((least, cell) => (cell.error.mean < least.error.mean ? cell : least));
    const ratios = ratiosToLeast(
      compared.map(({ error, trials }) => ({
        mean: error.mean,
        relativeVariance: error.relativeVariance,
        count: trials,
      })),
    );
    const intervals = new Map(compared.map((cell, i) => [cell, ratios[i]!]));
    return {
      users: best.users,
      best,
      cells: cells.map((cell) => ({
        cell,
        chosen: chosen.has(cell),
        chosenBy: chosen.get(cell) ?? null,
        ratioToBest: cell.error.mean === best.error.mean ? 1 : cell.error.mean / best.error.mean,
        ratioInterval: intervals.get(cell) ?? null,
        separated: (intervals.get(cell)?.lower ?? 1) > 1,
      })),
      excluded,
    };
  });
}

/** Cells that agree on this are compared: accounting, and all else that a comparison is at. */
function circumstancesOf(cell: NamedCell): string {
  return `${cell.sweep[ACCOUNTING_COLUMN] ?? ''} ${settingOf(cell)}`;
}

/** Those of a run whose every cell misses what was asked for, and so stand in no comparison. */
export function comparedByNobody(run: RunResult): ExcludedCell[] {
  const shown = new Set(compareCells(run).flatMap(({ excluded }) => excluded.map(({ cell }) => cell)));
  return [...excludedOf(run.cells, run), ...refusedOf(run)].filter(({ cell }) => !shown.has(cell));
}

function refusedOf({ refused = [] }: RunResult): ExcludedCell[] {
  return refused.map((cell) => ({ cell, why: cell.why }));
}

function excludedOf(cells: readonly CellResult[], run: RunResult): ExcludedCell[] {
  return cells.filter(isAtCertifiedPrivacy).flatMap((cell) => {
    const why = whyNotRanked(cell, run.config.privacy);
    return why === null ? [] : [{ cell, why }];
  });
}

/** The chosen setting of every protocol, in the order of the config. */
export function chosenCells(group: ComparisonGroup): ComparedCell[] {
  return group.cells.filter(({ chosen }) => chosen);
}
