/** From the records of all cells to the run that reports and tables are made of. */
import { availableParallelism } from 'node:os';
import { truthInWords } from '../data/data-sets.ts';
import { cellResult } from './cell-result.ts';
import type { RunResult } from '../results/run-result.ts';
import type { CellRecord } from './cell-record.ts';
import { parameterNames } from './cells.ts';
import type { RunProvenance } from '../run-folder/journal.ts';
import type { RecordedPlan } from './recorded-plan.ts';

export function assembleRun(
  { config, configFile, cells, skippedUsers, itemNames }: RecordedPlan,
  { configHash, codeVersion, nodeVersion, seed, command }: RunProvenance,
  recordOf: (cell: string) => CellRecord,
): RunResult {
  const names = parameterNames(cells);
  return {
    config,
    configFile,
    cells: cells.map((cell) => cellResult(cell, recordOf(cell.id))),
    provenance: { configHash, codeVersion, nodeVersion, seed, command, cores: availableParallelism() },
    adjacency: config.adjacency,
    measure: cells[0]?.measure ?? 'frequencies',
    error: cells[0]?.error ?? 'total-squared',
    truth: truthInWords(config.data),
    ...(skippedUsers === undefined ? {} : { skippedUsers }),
    ...(itemNames === undefined ? {} : { itemNames }),
    parameterColumns: names.all,
    sweptParameters: names.swept,
  };
}
