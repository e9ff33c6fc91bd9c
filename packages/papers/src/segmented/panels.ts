/** The panels of the figures of the segmented protocol: rows of one setting of levels, data and users. */
import type { ResultTable } from '../figures/figure-table.ts';
import type { ClaimContext } from '../claims/claim.ts';
import { rowsOf, type TableRow } from '../claims/table-values.ts';
import { EXACT, ORIGINAL, SEGMENTED_FIGURES, type PanelColumn } from './figures.ts';

const OWN = 'Segmented';
export const WEIGHTED = 'Weighted SepMM';
export const FIGURES = SEGMENTED_FIGURES.map(({ id }) => id);

type PanelRow = TableRow<PanelColumn>;

/** One panel of a figure: a setting of levels, data and users. */
export interface Panel {
  readonly setting: string;
  readonly users: number;
  readonly domain: number;
  readonly items: number;
  /** The published protocol at each number of blankets. */
  readonly own: readonly PanelRow[];
  readonly competitors: readonly PanelRow[];
  /** Balls into bins with the blankets that its own paper asks for. */
  readonly original: PanelRow;
}

export async function panelsOf({ figureTable }: ClaimContext, figures: readonly string[]): Promise<Panel[]> {
  const panels: Panel[] = [];
  for (const figure of SEGMENTED_FIGURES) {
    if (!figures.includes(figure.id)) continue;
    // One figure after another: each uses all cores.
    // oxlint-disable-next-line no-await-in-loop
    panels.push(...panelsIn(await figureTable(figure, 'judged')));
  }
  return panels;
}

const PANEL_COLUMNS = ['setting', 'users', 'domain', 'items'] as const;

function panelsIn(table: ResultTable<PanelColumn>): Panel[] {
  const keyOf = (row: PanelRow): string => PANEL_COLUMNS.map((column) => row.text(column)).join(' ');
  const all = rowsOf(table);
  return [...new Set(all.map(keyOf))].map((key) => {
    const rows = all.filter((row) => keyOf(row) === key);
    const first = rows[0]!;
    return {
      setting: first.text('setting'),
      users: first.number('users'),
      domain: first.number('domain'),
      items: first.number('items'),
      own: rows.filter((row) => row.text('protocol') === OWN),
      original: rows.find((row) => row.text('protocol') === ORIGINAL)!,
      competitors: rows.filter((row) => ![OWN, EXACT, ORIGINAL].includes(row.text('protocol'))),
    };
  });
}

/** The panel that differs from this one by these alone. */
export function panelBeside(
  panels: readonly Panel[],
  panel: Panel,
  differing: Partial<Pick<Panel, (typeof PANEL_COLUMNS)[number]>>,
): Panel {
  const wanted = { ...panel, ...differing };
  return panels.find((other) => PANEL_COLUMNS.every((column) => other[column] === wanted[column]))!;
}

export const errorOf = (row: PanelRow): number => row.number('mse');
const expectedErrorOf = (row: PanelRow): number => row.number('mse_theory');
export const rateOf = (row: PanelRow): number => row.number('blanketRate');

function least(rows: readonly PanelRow[], by: (row: PanelRow) => number): PanelRow {
  return rows.reduce((best, row) => (by(row) < by(best) ? row : best));
}

/**
 * The setting, or the competitor, of the least expected error: the least of measured ones would be too low by
 * chance.
 */
export function chosen(rows: readonly PanelRow[]): PanelRow {
  return least(rows, expectedErrorOf);
}

export function nameOf({ setting, users, domain, items }: Panel): string {
  return `${setting}, ${items} of ${domain}, n = ${users.toLocaleString('en')}`;
}

/** Of the protocol at its best m, or of a competitor. */
export function errorIn({ own, competitors }: Panel, protocol: string): number {
  if (protocol === OWN) return errorOf(chosen(own));
  return errorOf(competitors.find((row) => row.text('protocol') === protocol)!);
}

/** "About": the printed m may cost this much more error than the best one, in per cent. */
export const FLAT = 20;

interface Optimum {
  /** The m of the least measured error. */
  readonly measured: number;
  /** The m of the least expected error, which has no noise. */
  readonly expected: number;
}

export function optimumOf({ own }: Panel): Optimum {
  return { measured: rateOf(least(own, errorOf)), expected: rateOf(chosen(own)) };
}

/** By how many per cent the expected error at this m is above the least one. */
export function excessAt({ own }: Panel, blanketRate: number): number {
  const at = own.find((row) => rateOf(row) === blanketRate)!;
  return 100 * (expectedErrorOf(at) / expectedErrorOf(chosen(own)) - 1);
}
