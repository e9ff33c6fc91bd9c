/** The answer of a run as a chart: what each protocol estimates of each quantity, beside the truth. */
import type { CaptionedChart, ChartPanel, ChartPoint, ChartSeries } from '../charts/chart.ts';
import { GREY } from '../charts/theme.ts';
import { chosenCells, compareCells, type ComparisonGroup } from '../results/comparison.ts';
import { isAtCertifiedPrivacy } from '../results/equal-privacy.ts';
import { threatWords } from '../results/cell-setting.ts';
import { protocolNames, sweptTarget } from './chart-parts.ts';
import { itemEstimates, type ItemEstimate } from '../results/item-estimates.ts';
import type { CellResult, RunResult } from '../results/run-result.ts';

/** More names cannot be read, and more protocols not be told apart. */
const MOST_ITEMS = 20;
const MOST_PROTOCOLS = 6;
const MOST_PANELS = 4;
/** Distance of two protocols at one name, of names at distance 1. */
const APART = 0.12;
/** Standard deviations around the mean that 95 % of single runs are within, if they are normal. */
const NORMAL_95 = 1.96;
const TRUTH = 'truth';

interface Options {
  /** Default true; without it no truth is shown. */
  readonly truth?: boolean;
}

/** None where the cells keep no answers, or searches have found nothing. */
export function estimatesChart(run: RunResult, { truth = true }: Options = {}): CaptionedChart[] {
  const settings = compareCells(run)
    .map((group) => ({ group, answered: answeredCells(group) }))
    .filter(({ answered }) => answered.length > 0)
    .map(({ group, answered }) => ({ group, answered, cells: shownCells(answered, truth) }));
  const groups = settings.slice(0, MOST_PANELS);
  const [first] = groups;
  if (first === undefined) return [];
  const protocols = Math.max(...groups.map(({ answered }) => answered.length));
  const shown = groups.flatMap(({ cells }) => cells);
  const told = firstEstimates(shown, run);
  if (told.length === 0) return [];
  const items = shownItems(told);
  const single = items.length === 1 && run.measure !== 'heavy-hitters';
  const names = single ? first.cells.map(({ protocol }) => protocol) : items.map(({ name }) => name);
  const numbers = items.map(({ item }) => item);
  const panelOf = ({ group, cells }: (typeof groups)[number]): ChartPanel => ({
    title: panelTitle(group, run),
    series: single ? protocolSeries(cells, run, truth) : itemSeries(cells, numbers, run, truth),
  });
  return [
    {
      chart: {
        id: 'estimates',
        title: `${run.config.name}: estimates`,
        subtitle: `means of ${run.config.trials} trials; bars: 95 % of single runs`,
        x: { title: single ? '' : 'largest estimates', scale: 'linear', names },
        y: { title: single ? items[0]!.name : 'estimate', scale: 'linear' },
        bars: '95 % of single runs',
        panels: groups.map(panelOf),
        colourKeys: protocolNames(run),
        // Protocols keep the colours that they have in other charts.
        looks: { [TRUTH]: GREY },
      },
      caption: `Mean estimates over the trials. Bars: 1.96 standard deviations of one estimate to either side; if estimates are normal, 95 % of single runs are there.${
        settings.length > MOST_PANELS
          ? ` The first ${MOST_PANELS} of ${settings.length} settings are shown; all are in estimates.csv.`
          : ''
      }${
        protocols > MOST_PROTOCOLS
          ? ` Of ${protocols} protocols the ${truth ? `${MOST_PROTOCOLS} that err least` : `first ${MOST_PROTOCOLS}`} are shown.`
          : ''
      }`,
    },
  ];
}

function answeredCells(group: ComparisonGroup): CellResult[] {
  return chosenCells(group)
    .map(({ cell }) => cell)
    .filter(({ answers }) => answers !== null);
}

/** Of many those that err least, in their order; the first where no error is to be told. */
function shownCells(cells: readonly CellResult[], truth: boolean): readonly CellResult[] {
  if (!truth) return cells.slice(0, MOST_PROTOCOLS);
  const best = cells.toSorted((a, b) => a.error.mean - b.error.mean).slice(0, MOST_PROTOCOLS);
  return cells.filter((cell) => best.includes(cell));
}

/** A search may have found nothing; all else tells of the same items in every cell. */
function firstEstimates(cells: readonly CellResult[], run: RunResult): readonly ItemEstimate[] {
  for (const cell of cells) {
    const estimates = itemEstimates(cell, run);
    if (estimates.length > 0) return estimates;
  }
  return [];
}

/** All of few; of many those with the largest estimates, which are known where no truth is. */
function shownItems(estimates: readonly ItemEstimate[]): readonly ItemEstimate[] {
  if (estimates.length <= MOST_ITEMS) return estimates;
  return estimates.toSorted((a, b) => b.mean - a.mean || a.item - b.item).slice(0, MOST_ITEMS);
}

function protocolSeries(cells: readonly CellResult[], run: RunResult, truth: boolean): ChartSeries[] {
  const estimates = cells.map((cell) => itemEstimates(cell, run)[0]!);
  const points = estimates.map((estimate, i) => pointOf(estimate, i + 1));
  const level = estimates.map((estimate, i) => ({ x: i + 1, y: estimate.truth }));
  return [
    ...(truth ? [{ name: TRUTH, style: 'theory', points: level } as const] : []),
    ...points.map((point, i): ChartSeries => ({
      name: cells[i]!.protocol,
      style: 'measured',
      points: [point],
    })),
  ];
}

function itemSeries(
  cells: readonly CellResult[],
  items: readonly number[],
  run: RunResult,
  truth: boolean,
): ChartSeries[] {
  const series = cells.map((cell, k): ChartSeries => {
    const estimates = byItem(cell, run);
    const shift = (k - (cells.length - 1) / 2) * APART;
    return {
      name: cell.protocol,
      style: 'measured',
      points: items.map((item, i) => pointOf(estimates.get(item), i + 1 + shift)),
    };
  });
  if (!truth) return series;
  // What a search has found of one cell it may not have found of another.
  const known = cells.map((cell) => byItem(cell, run));
  const truthOf = (item: number): number | null =>
    known.find((estimates) => estimates.has(item))?.get(item)!.truth ?? null;
  const points = items.map((item, i) => ({ x: i + 1, y: truthOf(item) }));
  return [{ name: TRUTH, style: 'printed', points }, ...series];
}

/** A gap where a protocol does not tell of an item. */
function pointOf(estimate: ItemEstimate | undefined, x: number): ChartPoint {
  if (estimate === undefined) return { x, y: null };
  const { mean, deviation } = estimate;
  if (deviation === null) return { x, y: mean };
  return { x, y: mean, low: mean - NORMAL_95 * deviation, high: mean + NORMAL_95 * deviation };
}

function panelTitle({ best, users }: ComparisonGroup, run: RunResult): string {
  const target = sweptTarget(run, best);
  return [
    `n = ${users.toLocaleString('en')}`,
    ...(target === '' ? [] : [target]),
    ...(isAtCertifiedPrivacy(best) ? ['certified'] : []),
    ...threatWords(best),
  ].join(', ');
}

function byItem(cell: CellResult, run: RunResult): ReadonlyMap<number, ItemEstimate> {
  return new Map(itemEstimates(cell, run).map((estimate) => [estimate.item, estimate]));
}
