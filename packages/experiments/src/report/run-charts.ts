/**
 * The figures of a run: error along the swept parameter, panel by panel of users; bars of protocols become
 * lines.
 */
import { groupBy } from '@shuffle-dp/core';
import type { CaptionedChart, Chart, ChartPanel, ChartSeries } from '../charts/chart.ts';
import { TARGET_COLUMNS, THREAT_COLUMNS } from '../config/threat-columns.ts';
import { compareCells } from '../results/comparison.ts';
import { isAtCertifiedPrivacy } from '../results/equal-privacy.ts';
import { errorWords, theoryRemark } from '../results/error-words.ts';
import type { CellResult, RunResult } from '../results/run-result.ts';
import {
  chosenBy,
  measuredPoint,
  panelTitle,
  protocolNames,
  runCaption,
  runSubtitle,
  sweptTarget,
} from './chart-parts.ts';
import { threatCharts } from './threat-charts.ts';

/** What the swept parameters mean on an axis. */
const AXIS_TITLES: Readonly<Record<string, string>> = {
  blanketRate: 'blanket messages per user m',
  epsilon: 'central epsilon (nats)',
  targetEpsilon: 'central epsilon (nats)',
  epsilon0: 'local budget epsilon0 (nats)',
  subsetSize: 'size of the subsets k',
  hashRange: 'number of buckets l',
  branching: 'children of a node',
  flip: 'flip probability f',
  coin: 'probability of a blanket 1',
};

/**
 * As published first, where a run has both; then of those who meet what was asked for at equal certified
 * privacy.
 */
export function runCharts(run: RunResult): CaptionedChart[] {
  const certified = run.cells.filter((cell) => isAtCertifiedPrivacy(cell));
  if (certified.length === 0) return chartsOf(run);
  const ranked = new Set(compareCells(run).flatMap(({ cells }) => cells.map(({ cell }) => cell)));
  const met = { ...run, cells: certified.filter((cell) => ranked.has(cell)) };
  const published = { ...run, cells: run.cells.filter((cell) => !isAtCertifiedPrivacy(cell)) };
  return [
    ...(published.cells.length > 0 ? chartsOf(published) : []),
    ...(met.cells.length > 0 ? chartsOf(met).map(atEqualPrivacy) : []),
  ];
}

function atEqualPrivacy({ chart, caption }: CaptionedChart): CaptionedChart {
  return {
    chart: {
      ...chart,
      id: `${chart.id}-certified`,
      title: `${chart.title}, at equal certified privacy`,
    },
    caption,
  };
}

function chartsOf(whole: RunResult): CaptionedChart[] {
  const charts = threatCharts(whole);
  const run = withoutThreats(whole);
  for (const parameter of run.sweptParameters) {
    const values = new Set(
      run.cells.map((cell) => cell.sweep[parameter]).filter((value) => typeof value === 'number'),
    );
    if (values.size > 1) charts.push(alongParameter(run, parameter));
  }
  if (new Set(run.cells.map((cell) => cell.users)).size > 1) charts.push(alongUsers(run));
  if (charts.length === 0) charts.push(byProtocol(run));
  return charts;
}

/**
 * Those cells of each protocol that face the first threats of the config, which is none where it begins so.
 */
function withoutThreats(run: RunResult): RunResult {
  if (run.config.threats === undefined) return run;
  const facing = ({ sweep }: CellResult): string => THREAT_COLUMNS.map((name) => sweep[name]).join(' ');
  const [first] = run.cells;
  return {
    ...run,
    cells: run.cells.filter((cell) => facing(cell) === facing(first!)),
    sweptParameters: run.sweptParameters.filter((name) => !THREAT_COLUMNS.some((column) => column === name)),
  };
}

function alongParameter(run: RunResult, parameter: string): CaptionedChart {
  const title = AXIS_TITLES[parameter] ?? parameter;
  const { low, high } = sweptRange(run, parameter);
  return errorChart(run, title, {
    id: `error-by-${parameter}`,
    subtitle: runSubtitle(run),
    x: { title, scale: low > 0 && high / low > 5 ? 'log' : 'linear' },
    panels: panelsAlong(run, parameter),
    sharedY: false,
  });
}

/** One panel for each number of users, items, domain and central target: error along one swept parameter. */
export function panelsAlong(run: RunResult, parameter: string, prefix = ''): ChartPanel[] {
  const { low, high } = sweptRange(run, parameter);
  const targetOf = (cell: CellResult): string =>
    TARGET_COLUMNS.some((name) => name === parameter) ? '' : sweptTarget(run, cell);
  const groups = groupBy(run.cells, (cell) => `${cell.users} ${cell.domain} ${cell.items} ${targetOf(cell)}`);
  return [...groups.values()].map((cells) => ({
    title: [prefix + panelTitle(cells[0]!), targetOf(cells[0]!)].filter((part) => part !== '').join(', '),
    series: seriesAlong(cells, parameter, [low, high], run),
  }));
}

function sweptRange(run: RunResult, parameter: string): { low: number; high: number } {
  const swept = run.cells.map((cell) => cell.sweep[parameter]).filter((value) => typeof value === 'number');
  return { low: Math.min(...swept), high: Math.max(...swept) };
}

type ErrorOfRun = Pick<RunResult, 'measure' | 'error'>;

/**
 * A line per swept protocol, a level line for each of the others; of what else is swept, the chosen setting.
 */
function seriesAlong(
  cells: readonly CellResult[],
  parameter: string,
  ends: readonly number[],
  run: ErrorOfRun,
): ChartSeries[] {
  const series: ChartSeries[] = [];
  for (const group of groupBy(cells, (cell) => cell.series).values()) {
    const varying = group.filter((cell) => typeof cell.sweep[parameter] === 'number');
    if (varying.length > 1) {
      const points = chosenBy(varying, (cell) => `${cell.sweep[parameter]}`)
        .map((cell) => ({ cell, x: cell.sweep[parameter] as number }))
        .sort((a, b) => a.x - b.x);
      series.push(measuredSeries(points), ...theorySeries(group[0].protocol, points, run));
    } else {
      const [cell] = chosenBy(group, () => '') as [CellResult];
      series.push(measuredSeries(ends.map((x) => ({ cell, x }))));
    }
  }
  return series;
}

function theorySeries(name: string, points: readonly PlacedCell[], run: ErrorOfRun): ChartSeries[] {
  const lines: ChartSeries[] = [];
  const add = (label: string, of: (cell: CellResult) => number | null): void => {
    const known = points.filter(({ cell }) => of(cell) !== null);
    if (known.length > 1) {
      lines.push({
        name: `${name}, ${label}`,
        style: 'theory',
        points: known.map(({ cell, x }) => ({ x, y: of(cell) })),
      });
    }
  };
  add(`expected${theoryRemark(run)}`, (cell) => cell.error.theory);
  // Printed bounds are of the total squared error.
  if (run.error === 'total-squared') add('printed bound', (cell) => cell.mseBound);
  return lines.map((line, i) => (i === 0 ? { ...line, colourKey: name } : line));
}

/** The chosen setting of every protocol against the number of users, in one panel for each central target. */
function alongUsers(run: RunResult): CaptionedChart {
  return errorChart(run, 'number of users', {
    id: 'error-by-users',
    subtitle: `${runSubtitle(run)}; the chosen setting of every protocol`,
    x: { title: 'users n', scale: 'log' },
    panels: panelsByTarget(run, (cells) =>
      [...groupBy(cells, ({ series }) => series).values()].map((group) =>
        chosenBy(group, (cell) => `${cell.users}`)
          .sort((a, b) => a.users - b.users)
          .map((cell) => ({ cell, x: cell.users })),
      ),
    ),
  });
}

/**
 * Where nothing else differs: the chosen setting of every protocol, side by side, in one panel for each
 * central target.
 */
function byProtocol(run: RunResult): CaptionedChart {
  const names = protocolNames(run);
  return errorChart(run, 'protocol', {
    id: 'error-by-protocol',
    subtitle: `${runSubtitle(run)}; the chosen setting of every protocol`,
    x: { title: '', scale: 'linear', names },
    panels: panelsByTarget(run, (cells) =>
      chosenBy(cells, ({ series }) => `${series}`).map((cell) => [
        { cell, x: names.indexOf(cell.protocol) + 1 },
      ]),
    ),
  });
}

/** A panel for each central target that is swept over, of one series for each list of points. */
function panelsByTarget(
  run: RunResult,
  seriesOf: (cells: readonly CellResult[]) => readonly (readonly PlacedCell[])[],
): ChartPanel[] {
  return [...groupBy(run.cells, (cell) => sweptTarget(run, cell))].map(([title, cells]) => ({
    title,
    series: seriesOf(cells).map((points) => measuredSeries(points)),
  }));
}

/** A cell, and where it stands on the horizontal axis. */
interface PlacedCell {
  readonly cell: CellResult;
  readonly x: number;
}

function measuredSeries(points: readonly PlacedCell[]): ChartSeries {
  return {
    name: points[0]!.cell.protocol,
    style: 'measured',
    points: points.map(({ cell, x }) => measuredPoint(cell, x)),
  };
}

/** What all charts of errors have in common. */
function errorChart(run: RunResult, by: string, chart: Omit<Chart, 'title' | 'y'>): CaptionedChart {
  return {
    chart: {
      ...chart,
      title: `${run.config.name}: error by ${by}`,
      y: { title: errorWords(run).axis, scale: 'log' },
      colourKeys: protocolNames(run),
    },
    caption: runCaption(run),
  };
}
