/**
 * Table 5 of Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and Tightened" (PVLDB
 * 17(8), 2024): any randomizer with local budget epsilon0, delta = 0.01/n. The pair is the stronger clones',
 * so the value is an upper bound. Printed are results of T bisection steps with a safety margin of 10 % of
 * delta, hence slightly larger.
 */
import { strongerClonePair, variationRatioEpsilon } from '@shuffle-dp/accounting';
import type { Interval } from '@shuffle-dp/core';
import type { ChartAxis, ChartPanel, ChartSeries } from '@shuffle-dp/experiments/charts';
import { tableOf } from '../claims/table-values.ts';
import type { Figure, FigureResult } from '../figures/figure.ts';

/** Local budget, users, then epsilon and seconds as printed for T = 20 and for T = 10. */
export const PRINTED = [
  [1, 1e4, 0.0433, 0.45, 0.044, 2.3],
  [1, 1e6, 0.00503, 16.7, 0.00586, 4.7],
  [1, 1e8, 0.000566, 106.2, 0.000977, 0.43],
  [3, 1e4, 0.227, 3.8, 0.229, 1.5],
  [3, 1e6, 0.0255, 13.9, 0.0264, 2.8],
  [3, 1e8, 0.00283, 117.5, 0.00293, 5.2],
  [5, 1e4, 0.743, 2.4, 0.743, 0.9],
  [5, 1e6, 0.0778, 9.3, 0.0782, 3.1],
  [5, 1e8, 0.00853, 44.6, 0.00977, 7.9],
  [7, 1e4, 6.99, 0.24, 6.99, 0.31],
  [7, 1e6, 0.224, 2.8, 0.225, 1.2],
  [7, 1e8, 0.0242, 17.9, 0.0273, 5.1],
] as const;

/** The bracket of the pair's epsilon at delta = 0.01/n. */
export function generalEpsilon(epsilon0: number, users: number): Interval {
  return variationRatioEpsilon(strongerClonePair(epsilon0), users, 0.01 / users);
}

export const GENERAL_TABLE: Figure = {
  id: 'vr.table5',
  paper: 'variation-ratio',
  title: 'Variation-ratio paper, Table 5: any randomizer',
  caption:
    'Central epsilon of the worst randomizer with a given local budget, by users: the values that the paper prints for 20 ' +
    'bisection steps, and ours, a bracket of the same quantity.',
  cost: { full: 1, quick: 1 },
  make: () => Promise.resolve(makeTable()),
};

interface Row {
  readonly epsilon0: number;
  readonly users: number;
  /** Epsilon and seconds for T = 20, then for T = 10. */
  readonly printed: readonly [number, number, number, number];
  readonly ours: Interval;
  readonly seconds: number;
}

const BUDGETS = [...new Set(PRINTED.map(([epsilon0]) => epsilon0))];
const BUDGETS_AXIS: ChartAxis = {
  title: 'local budget epsilon0 (nats)',
  scale: 'linear',
  names: BUDGETS.map(String),
};

/** In per cent. */
function excess({ printed, ours }: Row, column: 0 | 2): number {
  return 100 * (printed[column] / ours.upper - 1);
}

interface Column {
  readonly name: string;
  readonly style: ChartSeries['style'];
  readonly value: (row: Row) => number;
}

/** A panel for each number of users; budgets are four settings, and no line joins them. */
function panelsOf(rows: readonly Row[], columns: readonly Column[]): ChartPanel[] {
  return [...new Set(rows.map(({ users }) => users))].map((users) => ({
    title: `n = ${users.toLocaleString('en')}`,
    series: columns.map(({ name, style, value }) => ({
      name,
      style,
      points: rows
        .filter((row) => row.users === users)
        .map((row) => ({ x: BUDGETS.indexOf(row.epsilon0 as (typeof BUDGETS)[number]) + 1, y: value(row) })),
    })),
  }));
}

function makeTable(): FigureResult {
  const rows = PRINTED.map(([epsilon0, users, ...printed]): Row => {
    const start = performance.now();
    const ours = generalEpsilon(epsilon0, users);
    return { epsilon0, users, printed, ours, seconds: (performance.now() - start) / 1000 };
  });
  const width = Math.max(...rows.map(({ ours }) => ours.upper / ours.lower - 1));
  const most = Math.max(...rows.map(({ printed, ours }) => printed[0] / ours.upper - 1));
  const slowest = Math.max(...rows.map(({ seconds }) => seconds));
  return {
    charts: [
      {
        chart: {
          id: GENERAL_TABLE.id,
          title: GENERAL_TABLE.title,
          subtitle: 'delta = 0.01/n, replace-one neighbours',
          x: BUDGETS_AXIS,
          y: { title: 'central epsilon (nats)', scale: 'log' },
          panels: panelsOf(rows, [
            { name: 'ours', style: 'line', value: ({ ours }) => ours.upper },
            { name: 'printed, T = 20', style: 'printed', value: ({ printed }) => printed[0] },
            { name: 'printed, T = 10', style: 'printed', value: ({ printed }) => printed[2] },
          ]),
          columns: 3,
        },
        caption: 'Hollow marks: as printed, for 20 and for 10 bisection steps.',
      },
      {
        chart: {
          id: `${GENERAL_TABLE.id}-excess`,
          title: `${GENERAL_TABLE.title}: what is printed above ours`,
          subtitle: 'delta = 0.01/n, replace-one neighbours',
          x: BUDGETS_AXIS,
          y: { title: 'above ours (%)', scale: 'log' },
          panels: panelsOf(rows, [
            { name: 'printed, T = 20', style: 'printed', value: (row) => excess(row, 0) },
            { name: 'printed, T = 10', style: 'printed', value: (row) => excess(row, 2) },
          ]),
          columns: 3,
          colourKeys: ['ours'],
        },
        caption:
          'By how much the printed value exceeds our upper end. A value that rounding to three digits takes below ours has no mark.',
      },
    ],
    table: tableOf(rows, {
      epsilon0: 'epsilon0',
      users: 'users',
      'printed epsilon, T = 20': ({ printed }) => printed[0],
      'printed epsilon, T = 10': ({ printed }) => printed[2],
      'epsilon, lower end': ({ ours }) => ours.lower,
      'epsilon, upper end': ({ ours }) => ours.upper,
      'printed above ours %': (row) => Number(excess(row, 0).toFixed(3)),
      'printed seconds, T = 20': ({ printed }) => printed[1],
      'printed seconds, T = 10': ({ printed }) => printed[3],
      'seconds here': ({ seconds }) => Number(seconds.toFixed(4)),
    }),
    notes: [
      `Brackets are ${width.toExponential(0)} wide relative to their ends; printed values lie up to ${(100 * most).toFixed(2)} % above them.`,
      `The slowest took ${(1000 * slowest).toFixed(0)} ms here, once, in a process that had just started; times printed in the paper are of another machine.`,
    ],
  };
}
