/** The CSV files of a run. */
import type { PrivacyStatement } from '@shuffle-dp/core';
import { toCsv, type CsvValue } from './csv.ts';
import { itemEstimates } from './item-estimates.ts';
import { certifiedOf, groupPrivacy, verdictOn, worstVerdict } from './stated-privacy.ts';
import { worstEpsilon, type CellResult, type RunResult } from './run-result.ts';

const QUALITY_COLUMNS = ['precision', 'recall', 'cumulative_rank'];

/** What is measured against the truth. */
const AGAINST_TRUTH = [
  ...QUALITY_COLUMNS,
  'mse',
  'mse_ci_low',
  'mse_ci_high',
  'bias_max_abs',
  'mse_population',
  'error_mean',
  'error_ci_low',
  'error_ci_high',
];

/**
 * One row per cell. Names and order are fixed; new columns go to the end.
 *
 * @param options.truth false leaves out what is measured against the truth; what theory expects stays
 */
export function resultsCsv(run: RunResult, { truth = true } = {}): string {
  const columns = [
    'cell',
    'protocol',
    'dataset',
    'users',
    'domain',
    'items',
    ...run.parameterColumns,
    'trials',
    'mse',
    'mse_ci_low',
    'mse_ci_high',
    'mse_theory',
    'bias_max_abs',
    'messages_per_user',
    'bits_per_user',
    'epsilon_central_lower',
    'epsilon_central_upper',
    'delta',
    'accountant',
    'mse_population',
    'mse_bound',
    'epsilon_stated',
    'stated_accountant',
    'stated_status',
    'stated_sound',
    'simulation',
    'postprocess',
    'adjacency',
    'measure',
    'error',
    'error_mean',
    'error_ci_low',
    'error_ci_high',
    'error_theory',
    'stated_verdict',
    ...(run.measure === 'heavy-hitters' ? QUALITY_COLUMNS : []),
  ];
  return toCsv(
    columns,
    run.cells.map((cell) => {
      const row = resultRow(cell, run);
      return truth ? row : { ...row, ...Object.fromEntries(AGAINST_TRUTH.map((name) => [name, null])) };
    }),
  );
}

function resultRow(cell: CellResult, run: RunResult): Record<string, CsvValue> {
  const certified = worstEpsilon(cell.certified);
  const stated = worstEpsilon(cell.stated);
  return {
    ...cell.sweep,
    cell: cell.cell,
    protocol: cell.protocol,
    dataset: cell.dataset,
    users: cell.users,
    domain: cell.domain,
    items: cell.items,
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
    stated_status: stated.statement.status,
    stated_sound: String(stated.statement.sound),
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
    precision: cell.quality?.precision ?? null,
    recall: cell.quality?.recall ?? null,
    cumulative_rank: cell.quality?.cumulativeRank ?? null,
  };
}

const PRIVACY_COLUMNS = [
  'cell',
  'protocol',
  'users',
  'group',
  'status',
  'epsilon_lower',
  'epsilon_upper',
  'delta',
  'accountant',
  'sound',
  'theorem',
  'reason',
  'adjacency',
  'unit',
  'view',
  'verdict',
];

/**
 * What is certified for every group of users, and below it what the protocol's own accounting states where
 * that differs.
 */
export function privacyCsv(run: RunResult): string {
  const rows = run.cells.flatMap((cell) => [
    ...cell.certified.map((statement) => privacyRow(cell, statement)),
    ...cell.stated
      .filter(({ status }) => status !== 'certified')
      .map((statement) => privacyRow(cell, statement)),
  ]);
  return toCsv(PRIVACY_COLUMNS, rows);
}

function privacyRow(cell: CellResult, statement: PrivacyStatement): Record<string, CsvValue> {
  return {
    cell: cell.cell,
    protocol: cell.protocol,
    users: cell.users,
    group: statement.group ?? 'all users',
    status: statement.status,
    epsilon_lower: statement.epsilon.lower,
    epsilon_upper: statement.epsilon.upper,
    delta: statement.delta,
    accountant: statement.accountant,
    sound: String(statement.sound),
    theorem: statement.theorem,
    reason: statement.reason,
    adjacency: statement.adjacency,
    unit: statement.unit,
    view: statement.view,
    verdict: verdictOn(statement, certifiedOf(cell.certified, statement.group)),
  };
}

/** Of sets that come in different sizes. */
const PADDING_COLUMNS = ['before_padding', 'padding_bias'];

/**
 * One row an item of a cell, in the order of the cells. Names and order are fixed; new columns go to the end.
 */
export function estimatesCsv(run: RunResult, { truth = true } = {}): string {
  return toCsv(
    [
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
      ...(run.padded ? PADDING_COLUMNS : []),
    ],
    run.cells.flatMap((cell) =>
      itemEstimates(cell, run).map((estimate) => ({
        protocol: cell.protocol,
        users: cell.users,
        item: estimate.item,
        name: estimate.name,
        truth: truth ? estimate.truth : null,
        estimate_mean: estimate.mean,
        estimate_sd: estimate.deviation,
        ci_low: estimate.interval?.lower ?? null,
        ci_high: estimate.interval?.upper ?? null,
        trials: cell.trials,
        cell: cell.cell,
        before_padding: truth ? estimate.before : null,
        padding_bias: truth ? estimate.paddingBias : null,
      })),
    ),
  );
}

export function trialsCsv(run: RunResult): string {
  return toCsv(
    ['cell', 'protocol', 'users', 'trial', 'squared_error', 'error'],
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
  return toCsv(
    ['cell', 'protocol', 'users', 'trials', 'seconds', 'seconds_per_trial'],
    run.cells.map(({ cell, protocol, users, trials, seconds }) => ({
      cell,
      protocol,
      users,
      trials,
      seconds,
      seconds_per_trial: seconds / trials,
    })),
  );
}
