/**
 * Table 2 of Y. Liu et al., "Enhanced Privacy Bound for Shuffle Model with Personalized Privacy", CIKM 2024:
 * central delta at five epsilons.
 *
 * Gaussian noise has two scales here: the classical deviation sqrt(2 log(1.25/delta)) C/epsilon, and that of
 * the authors' program, which takes the variance for the deviation and so depends on the unit of the range C;
 * the table needs C = 0.1.
 */
import {
  evaluatePersonalizedBound,
  localDeltaTerm,
  personalizedBounds,
  type PersonalizedSetting,
} from '@shuffle-dp/accounting';
import type { ChartSeries } from '@shuffle-dp/experiments/charts';
import type { Figure, FigureResult } from '../figures/figure.ts';
import { LOCAL_DELTA, RANGE, settingOf } from './setting.ts';
import { seedOf } from '../figures/budget-distributions.ts';

const ID = 'hps.table2';
const TITLE = 'HPS, Table 2: central delta at given epsilons';
const USERS = 10_000;
const BUDGETS = 'uniform(0.5,2)';
const EPSILONS = [0.01, 0.03, 0.05, 0.08, 0.1];

/** A column of the table; `bound` is its name in the catalogue of bounds for personal budgets. */
const COLUMNS = [
  {
    name: 'FV',
    colourKey: 'stronger clone',
    bound: 'largest-budget-stronger-clone',
    printed: [0.0083, 0.0029, 8e-4, 6e-5, 1e-5],
  },
  { name: 'CCC', colourKey: 'CCC', bound: 'ccc-hps', printed: [0.0042, 7e-4, 5e-5, 3e-7, 3e-9] },
  { name: 'HPS', colourKey: 'HPS', bound: 'hps-program', printed: [7e-4, 2e-6, 3e-10, 1e-18, 1e-25] },
] as const;
const CLASSICAL = { name: 'HPS, classical noise', bound: 'hps' } as const;

export const CENTRAL_DELTA_TABLE: Figure = {
  id: ID,
  paper: 'hps',
  title: TITLE,
  caption:
    'Gaussian noise with local delta 1e-10, 10,000 users of budgets uniform on [0.5, 2]: central delta by FV, CCC and HPS, and what the ' +
    'paper prints. HPS is drawn with the noise of the authors’ program, which explains the printed numbers and is too small for ' +
    'these budgets; the table has the classical one beside. Neither CCC nor HPS is an upper bound (docs/personalized.md).',
  cost: { full: 1, quick: 1 },
  make: () => Promise.resolve(deltaTable()),
};

/** A row of the table, FV first. */
export interface CentralDeltas {
  readonly epsilon: number;
  readonly printed: readonly number[];
  /** FV is stated for approximate local privacy, whose delta it counts. */
  readonly computed: readonly number[];
  /** FV without the local delta. */
  readonly pure: number;
  /** HPS by the noise that Gaussian mechanisms need for these budgets. */
  readonly classical: number;
}

/** The table as printed and as computed, for the figure and the claim alike. */
export function centralDeltas(): CentralDeltas[] {
  const setting = settingOf(BUDGETS, USERS, 'gaussian');
  const local = { epsilon0: Math.max(...setting.budgets), localDelta: LOCAL_DELTA, users: USERS };
  const columns = COLUMNS.map(({ bound }) => deltasOf(bound, setting));
  const classical = deltasOf(CLASSICAL.bound, setting);
  return EPSILONS.map((epsilon, k) => {
    const [pure, ...others] = columns.map((deltas) => deltas[k]!);
    return {
      epsilon,
      printed: COLUMNS.map(({ printed }) => printed[k]!),
      computed: [pure! + localDeltaTerm(epsilon, local), ...others],
      pure: pure!,
      classical: classical[k]!,
    };
  });
}

/** By how much printed and computed values differ, whichever is larger, row by row. */
export function printedFactors(rows: readonly CentralDeltas[]): number[] {
  return rows.flatMap(({ printed, computed }) =>
    printed.map((value, i) => Math.max(value / computed[i]!, computed[i]! / value)),
  );
}

function deltaTable(): FigureResult {
  const rows = centralDeltas();
  const columns = COLUMNS.map((column, i) => ({
    ...column,
    deltas: rows.map(({ computed }) => computed[i]!),
  }));
  return {
    charts: [
      {
        chart: {
          id: ID,
          title: TITLE,
          subtitle: `n = 10,000, budgets uniform on [0.5, 2], Gaussian noise, local delta ${LOCAL_DELTA}`,
          x: { title: 'central epsilon (nats)', scale: 'linear' },
          y: { title: 'central delta', scale: 'log' },
          panels: [
            {
              title: '',
              series: columns.flatMap(({ name, colourKey, printed, deltas }) => [
                seriesOf(name, 'line', colourKey, deltas),
                seriesOf(`${name}, printed`, 'printed', colourKey, printed),
              ]),
            },
          ],
        },
        caption: 'Marks without a line: what the paper prints.',
      },
    ],
    table: {
      columns: [
        'epsilon',
        ...columns.flatMap(({ name }) => [`delta, printed: ${name}`, `delta: ${name}`]),
        `delta: ${CLASSICAL.name}`,
      ],
      rows: rows.map(({ epsilon, printed, computed, classical }) => [
        epsilon,
        ...printed.flatMap((value, i) => [value, computed[i]!]),
        classical,
      ]),
    },
    notes: [
      'FV counts the local delta, about 2.2e-6 in the central one, as its theorem for approximate local privacy does.',
      `Printed and computed values differ by a factor of ${Math.max(...printedFactors(rows)).toFixed(2)} at most.`,
      `Seed ${seedOf(BUDGETS, USERS)}. The noise of the authors’ program depends on the width of the range, here ${RANGE}.`,
    ],
  };
}

function deltasOf(name: string, setting: PersonalizedSetting): number[] {
  const bound = personalizedBounds.find((candidate) => candidate.name === name)!;
  return EPSILONS.map((epsilon) => evaluatePersonalizedBound(bound, setting, { epsilon }).delta!);
}

function seriesOf(
  name: string,
  style: ChartSeries['style'],
  colourKey: string,
  deltas: readonly number[],
): ChartSeries {
  return { name, style, colourKey, points: EPSILONS.map((x, k) => ({ x, y: deltas[k]! })) };
}
