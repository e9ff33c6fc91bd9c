/**
 * How many blanket messages an item of the domain needs when users send all their items in the clear: by the
 * group rule of the published accounting, and by the exact divergence of whole sets under Poisson and
 * negative-binomial blankets (docs/sets.md).
 */
import { createSetProtocol, type BallsIntoBinsSetsSpec } from '@shuffle-dp/protocols';
import type { ChartPanel } from '@shuffle-dp/experiments/charts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';
import { inTurn } from '../figures/in-turn.ts';

const GROUP = 'coin flips, group rule';

const ACCOUNTINGS: readonly { readonly name: string; readonly spec: BallsIntoBinsSetsSpec }[] = [
  { name: GROUP, spec: { kind: 'balls-into-bins', accounting: 'group' } },
  { name: 'Poisson, exact', spec: { kind: 'balls-into-bins', accounting: 'exact' } },
  { name: 'negative binomial, q = 0.5', spec: negativeBinomial(0.5) },
  { name: 'negative binomial, q = 0.3', spec: negativeBinomial(0.3) },
];

const DOMAIN = 128;
const ITEMS = [1, 2, 4, 8, 16];
const QUICK_ITEMS = [1, 4, 8];

const SETTINGS = [
  { users: 5000, epsilon: 0.5 },
  { users: 5000, epsilon: 1 },
  { users: 5000, epsilon: 2 },
  { users: 50_000, epsilon: 0.5 },
  { users: 50_000, epsilon: 1 },
  { users: 50_000, epsilon: 2 },
] as const;

interface Row {
  readonly users: number;
  readonly epsilon: number;
  readonly items: number;
  /** Expected blankets per item of the domain over all users, in the order of `ACCOUNTINGS`. */
  readonly blankets: readonly number[];
}

export const SET_BLANKETS_FIGURE: Figure = {
  id: 'seg.blankets',
  paper: 'segmented',
  title: 'Segmented aggregation: blankets that a set of items needs',
  caption:
    'Least expected number of blanket messages per item of the domain, over all users, that hides a set of s items sent in the ' +
    `clear; delta = 0.01/n, domain ${DOMAIN}. The group rule pays for the items one by one; the exact accounting for the set. Not in ` +
    'the paper. Negative-binomial blankets have a variance of 1/q times their mean.',
  cost: { full: 2, quick: 1 },
  make: makeFigure,
};

async function makeFigure(context: FigureContext): Promise<FigureResult> {
  const { id, title } = SET_BLANKETS_FIGURE;
  const grid = context.quick ? QUICK_ITEMS : ITEMS;
  const panels = await inTurn(SETTINGS, context, ({ users, epsilon }) => {
    context.report(`${id}: n = ${users}, epsilon = ${epsilon}`);
    return grid.map((items): Row => ({
      users,
      epsilon,
      items,
      blankets: ACCOUNTINGS.map(({ spec }) => blanketsPerItem(spec, users, items, epsilon)),
    }));
  });
  const rows = panels.flat();
  return {
    charts: [
      {
        chart: {
          id,
          title,
          subtitle: `delta = 0.01/n, d = ${DOMAIN}, every item sent`,
          x: { title: 'items per user s', scale: 'log', ticks: grid },
          y: { title: 'blankets per item', scale: 'log' },
          panels: SETTINGS.map((setting) => panelOf(setting, rows)),
          columns: 3,
        },
        caption: 'Certified upper ends throughout.',
      },
    ],
    table: {
      columns: [
        'users',
        'epsilon',
        'items',
        ...ACCOUNTINGS.map(({ name }) => `blankets: ${name}`),
        ...ACCOUNTINGS.slice(1).map(({ name }) => `times fewer: ${name}`),
      ],
      rows: rows.map(({ users, epsilon, items, blankets }) => [
        users,
        epsilon,
        items,
        ...blankets,
        ...blankets.slice(1).map((own) => blankets[0]! / own),
      ]),
    },
    notes: (context.quick ? QUICK_ITEMS : ITEMS).map((items) => savedNote(items, rows)),
  };
}

function negativeBinomial(successProbability: number): BallsIntoBinsSetsSpec {
  return { kind: 'balls-into-bins', blankets: 'negative-binomial', successProbability };
}

function blanketsPerItem(spec: BallsIntoBinsSetsSpec, users: number, items: number, epsilon: number): number {
  const setting = { users, domain: DOMAIN, items, delta: 0.01 / users };
  const protocol = createSetProtocol(spec, { ...setting, levels: [epsilon], shares: [1] });
  return (users * protocol.parameters.blanketRate) / DOMAIN;
}

function panelOf({ users, epsilon }: (typeof SETTINGS)[number], rows: readonly Row[]): ChartPanel {
  const own = rows.filter((row) => row.users === users && row.epsilon === epsilon);
  return {
    title: `n = ${users.toLocaleString('en')}, epsilon = ${epsilon}`,
    series: ACCOUNTINGS.map(({ name }, i) => ({
      name,
      style: 'line',
      points: own.map(({ items, blankets }) => ({ x: items, y: blankets[i]! })),
    })),
  };
}

/** 's = 4: against the group rule Poisson, exact needs 4.1 to 4.4 times fewer; …' */
function savedNote(items: number, rows: readonly Row[]): string {
  const own = rows.filter((row) => row.items === items);
  const factors = ACCOUNTINGS.slice(1).map(({ name }, i) => {
    const times = own.map(({ blankets }) => blankets[0]! / blankets[i + 1]!);
    return `${name} ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} times`;
  });
  return `s = ${items}, fewer blankets than ${GROUP}: ${factors.join('; ')}.`;
}
