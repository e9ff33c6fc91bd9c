/**
 * What a comparison is at, beside its users: the central target and the threats, which tables and sentences
 * say once.
 */
import { ACCOUNTING_COLUMN, TARGET_COLUMNS, THREAT_COLUMNS } from '../config/threat-columns.ts';
import type { CellResult, NamedCell } from './run-result.ts';

/** Columns of a sweep that no protocol has for itself. */
const COMMON_COLUMNS: readonly string[] = [...TARGET_COLUMNS, ACCOUNTING_COLUMN, ...THREAT_COLUMNS];

/** Whether a swept value is of a protocol, and so part of a cell's name. */
export function isOwnParameter(name: string): boolean {
  return !COMMON_COLUMNS.includes(name);
}

/**
 * ['central epsilon 0.5'], or ['budgets uniform(0.05,1)'] of the users' own; empty where protocols fix what
 * these would set.
 */
export function targetWords({ sweep }: Pick<CellResult, 'sweep'>): string[] {
  const said = { targetEpsilon: 'central epsilon', budgets: 'budgets' } as const;
  return TARGET_COLUMNS.flatMap((name) =>
    sweep[name] === undefined ? [] : [`${said[name]} ${sweep[name]}`],
  );
}

/**
 * ['10 % collude', '5 % are fake']; empty where everybody does as they should, or the run knows no threats.
 */
export function threatWords({ sweep }: Pick<CellResult, 'sweep'>): string[] {
  const said = { colluding: 'collude', dropout: 'stay away', poisoning: 'are fake' } as const;
  return THREAT_COLUMNS.flatMap((name) => {
    const share = sweep[name];
    return typeof share === 'number' && share > 0
      ? [`${Number((100 * share).toPrecision(6))} % ${said[name]}`]
      : [];
  });
}

/** Data, central target and threats: what comparisons share that differ in their accounting alone. */
export function settingOf(cell: NamedCell): string {
  const facing = THREAT_COLUMNS.map((name) => cell.sweep[name] ?? '');
  return [cell.dataKey, ...targetWords(cell), ...facing].join(' ');
}

/** ' (blanketRate 2)'; the central target where it is not said already. */
export function settingWords(cell: NamedCell, { target = true } = {}): string {
  const entries = Object.entries(cell.sweep).filter(
    ([name, value]) => typeof value === 'number' && (isOwnParameter(name) || (target && value > 0)),
  );
  return entries.length === 0 ? '' : ` (${entries.map(([name, value]) => `${name} ${value}`).join(', ')})`;
}
