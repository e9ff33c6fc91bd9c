/**
 * A cell that cannot be made at equal certified privacy: it is listed with the reason, and the others are
 * run.
 */
import { basename } from 'node:path';
import { protocolTitle } from '../config/protocol-cards.ts';
import type { Cell } from '../kinds/cell.ts';
import type { Refusal } from '../pool/answer.ts';
import type { RefusedCell } from '../results/run-result.ts';
import type { JournalEntry } from '../run-folder/journal.ts';
import type { CellRecord } from './cell-record.ts';

/** As the journal keeps it, in place of what would have been measured. */
export interface CellRefusal extends JournalEntry {
  /** Why, in one line. */
  readonly refused: string;
}

/** What a run leaves of a cell. */
export type CellOutcome = CellRecord | CellRefusal;

export function isRefusal(outcome: CellOutcome): outcome is CellRefusal {
  return 'refused' in outcome;
}

/** Theorems asked outside their conditions, and searches that find no parameter. */
const UNMET = new Set(['out-of-regime', 'no-bracket']);

/**
 * Fields that state the target of privacy, and the grid of places, for which the noise may be too wide. The
 * schema of configs has checked the range of each: a refusal that names one is of a target that is not met.
 * One that names another is of a mistake in the config.
 */
const ASKED = /^(?:epsilon|delta|levels(?:\[\d+\])?|threats|colluding|dropout|samplingRate|grid)$/u;

/**
 * Whether a protocol that refuses so is listed in place of stopping the run: at equal certified privacy
 * alone.
 */
export function isListed({ accounting }: Cell, { code, parameter }: Refusal): boolean {
  if (accounting !== 'certified') return false;
  return UNMET.has(code ?? '') || (parameter !== undefined && ASKED.test(parameter));
}

export function refusedCell(cell: Cell, { refused }: CellRefusal): RefusedCell {
  const { id, series, spec, data, delta, sweep } = cell;
  return {
    cell: id,
    series,
    kind: spec.kind,
    protocol: cell.label ?? titleOf(spec),
    users: data.users,
    delta,
    sweep,
    dataKey: data.key,
    why: refused,
  };
}

/** The name of a protocol that was never made. */
function titleOf(spec: Cell['spec']): string {
  return spec.kind === 'own-randomizer' ? basename(spec.module) : protocolTitle(spec);
}
