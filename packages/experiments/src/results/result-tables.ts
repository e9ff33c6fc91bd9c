/** The CSV files of a run. */
import { picked, type PrivacyStatement } from '@shuffle-dp/core';
import { rowsToCsv, toCsv, type CsvValue } from './csv.ts';
import { itemEstimates } from './item-estimates.ts';
import { certifiedOf, groupPrivacy, verdictOn, worstVerdict } from './stated-privacy.ts';
import { worstEpsilon, type CellResult, type RunResult } from './run-result.ts';

/** What is measured against the truth, or expected of it: both are functions of what users hold. */
const AGAINST_TRUTH = new Set([
  'precision',
  'recall',
  'cumulative_rank',
  'mse',
  'mse_theory',
  'mse_ci_low',
  'mse_ci_high',
  'bias_max_abs',
  'mse_population',
  'error_mean',
  'error_theory',
  'error_ci_low',
  'error_ci_high',
]);

/**
 * One row per cell. Names and order are fixed; new columns go to the end.
 *
 * @param options.truth false leaves out what is measured against the truth, and what theory expects of it
 */
export function resultsCsv(run: RunResult, { truth = true } = {}): string {
  const rows = run.cells.map((cell) => resultRow(cell, run));
  return rowsToCsv(truth ? rows : rows.map(withoutTruth));
}

function withoutTruth(row: Readonly<Record<string, CsvValue>>): Record<string, CsvValue> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, AGAINST_TRUTH.has(name) ? null : value]),
  );
}

function resultRow(cell: CellResult, run: RunResult): Record<string, CsvValue> {
  const certified = worstEpsilon(cell.certified);
  const stated = worstEpsilon(cell.stated);
  const doubted = leastProved(cell.stated) ?? stated.statement;
  return {
    ...picked(cell, 'cell', 'protocol', 'dataset', 'users', 'domain', 'items'),
    ...Object.fromEntries(run.parameterColumns.map((name) => [name, cell.sweep[name]])),
    trials: cell.trials,
    mse: cell.mse,
    mse_ci_low: cell.mseInterval.lower,
    mse_ci_high: cell.mseInterval.upper,
    mse_theory: cell.mseTheory,
    bias_max_abs: cell.biasMaxAbs,
    messages_per_user: cell.messagesPerUser,
    bits_per_user: cell.bitsPerUser,
    epsilon_central_lower: certified.lower,
    epsilon_central_upper: certified.upper,
    delta: cell.delta,
    accountant: certified.statement.accountant,
    mse_population: cell.msePopulation,
    mse_bound: cell.mseBound,
    epsilon_stated: stated.upper,
    stated_accountant: stated.statement.accountant,
    stated_status: doubted.status,
    stated_sound: String(doubted.sound),
    simulation: cell.simulation,
    postprocess: cell.postprocess,
    adjacency: run.adjacency,
    measure: run.measure,
    error: run.error,
    error_mean: cell.error.mean,
    error_ci_low: cell.error.interval.lower,
    error_ci_high: cell.error.interval.upper,
    error_theory: cell.error.theory,
    stated_verdict: worstVerdict(groupPrivacy(cell)),
    ...(run.measure === 'heavy-hitters' && {
      precision: cell.quality?.precision,
      recall: cell.quality?.recall,
      cumulative_rank: cell.quality?.cumulativeRank,
    }),
  };
}

/** Of groups of users one whose statement is not certified, of no sound theorem first; none if all are. */
function leastProved(statements: readonly PrivacyStatement[]): PrivacyStatement | undefined {
  const published = statements.filter(({ status }) => status !== 'certified');
  return published.find(({ sound }) => sound !== true) ?? published[0];
}

/**
 * What is certified for every group of users, and below it what the protocol's own accounting states where
 * that differs.
 */
export function privacyCsv(run: RunResult): string {
  return rowsToCsv(
    run.cells.flatMap((cell) => [
      ...cell.certified.map((statement) => privacyRow(cell, statement)),
      ...cell.stated
        .filter(({ status }) => status !== 'certified')
        .map((statement) => privacyRow(cell, statement)),
    ]),
  );
}

function privacyRow(cell: CellResult, statement: PrivacyStatement): Record<string, CsvValue> {
  return {
    ...picked(cell, 'cell', 'protocol', 'users'),
    group: statement.group ?? 'all users',
    status: statement.status,
    epsilon_lower: statement.epsilon.lower,
    epsilon_upper: statement.epsilon.upper,
    delta: statement.delta,
    accountant: statement.accountant,
    sound: String(statement.sound),
    ...picked(statement, 'theorem', 'reason', 'adjacency', 'unit', 'view'),
    verdict: verdictOn(statement, certifiedOf(cell.certified, statement.group)),
  };
}

const ESTIMATE_COLUMNS = [
  'protocol',
  'users',
  'item',
  'name',
  'truth',
  'estimate_mean',
  'estimate_sd',
  'ci_low',
  'ci_high',
  'trials',
  'cell',
] as const;

/**
 * One row an item of a cell, in the order of the cells. Names and order are fixed; new columns go to the end.
 */
export function estimatesCsv(run: RunResult, { truth = true } = {}): string {
  return toCsv(
    run.padded ? [...ESTIMATE_COLUMNS, 'before_padding', 'padding_bias'] : ESTIMATE_COLUMNS,
    run.cells.flatMap((cell) =>
      itemEstimates(cell, run).map((estimate) => ({
        protocol: cell.protocol,
        users: cell.users,
        item: estimate.item,
        name: estimate.name,
        truth: truth ? estimate.truth : null,
        estimate_mean: estimate.mean,
        estimate_sd: estimate.deviation,
        ci_low: estimate.interval?.lower,
        ci_high: estimate.interval?.upper,
        trials: cell.trials,
        cell: cell.cell,
        // Of sets that come in different sizes.
        ...(run.padded && {
          before_padding: truth ? estimate.before : null,
          padding_bias: truth ? estimate.paddingBias : null,
        }),
      })),
    ),
  );
}

export function trialsCsv(run: RunResult): string {
  return rowsToCsv(
    run.cells.flatMap(({ cell, protocol, users, squaredErrors, errors }) =>
      squaredErrors.map((squared, trial) => ({
        cell,
        protocol,
        users,
        trial,
        squared_error: squared,
        error: errors[trial]!,
      })),
    ),
  );
}

/** Outside the promise of identical bytes. */
export function timingsCsv(run: RunResult): string {
  return rowsToCsv(
    run.cells.map((cell) => ({
      ...picked(cell, 'cell', 'protocol', 'users', 'trials', 'seconds'),
      seconds_per_trial: cell.seconds / cell.trials,
    })),
  );
}
