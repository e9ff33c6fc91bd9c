/** The figures of a run: error along the swept parameter, panel by panel of users; bars of protocols become lines. */
import type { CaptionedChart, ChartPanel, ChartPoint, ChartSeries } from '../charts/chart.ts';
import { MEASURE_WORDS } from '../results/measure-words.ts';
import type { CellResult, RunResult } from '../results/run-result.ts';

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

export function runCharts(run: RunResult): CaptionedChart[] {
  const charts: CaptionedChart[] = [];
  for (const parameter of run.sweptParameters) {
    const values = new Set(
      run.cells.map((cell) => cell.sweep[parameter]).filter((value) => typeof value === 'number'),
    );
    if (values.size > 1) charts.push(alongParameter(run, parameter));
  }
  if (new Set(run.cells.map((cell) => cell.users)).size > 1) charts.push(alongUsers(run));
  if (charts.length === 0) charts.push(alongUsers(run));
  return charts;
}

function alongParameter(run: RunResult, parameter: string): CaptionedChart {
  const title = AXIS_TITLES[parameter] ?? parameter;
  const { low, high } = sweptRange(run, parameter);
  return {
    chart: {
      id: `error-by-${parameter}`,
      title: `${run.config.name}: error by ${title}`,
      subtitle: subtitle(run),
      x: { title, scale: low > 0 && high / low > 5 ? 'log' : 'linear' },
      y: { title: MEASURE_WORDS[run.measure].axis, scale: 'log' },
      panels: panelsAlong(run, parameter),
      sharedY: false,
      colourKeys: protocolNames(run),
    },
    caption: caption(run),
  };
}

/** One panel for each number of users, items, domain and central target: error along one swept parameter. */
export function panelsAlong(run: RunResult, parameter: string, prefix = ''): ChartPanel[] {
  const { low, high } = sweptRange(run, parameter);
  const targetOf = (cell: CellResult): string =>
    parameter === 'targetEpsilon' ? '' : sweptTarget(run, cell);
  const groups = groupBy(run.cells, (cell) => `${cell.users} ${cell.domain} ${cell.items} ${targetOf(cell)}`);
  return [...groups.values()].map((cells) => ({
    title: [prefix + panelTitle(cells[0]!), targetOf(cells[0]!)].filter((part) => part !== '').join(', '),
    series: seriesAlong(cells, parameter, [low, high]),
  }));
}

function sweptRange(run: RunResult, parameter: string): { low: number; high: number } {
  const swept = run.cells.map((cell) => cell.sweep[parameter]).filter((value) => typeof value === 'number');
  return { low: Math.min(...swept), high: Math.max(...swept) };
}

/** A line per swept protocol, a level line for each of the others; of what else is swept, the best setting. */
function seriesAlong(
  cells: readonly CellResult[],
  parameter: string,
  ends: readonly number[],
): ChartSeries[] {
  const series: ChartSeries[] = [];
  for (const group of groupBy(cells, (cell) => `${cell.series}`).values()) {
    const name = group[0]!.protocol;
    const varying = group.filter((cell) => typeof cell.sweep[parameter] === 'number');
    if (varying.length > 1) {
      const points = bestBy(varying, (cell) => `${cell.sweep[parameter]}`)
        .map((cell) => ({ cell, x: cell.sweep[parameter] as number }))
        .sort((a, b) => a.x - b.x);
      series.push({ name, style: 'measured', points: points.map(({ cell, x }) => measuredPoint(cell, x)) });
      series.push(...theorySeries(name, points));
    } else {
      const [cell] = bestBy(group, () => '') as [CellResult];
      series.push({ name, style: 'measured', points: ends.map((x) => measuredPoint(cell, x)) });
    }
  }
  return series;
}

function theorySeries(name: string, points: readonly { cell: CellResult; x: number }[]): ChartSeries[] {
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
  add('expected', (cell) => cell.mseTheory);
  add('printed bound', (cell) => cell.mseBound);
  return lines.map((line, i) => (i === 0 ? { ...line, colourKey: name } : line));
}

/** The best setting of every protocol against the number of users, in one panel for each central target. */
function alongUsers(run: RunResult): CaptionedChart {
  const panels = [...groupBy(run.cells, (cell) => sweptTarget(run, cell))].map(([title, cells]) => ({
    title,
    series: [...groupBy(cells, (cell) => `${cell.series}`).values()].map((group): ChartSeries => ({
      name: group[0]!.protocol,
      style: 'measured',
      points: bestBy(group, (cell) => `${cell.users}`)
        .sort((a, b) => a.users - b.users)
        .map((cell) => measuredPoint(cell, cell.users)),
    })),
  }));
  return {
    chart: {
      id: 'error-by-users',
      title: `${run.config.name}: error by number of users`,
      subtitle: `${subtitle(run)}; the best setting of every protocol`,
      x: { title: 'users n', scale: 'log' },
      y: { title: MEASURE_WORDS[run.measure].axis, scale: 'log' },
      panels,
      colourKeys: protocolNames(run),
    },
    caption: caption(run),
  };
}

/** In the order of the config, so that a protocol has one colour in all charts. */
function protocolNames(run: RunResult): string[] {
  return [...new Set(run.cells.map(({ protocol }) => protocol))];
}

/** In words where the run has several targets: at different privacy no setting is better than another. */
function sweptTarget(run: RunResult, cell: CellResult): string {
  return run.sweptParameters.includes('targetEpsilon')
    ? `central epsilon ${cell.sweep['targetEpsilon']}`
    : '';
}

/** Of the cells with one key, that of the least error. */
function bestBy(cells: readonly CellResult[], key: (cell: CellResult) => string): CellResult[] {
  return [...groupBy(cells, key).values()].map((same) =>
    same.reduce((least, cell) => (cell.mse < least.mse ? cell : least)),
  );
}

function measuredPoint(cell: CellResult, x: number): ChartPoint {
  const { lower, upper } = cell.mseInterval;
  return {
    x,
    y: cell.mse,
    ...(Number.isFinite(lower) && Number.isFinite(upper) ? { low: lower, high: upper } : {}),
  };
}

function panelTitle({ users, domain, items }: CellResult): string {
  return `n = ${users.toLocaleString('en')}, d = ${domain}${items > 1 ? `, s = ${items}` : ''}`;
}

function subtitle(run: RunResult): string {
  return `${run.cells[0]?.trials ?? 0} trials a point, 95 % intervals`;
}

function caption(run: RunResult): string {
  return `Error: ${MEASURE_WORDS[run.measure].definition} against ${run.truth}. Bars: 95 % Student intervals over the trials. Seed ${run.provenance.seed}.`;
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = key(value);
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  }
  return groups;
}
