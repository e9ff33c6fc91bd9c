/** From the records of all cells to the run that reports and tables are made of. */
import { availableParallelism } from 'node:os';
import { sizesInWords, truthInWords } from '../data/data-sets.ts';
import { cellResult } from './cell-result.ts';
import { distinctNames } from '../results/distinct-names.ts';
import type { CellResult, RefusedCell, RunResult } from '../results/run-result.ts';
import { isRefusal, refusedCell, type CellOutcome } from './cell-refusal.ts';
import { parameterNames } from '../cells/cells.ts';
import type { RunProvenance } from '../run-folder/journal.ts';
import type { RecordedPlan } from '../cells/recorded-plan.ts';

export function assembleRun(
  plan: RecordedPlan,
  { configHash, codeVersion, nodeVersion, seed, command }: RunProvenance,
  outcomeOf: (cell: string) => CellOutcome,
): RunResult {
  const { format: _, cells, ...asPlanned } = plan;
  const { config } = plan;
  const names = parameterNames(cells);
  const sizes = sizesInWords(config.data);
  const results: CellResult[] = [];
  const refused: RefusedCell[] = [];
  for (const cell of cells) {
    const outcome = outcomeOf(cell.id);
    if (isRefusal(outcome)) refused.push(refusedCell(cell, outcome));
    else results.push(cellResult(cell, outcome));
  }
  const nameOf = distinctNames([...results, ...refused], config);
  const named = <Named extends CellResult | RefusedCell>(cell: Named): Named => ({
    ...cell,
    protocol: nameOf(cell),
  });
  return {
    ...asPlanned,
    cells: results.map(named),
    ...(refused.length === 0 ? {} : { refused: refused.map(named) }),
    provenance: { configHash, codeVersion, nodeVersion, seed, command, cores: availableParallelism() },
    adjacency: config.adjacency,
    measure: cells[0]?.measure ?? 'frequencies',
    error: cells[0]?.error ?? 'total-squared',
    truth: truthInWords(config.data),
    ...(sizes === null ? {} : { sizes }),
    parameterColumns: names.all,
    sweptParameters: names.swept,
  };
}
