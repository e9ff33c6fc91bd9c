/** The map as charts: who wins where, and what one message a user costs. */
import type { CaptionedChart, Chart } from '@shuffle-dp/experiments/charts';
import { MAP_RULES, placesWon, type MapCell } from './map-cell.ts';

/** What stands on the upright axis. */
export type Upright = 'domain' | 'epsilon';

export interface MapTitle {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly upright: Upright;
}

const UPRIGHT_TITLES: Readonly<Record<Upright, string>> = {
  domain: 'categories or items',
  epsilon: 'certified central epsilon (nats)',
};

export function mapCharts(map: MapTitle, cells: readonly MapCell[]): CaptionedChart[] {
  const names = winnersOf(cells);
  return [
    ...MAP_RULES.map((rule, r) => ({
      chart: {
        id: `${map.id}-${rule.name.replaceAll(' ', '-')}`,
        title: `${map.title}: ${rule.name}`,
        subtitle: map.subtitle,
        x: USERS,
        y: { title: UPRIGHT_TITLES[map.upright], scale: 'log', ticks: placesOf(cells, map.upright) },
        panels: panelsOf(map, cells).map(({ title, cells: shown }) => ({
          title,
          series: winnersOf(cells, r).map((name) => ({
            name,
            style: 'printed',
            points: shown
              .filter(({ winners }) => winners[r]!.best?.protocol === name)
              .map((cell) => ({ x: cell.users, y: cell[map.upright]! })),
          })),
        })),
        colourKeys: names,
        columns: COLUMNS,
      } satisfies Chart,
      caption: `The protocol of the least expected error at each place: ${rule.name}. ${inWords(cells, r)}`,
    })),
    priceOfOneMessage(map, cells),
  ];
}

/** Panels of a row: all epsilons of the map. */
const COLUMNS = 3;
const USERS = { title: 'users', scale: 'log' } as const;

/** In the order in which they come up; by one rule, or by all. */
function winnersOf(cells: readonly MapCell[], rule?: number): string[] {
  const all = cells.flatMap(({ winners }) =>
    winners.flatMap(({ best }, r) => (rule === undefined || r === rule ? (best?.protocol ?? []) : [])),
  );
  return [...new Set(all)];
}

/** The only values that there are on the upright axis. */
function placesOf(cells: readonly MapCell[], upright: Upright): number[] {
  return [...new Set(cells.map((cell) => cell[upright]!))].toSorted((a, b) => a - b);
}

/** The upright axis shows one of domain and epsilon, and panels the other. */
function panelsOf(
  { upright }: MapTitle,
  cells: readonly MapCell[],
): readonly { readonly title: string; readonly cells: readonly MapCell[] }[] {
  if (upright === 'epsilon') return [{ title: 'all epsilons', cells }];
  return [...new Set(cells.map(({ epsilon }) => epsilon))].map((epsilon) => ({
    title: `epsilon = ${epsilon}`,
    cells: cells.filter((cell) => cell.epsilon === epsilon),
  }));
}

/** For those who do not see the picture: how many places each protocol wins. */
function inWords(cells: readonly MapCell[], rule: number): string {
  return `Places won: ${placesWon(cells, rule)
    .map(([name = 'none', count]) => `${name} ${count}`)
    .join(', ')}.`;
}

function priceOfOneMessage(map: MapTitle, cells: readonly MapCell[]): CaptionedChart {
  const series = (shown: readonly MapCell[]) =>
    [...new Set(shown.map((cell) => cell[map.upright]!))].map((value) => ({
      name: `${map.upright} ${value.toLocaleString('en')}`,
      style: 'line' as const,
      points: shown
        .filter((cell) => cell[map.upright] === value)
        .map((cell) => ({ x: cell.users, y: errorRatio(cell, 0, 1) })),
    }));
  return {
    chart: {
      id: `${map.id}-price`,
      title: `${map.title}: what one message a user costs`,
      subtitle: map.subtitle,
      x: USERS,
      y: { title: 'error over that of any number', scale: 'log' },
      panels: panelsOf(map, cells).map(({ title, cells: shown }) => ({ title, series: series(shown) })),
      columns: COLUMNS,
    },
    caption: 'Least error with one message a user over the least error with any number of them.',
  };
}

/** Of the winners of two rules; null where either has none. */
export function errorRatio({ winners }: MapCell, over: number, under: number): number | null {
  const [above, below] = [winners[over]!.best, winners[under]!.best];
  return above && below ? above.error / below.error : null;
}
