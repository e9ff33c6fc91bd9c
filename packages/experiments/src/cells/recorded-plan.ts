/** The plan of a run as its journal keeps it, in the words of its format. */
import type { Cell } from '../kinds/cell.ts';
import type { RunResult } from '../results/run-result.ts';

/** Raised when a merge could misread the plans of before: 1 had no kinds of data. */
export const PLAN_FORMAT = 2;

/** What a merge has to know of a run, so that it needs neither the config nor its data. */
export interface RecordedPlan extends Pick<
  RunResult,
  'config' | 'configFile' | 'skippedUsers' | 'dataNotes' | 'itemNames' | 'padded'
> {
  readonly format: typeof PLAN_FORMAT;
  readonly cells: readonly Cell[];
}

/**
 * What format 2 calls the items of a cell's data: with another name, journals of before could not be merged.
 */
const WRITTEN_ITEMS = 'itemsPerUser';

/** As it stands in a journal's header. */
export function writtenPlan(plan: RecordedPlan): unknown {
  return withData(plan, (data) => renamed(data, 'items', WRITTEN_ITEMS));
}

/** @param written of the current format, as `writtenPlan` makes it */
export function readPlan(written: RecordedPlan): RecordedPlan {
  return withData(written, (data) => renamed(data, WRITTEN_ITEMS, 'items'));
}

function withData(plan: RecordedPlan, change: (data: Cell['data']) => Cell['data']): RecordedPlan {
  return { ...plan, cells: plan.cells.map((cell) => ({ ...cell, data: change(cell.data) }) as Cell) };
}

/** The same fields in the same order, one of them under another name. */
function renamed<Data extends object>(data: Data, from: string, to: string): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name === from ? to : name, value]),
  ) as Data;
}
