/**
 * Which protocol, with which parameters, for one's users, domain, privacy and bandwidth: every protocol of a
 * task is calibrated by what is proved of it, and ranked by its expected error.
 */
import { UsageError } from '@shuffle-dp/core';
import { assess, type Excluded, type PlannedProtocol } from './assess.ts';
import { candidates, type Candidate } from './candidates.ts';
import { sharpenedRows } from './sharpened-rows.ts';
import { checkPlanSetting, type PlanSetting } from './plan-setting.ts';

export interface Plan {
  readonly setting: PlanSetting;
  /** By expected error, the least first; not empty. */
  readonly rows: readonly PlannedProtocol[];
  readonly excluded: readonly Excluded[];
}

/**
 * Every protocol of a task, calibrated by what is proved of it and ranked by expected error; and why others
 * are left out.
 *
 * @throws ParameterError for a setting out of range; UsageError where no protocol meets the target within the
 * limits
 * @example plan({ task: 'mean', users: 1000, epsilon: 1, delta: 1e-6 }).rows[0].protocol // 'Split and mix'
 */
export function plan(setting: PlanSetting): Plan {
  return planAmong(candidates(setting.task), setting);
}

/** A plan of the protocols that have been looked at. */
export interface PlanStage extends Plan {
  /** How many have not. */
  readonly left: number;
}

/**
 * The same plan as it grows, protocol by protocol; rows may be missing at first.
 * @throws ParameterError, UsageError as `plan`, the latter after the last protocol
 */
export function* planStages(
  setting: PlanSetting,
  among: readonly Candidate[] = candidates(setting.task),
): Generator<PlanStage, void, void> {
  checkPlanSetting(setting);
  const outcomes: (PlannedProtocol | Excluded)[] = [];
  for (const candidate of among) {
    outcomes.push(assess(candidate, setting));
    const left = among.length - outcomes.length;
    const ranked = ranking(outcomes);
    // Where no protocol is left, why each is not is told before the whole is refused.
    if (left > 0 || ranked.rows.length === 0) yield { setting, ...ranked, left };
    if (left === 0) yield { ...planOf(setting, outcomes), left };
  }
}

/**
 * What has been found of all candidates, in their order.
 * @throws UsageError where no protocol is left
 */
export function planOf(setting: PlanSetting, outcomes: readonly (PlannedProtocol | Excluded)[]): Plan {
  const ranked = ranking(outcomes);
  if (ranked.rows.length === 0) {
    const reasons = ranked.excluded.map(({ protocol, why }) => `${protocol}: ${why}`).join('; ');
    throw new UsageError(`no protocol is left: ${reasons}`);
  }
  const { rows, excluded } = ranking([...sharpenedRows(ranked.rows, setting), ...ranked.excluded]);
  return { setting, rows, excluded };
}

/** Of these candidates alone. @throws ParameterError, UsageError as `plan` */
export function planAmong(among: readonly Candidate[], setting: PlanSetting): Plan {
  const { rows, excluded } = [...planStages(setting, among)].at(-1)!;
  return { setting, rows, excluded };
}

function ranking(outcomes: readonly (PlannedProtocol | Excluded)[]): Pick<Plan, 'rows' | 'excluded'> {
  const rows = outcomes.flatMap((outcome) => ('why' in outcome ? [] : outcome));
  const excluded = outcomes.flatMap((outcome) => ('why' in outcome ? outcome : []));
  return withoutTwins(rows, excluded);
}

/**
 * Relative difference of errors below which two protocols that send as much are one here, as subsets of one
 * and randomized response.
 */
const SAME = 2e-5;

function withoutTwins(
  outcomes: readonly PlannedProtocol[],
  excluded: readonly Excluded[],
): Pick<Plan, 'rows' | 'excluded'> {
  const kept: PlannedProtocol[] = [];
  const twins: Excluded[] = [];
  // Of twins the registry's first stays.
  for (const row of outcomes) {
    const twin = kept.find(
      ({ error, messages, bits }) =>
        Math.abs(row.error - error) <= SAME * error && row.messages === messages && row.bits === bits,
    );
    if (twin) twins.push({ protocol: row.protocol, why: `here it equals ${twin.protocol}` });
    else kept.push(row);
  }
  return { rows: kept.toSorted((a, b) => a.error - b.error), excluded: [...excluded, ...twins] };
}

/** Rows that no other row beats in both the error and what a user sends: the front of a chart. */
export function front(
  rows: readonly PlannedProtocol[],
  sent: 'messages' | 'bits',
): readonly PlannedProtocol[] {
  return rows.filter(
    (row) =>
      !rows.some(
        (other) =>
          other !== row &&
          other.error <= row.error &&
          other[sent] <= row[sent] &&
          (other.error < row.error || other[sent] < row[sent]),
      ),
  );
}
