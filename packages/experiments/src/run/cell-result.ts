/** From what was measured of a cell to its row. */
import { meanConfidenceInterval } from '@shuffle-dp/core';
import type { Cell } from './cells.ts';
import type { CellRecord } from './cell-record.ts';
import type { CellResult } from '../results/run-result.ts';
import { momentsOf } from '../results/trial-statistics.ts';

export function cellResult(cell: Cell, record: CellRecord): CellResult {
  const { data } = cell;
  const { description } = record;
  const moments = momentsOf(record.squaredErrors);
  return {
    cell: cell.id,
    series: cell.series,
    kind: cell.spec.kind,
    protocol: description.name,
    description: description.description,
    dataset: data.config.kind,
    users: data.users,
    domain: data.domain,
    items: data.itemsPerUser ?? 1,
    delta: cell.delta,
    simulation: data.simulation,
    postprocess: cell.postprocess,
    sweep: cell.sweep,
    parameters: description.parameters,
    trials: cell.trials,
    mse: moments.mean,
    mseInterval: meanConfidenceInterval(moments),
    msePopulation: meanOrNull(record.populationErrors),
    mseTheory: meanOrNull(record.expectedErrors),
    mseBound: description.theoreticalBound,
    biasMaxAbs: record.biasMaxAbs,
    messagesPerUser: description.messagesPerUser,
    bitsPerUser: description.bitsPerUser,
    certified: description.certified,
    stated: description.stated,
    squaredErrors: record.squaredErrors,
    dataKey: data.key,
    seconds: record.seconds,
  };
}

function meanOrNull(values: readonly number[] | null): number | null {
  return values === null ? null : momentsOf(values).mean;
}
