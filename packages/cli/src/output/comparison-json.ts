/** The comparison of a run as JSON. */
import { picked } from '@shuffle-dp/core';
import {
  accountingChanges,
  compareCells,
  comparedByNobody,
  groupPrivacy,
  isAtCertifiedPrivacy,
  moreThanAsked,
  worstEpsilon,
  worstVerdict,
  type RunResult,
} from '@shuffle-dp/experiments/results';
import { excludedJson } from './refused-cells.ts';

/**
 * @param everyCell counts all values of a sweep as compared; by default the chosen ones, and others have no
 * `ratio_ci`
 */
export function comparisonJson(run: RunResult, out: string, everyCell: boolean): object {
  const rows = compareCells(run, { everySetting: everyCell }).flatMap((group) =>
    group.cells.map(({ cell, chosen, chosenBy, ratioToBest, ratioInterval, separated }) => {
      const certified = worstEpsilon(cell.certified);
      const { lower, upper } = certified;
      const stated = worstEpsilon(cell.stated);
      const groups = groupPrivacy(cell);
      const verdict = worstVerdict(groups);
      return {
        ...picked(cell, 'cell', 'protocol', 'kind'),
        parameters: cell.sweep,
        parameters_used: cell.parameters,
        ...picked(cell, 'dataset', 'users', 'trials', 'mse'),
        mse_ci: [cell.mseInterval.lower, cell.mseInterval.upper],
        mse_theory: cell.mseTheory,
        mse_bound: cell.mseBound,
        error: {
          mean: cell.error.mean,
          ci: [cell.error.interval.lower, cell.error.interval.upper],
          theory: cell.error.theory,
        },
        chosen,
        chosen_by: chosenBy,
        ratio_to_best: ratioToBest,
        ratio_ci: ratioInterval === null ? null : [ratioInterval.lower, ratioInterval.upper],
        ...(cell.quality && { quality: cell.quality }),
        separated_from_best: ratioInterval === null ? null : separated,
        messages_per_user: cell.messagesPerUser,
        bits_per_user: cell.bitsPerUser,
        epsilon_central: { lower, upper, accountant: certified.statement.accountant },
        epsilon_stated: {
          upper: stated.upper,
          ...picked(stated.statement, 'accountant', 'status', 'sound'),
          verdict,
        },
        groups,
        delta: cell.delta,
        accounting: isAtCertifiedPrivacy(cell) ? 'certified' : 'published',
        epsilon_certified: { lower, upper },
        stated: stated.upper,
        verdict,
        ...(isAtCertifiedPrivacy(cell) ? { more_than_asked: moreThanAsked(cell, run.config.privacy) } : {}),
      };
    }),
  );
  return {
    name: run.config.name,
    out,
    adjacency: run.adjacency,
    measure: run.measure,
    error: run.error,
    rows,
    ...(run.config.privacy.accounting === undefined
      ? {}
      : { excluded: excludedRows(run), changes: accountingChanges(run) }),
  };
}

function excludedRows(run: RunResult): object[] {
  const excluded = [...compareCells(run).flatMap((group) => group.excluded), ...comparedByNobody(run)];
  return excluded.map(({ cell, why }) => excludedJson(cell, why));
}
