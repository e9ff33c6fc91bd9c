/** From what was measured of a cell to its row. */
import { meanErrorInterval, picked, relativeVarianceOfMean } from '@shuffle-dp/core';
import type { Cell } from '../kinds/cell.ts';
import type { CellRecord } from './cell-record.ts';
import type { CellResult, MeanError } from '../results/run-result.ts';
import { momentsOf } from '../results/trial-statistics.ts';
import { leastRelativeVariance, shareOfSquared } from '../trials/error-measure.ts';

export function cellResult(cell: Cell, record: CellRecord): CellResult {
  const { data } = cell;
  const { description } = record;
  const moments = momentsOf(record.squaredErrors);
  const mseTheory = meanOrNull(record.expectedErrors);
  return {
    cell: cell.id,
    series: cell.series,
    kind: cell.spec.kind,
    protocol: description.name,
    description: description.description,
    dataset: data.config.kind,
    users: data.users,
    domain: data.holds === 'identifiers' ? 2 ** data.bits : data.domain,
    items: 'items' in data ? data.items : 1,
    ...deltasOf(cell, description),
    simulation: data.simulation,
    postprocess: cell.postprocess,
    sweep: cell.sweep,
    parameters: description.parameters,
    trials: cell.trials,
    mse: moments.mean,
    mseInterval: meanErrorInterval(moments, leastRelativeVariance('total-squared', inError(data))),
    error: comparedError(cell, record, mseTheory),
    choiceError: meanOrNull(record.choiceErrors ?? null),
    msePopulation: meanOrNull(record.populationErrors),
    mseTheory,
    mseBound: description.theoreticalBound,
    biasMaxAbs: record.biasMaxAbs,
    ...picked(description, 'messagesPerUser', 'bitsPerUser', 'certified', 'stated'),
    ...record.cost,
    ...(record.quality && { quality: record.quality }),
    answers: record.answers ?? null,
    squaredErrors: record.squaredErrors,
    errors: comparedErrors(cell, record),
    dataKey: data.key,
    seconds: record.seconds,
  };
}

/**
 * Where levels have deltas of their own, what is said of the worst group holds for all at the largest that
 * any statement has.
 */
function deltasOf(
  cell: Cell,
  { certified, stated }: CellRecord['description'],
): Pick<CellResult, 'delta' | 'levelDeltas'> {
  const { delta } = cell;
  if (cell.holds !== 'sets' || cell.deltas === undefined) return { delta };
  const said = [...certified, ...stated].map((statement) => statement.delta);
  return { delta: Math.max(delta, ...said), levelDeltas: cell.deltas };
}

/** How many quantities an error is of. */
function inError(data: Cell['data']): number {
  return data.holds === 'key-values' ? (data.keys ?? data.domain) : data.domain;
}

/** Trial by trial the error by which protocols are compared. */
function comparedErrors({ data, error = 'total-squared' }: Cell, record: CellRecord): readonly number[] {
  const share = shareOfSquared(error, inError(data));
  if (share === null) return record.otherErrors!;
  return share === 1 ? record.squaredErrors : record.squaredErrors.map((squared) => squared * share);
}

function comparedError(cell: Cell, record: CellRecord, mseTheory: number | null): MeanError {
  const { data, error = 'total-squared' } = cell;
  const moments = momentsOf(comparedErrors(cell, record));
  const least = leastRelativeVariance(error, inError(data));
  const share = shareOfSquared(error, inError(data));
  return {
    mean: moments.mean,
    interval: meanErrorInterval(moments, least),
    theory: mseTheory === null || share === null ? null : mseTheory * share,
    relativeVariance: relativeVarianceOfMean(moments, least),
  };
}

function meanOrNull(values: readonly number[] | null): number | null {
  return values === null ? null : momentsOf(values).mean;
}
