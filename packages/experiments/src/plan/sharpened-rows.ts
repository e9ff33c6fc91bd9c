/**
 * The last step of a plan: protocols of one message a user are calibrated by the blanket, which is quick,
 * while all are compared. Those that lead are calibrated again by the least of all proved bounds, and allow a
 * larger budget by it.
 */
import { mayBeSharper } from '@shuffle-dp/protocols';
import { assess, type PlannedProtocol } from './assess.ts';
import type { PlanSetting } from './plan-setting.ts';

/** Rows that err up to so many times the least may lead by a larger budget; so many of them are looked at. */
const [NEAR_THE_LEAST, MOST_LOOKED_AT] = [1.25, 3];

/**
 * The same rows, those that lead with the parameters that the least of all bounds allows. As they are where
 * users collude or stay away.
 *
 * @param ranked by expected error, the least first
 */
export function sharpenedRows(
  ranked: readonly PlannedProtocol[],
  setting: PlanSetting,
): readonly PlannedProtocol[] {
  if (setting.threats !== undefined) return ranked;
  let left = MOST_LOOKED_AT;
  return ranked.map((row) => {
    const isNear = row.error <= NEAR_THE_LEAST * ranked[0]!.error;
    if (!isNear || !isQuick(row) || left-- <= 0) return row;
    const spec = { ...row.spec, accounting: 'sharpest' } as PlannedProtocol['spec'];
    const sharper = assess({ title: row.protocol, trust: row.trust, variants: [spec] }, setting);
    return 'why' in sharper || sharper.error >= row.error ? row : sharper;
  });
}

/** Whether its budget is by the blanket where other bounds are known. */
function isQuick({ spec, parameters }: PlannedProtocol): boolean {
  return (
    'accounting' in spec &&
    spec.accounting === 'blanket' &&
    mayBeSharper(spec.kind) &&
    'epsilon0' in parameters
  );
}

/** A spec as the comparison had it. */
export function asCompared(spec: PlannedProtocol['spec']): PlannedProtocol['spec'] {
  return 'accounting' in spec && spec.accounting === 'sharpest'
    ? ({ ...spec, accounting: 'blanket' } as PlannedProtocol['spec'])
    : spec;
}
