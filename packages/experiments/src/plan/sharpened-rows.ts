/**
 * The last step of a plan: protocols whose calibration by the sharp bound takes seconds are compared by the
 * blanket at first. Those that may come to lead are calibrated again by the least of all proved bounds, and
 * allow a larger budget by it.
 */
import { assess, type PlannedProtocol } from './assess.ts';
import type { PlanSetting } from './plan-setting.ts';
import { bySharpest } from './row-accounting.ts';

/**
 * A row that errs more than so many times another, by the blanket, is left: of means of 500 to 1e8 users the
 * sharp bound divided no error by more than 1.52, the most for Laplace noise of many users.
 */
const MAY_LEAD = 2;

/**
 * The same rows, those that may lead with the parameters that the least of all bounds allows. As they are
 * where users collude or stay away. One pass is enough: errors only fall, so what was left stays left.
 *
 * @param ranked by expected error, the least first
 */
export function sharpenedRows(
  ranked: readonly PlannedProtocol[],
  setting: PlanSetting,
): readonly PlannedProtocol[] {
  if (setting.threats !== undefined) return ranked;
  const rows = [...ranked];
  for (const [i, row] of ranked.entries()) {
    if (!row.blanketAlone || row.error > MAY_LEAD * leastWithin(row, rows)) continue;
    const variants = [bySharpest(row.spec)];
    const sharper = assess({ title: row.protocol, trust: row.trust, variants }, setting);
    if (!('why' in sharper) && sharper.error <= row.error) rows[i] = sharper;
  }
  return rows;
}

/**
 * The least error of what asks for no more than a row does, itself among them: so a row is sharpened where it
 * may lead within any limits, and limits change no row.
 */
function leastWithin({ messages, bits, trust }: PlannedProtocol, rows: readonly PlannedProtocol[]): number {
  const within = rows.filter(
    (row) =>
      row.messages <= messages && row.bits <= bits && (row.trust === 'shuffler' || row.trust === trust),
  );
  return Math.min(...within.map(({ error }) => error));
}
