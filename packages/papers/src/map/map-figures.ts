/**
 * The map of what is best where, at equal certified privacy: for one category, one number and a set of items
 * a user, over users, domains and epsilons. Every protocol of the registry takes part at its certified
 * parameters; errors are closed forms at even data, as in `plan`.
 */
import { tableOf, type ColumnOf } from '../claims/table-values.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';
import { inTurn } from '../figures/in-turn.ts';
import { mapCell, MAP_RULES, placesWon, type MapCell, type MapPlace, type MapWinner } from './map-cell.ts';
import { mapCharts, type MapTitle } from './map-charts.ts';

/** Values of each axis: all, and for --quick. */
interface Axes {
  readonly users: readonly number[];
  readonly domains: readonly (number | undefined)[];
  readonly epsilons: readonly number[];
}

interface MapOf extends MapTitle, Pick<MapPlace, 'task' | 'items'> {
  readonly axes: Readonly<Record<'full' | 'quick', Axes>>;
  readonly cost: Figure['cost'];
}

const USERS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
const FEW_USERS = [1e3, 1e5];

const MAPS: readonly MapOf[] = [
  {
    id: 'map.frequencies',
    task: 'frequencies',
    title: 'Frequencies',
    subtitle: 'least sum of squared errors, delta = 0.01/n',
    upright: 'domain',
    axes: {
      full: { users: USERS, domains: [2, 16, 256, 4096, 1e6], epsilons: [0.1, 1, 4] },
      quick: { users: FEW_USERS, domains: [2, 256], epsilons: [1] },
    },
    cost: { full: 240, quick: 6 },
  },
  {
    id: 'map.mean',
    task: 'mean',
    title: 'Means',
    subtitle: 'least squared error of the mean of numbers in [0, 1], delta = 0.01/n',
    upright: 'epsilon',
    axes: {
      full: { users: USERS, domains: [undefined], epsilons: [0.1, 1, 4] },
      quick: { users: FEW_USERS, domains: [undefined], epsilons: [1] },
    },
    cost: { full: 100, quick: 5 },
  },
  {
    id: 'map.sets',
    task: 'sets',
    items: 4,
    title: 'Sets of four items',
    subtitle: 'least sum of squared errors, delta = 0.01/n',
    upright: 'domain',
    axes: {
      full: { users: USERS, domains: [8, 64, 512], epsilons: [0.1, 1, 4] },
      quick: { users: FEW_USERS, domains: [64], epsilons: [1] },
    },
    cost: { full: 240, quick: 5 },
  },
];

export const MAP_FIGURES: readonly Figure[] = MAPS.map((map) => ({
  id: map.id,
  paper: 'map',
  title: `${map.title}: which protocol errs least`,
  caption:
    'At each number of users, domain and certified epsilon the protocol of the least expected error, ' +
    'with one message a user, with any number of messages, and with an augmented shuffler.',
  cost: map.cost,
  make: (context) => makeMap(map, context),
}));

async function makeMap(map: MapOf, context: FigureContext): Promise<FigureResult> {
  const { users, domains, epsilons } = map.axes[context.quick ? 'quick' : 'full'];
  const places = epsilons.flatMap((epsilon) =>
    domains.flatMap((domain) =>
      users.map((count): MapPlace => ({
        task: map.task,
        users: count,
        ...(domain === undefined ? {} : { domain }),
        ...(map.items === undefined ? {} : { items: map.items }),
        epsilon,
      })),
    ),
  );
  const cells = await inTurn(places, context, (place) => {
    context.report(`${map.id}: ${placeText(place)}`);
    return mapCell(place);
  });
  const rows = cells.flatMap((cell) => cell.winners.map((winner) => ({ ...cell, ...winner })));
  return {
    charts: mapCharts(map, cells),
    table: tableOf(rows, COLUMNS),
    notes: MAP_RULES.map(({ name }, r) => `With ${name}: ${winsText(cells, r)}.`),
  };
}

function placeText({ users, domain, epsilon }: MapPlace): string {
  const over = domain === undefined ? '' : `, d = ${domain.toLocaleString('en')}`;
  return `n = ${users.toLocaleString('en')}${over}, epsilon = ${epsilon}`;
}

const COLUMNS: Readonly<Record<string, ColumnOf<MapCell & MapWinner>>> = {
  task: 'task',
  users: 'users',
  domain: ({ domain }) => domain ?? '',
  items: ({ items }) => items ?? '',
  epsilon: 'epsilon',
  delta: 'delta',
  allowed: ({ rule }) => rule.name,
  protocol: ({ best }) => best?.protocol ?? '',
  error: ({ best }) => best?.error ?? '',
  messages: ({ best }) => best?.messages ?? '',
  bits: ({ best }) => best?.bits ?? '',
  'epsilon proved': ({ best }) => best?.epsilon.upper ?? '',
  'runner-up': ({ second }) => second?.protocol ?? '',
  'runner-up over best': ({ best, second }) => (best && second ? second.error / best.error : ''),
  'runner-up messages': ({ second }) => second?.messages ?? '',
  'runner-up bits': ({ second }) => second?.bits ?? '',
};

/** 'pureDUMP wins 40 places of 108, …'. */
function winsText(cells: readonly MapCell[], rule: number): string {
  return placesWon(cells, rule)
    .map(([name = 'no protocol', count]) => `${name} at ${count} of ${cells.length} places`)
    .join(', ');
}
