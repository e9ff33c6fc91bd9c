/**
 * Curves of central epsilon by several bounds, and what they save against the best of those before them, as
 * charts.
 */
import type { CaptionedChart, ChartAxis, ChartPanel, SeriesStyle } from '@shuffle-dp/experiments/charts';
import type { ResultTable } from './figure-table.ts';
import type { Figure, FigureContext, FigureResult } from './figure.ts';
import { inTurn } from './in-turn.ts';

export interface AmplificationCurve<Name extends string = string> {
  readonly name: Name;
  readonly style: SeriesStyle;
  readonly colourKey?: string;
  /** 'compared' curves are compared with the best of the 'earlier' ones; 'context' is shown beside them. */
  readonly role: 'earlier' | 'compared' | 'context';
}

/** Central epsilon of every curve, in their order; null where a bound says nothing. */
export interface AmplificationPoint {
  readonly x: number;
  readonly epsilons: readonly (number | null)[];
}

export interface AmplificationPanel {
  readonly title: string;
  /** Leading columns of the table: users, domain, a distribution. */
  readonly setting: readonly (string | number)[];
  readonly points: readonly AmplificationPoint[];
}

/**
 * @typeParam Curve the names of the curves
 * @typeParam Named the columns before theirs
 */
export interface AmplificationFigure<Curve extends string = string, Named extends string = string> {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** What the savings are against: 'the best earlier bound at each point'. */
  readonly baseline: string;
  /**
   * The paper's axes. 'epsilon': central epsilon, both axes logarithmic unless `x` says otherwise.
   * 'amplification': log2 of x over the central epsilon, both axes linear; x is then the budget that is
   * amplified.
   */
  readonly axes: 'epsilon' | 'amplification';
  readonly xTitle: string;
  readonly x?: Partial<Pick<ChartAxis, 'scale' | 'ticks'>>;
  /** Column name of x in the table. */
  readonly xName: Named;
  readonly settingNames: readonly Named[];
  readonly curves: readonly AmplificationCurve<Curve>[];
  readonly panels: readonly AmplificationPanel[];
  /** Panels side by side; two by default. */
  readonly columns?: number;
}

/** What a panel will show: the epsilons of all curves, in their order, at any x. */
export interface PanelPlan extends Omit<AmplificationPanel, 'points'> {
  readonly epsilonsAt: (x: number) => readonly (number | null)[];
}

/** Every panel at the same values of x. */
export function drawPanels(
  id: string,
  plans: readonly PanelPlan[],
  grid: readonly number[],
  context: FigureContext,
): Promise<AmplificationPanel[]> {
  return inTurn(plans, context, async ({ epsilonsAt, ...panel }) => {
    context.report(`${id}: ${panel.title}`);
    const points = await inTurn(grid, context, (x) => ({ x, epsilons: epsilonsAt(x) }));
    return { ...panel, points };
  });
}

/**
 * What a figure of such curves says of itself, and what it draws.
 *
 * @typeParam Curve the names of the curves
 * @typeParam Named the columns before theirs
 */
interface CurvesSubject<Curve extends string, Named extends string>
  extends Omit<AmplificationFigure<Curve, Named>, 'panels'>, Pick<Figure, 'paper' | 'caption' | 'cost'> {
  readonly plans: readonly PanelPlan[];
  /** Values of x in a full figure and in a quick one. */
  readonly grid: { readonly full: readonly number[]; readonly quick: readonly number[] };
  readonly notes: (figure: AmplificationFigure) => readonly string[];
}

/** The figure of curves whose panels are all drawn alike. */
export function curvesFigure<Curve extends string, Named extends string>(
  subject: CurvesSubject<Curve, Named>,
): Figure<AmplificationColumn<Curve, Named>> {
  const { id, paper, title, caption, cost, plans, grid, notes } = subject;
  const make: Figure<AmplificationColumn<Curve, Named>>['make'] = async (context) => {
    const panels = await drawPanels(id, plans, grid[context.quick ? 'quick' : 'full'], context);
    const figure = { ...subject, panels };
    return amplificationResult(figure, notes(figure));
  };
  return { id, paper, title, caption, cost, make };
}

export function amplificationResult<Curve extends string, Named extends string>(
  figure: AmplificationFigure<Curve, Named>,
  notes: readonly string[],
): FigureResult<AmplificationColumn<Curve, Named>> {
  return { charts: amplificationCharts(figure), table: amplificationTable(figure), notes };
}

/**
 * On the paper's axes, which lets one lay it over the other; then the percentage that the compared curves
 * save, which tells them apart.
 */
export function amplificationCharts(figure: AmplificationFigure): CaptionedChart[] {
  const { id, title, subtitle, baseline, xTitle, axes } = figure;
  const x: ChartAxis = { title: xTitle, scale: axes === 'epsilon' ? 'log' : 'linear', ...figure.x };
  const common = {
    colourKeys: figure.curves.map(({ name, colourKey }) => colourKey ?? name),
    ...(figure.columns === undefined ? {} : { columns: figure.columns }),
  };
  const saving = figure.panels.map((panel) => panelOf(figure, panel, 'saving'));
  return [
    {
      chart: {
        id,
        title,
        subtitle,
        x,
        y: YAXES[axes],
        panels: figure.panels.map((panel) => panelOf(figure, panel, axes)),
        ...common,
      },
      caption: CAPTIONS[axes],
    },
    {
      chart: {
        id: `${id}-saving`,
        title: `${title}: budget saved`,
        subtitle: `${subtitle}; against ${baseline}`,
        x,
        y: { title: 'budget saved (%)', scale: 'linear', domain: tensAround(saving) },
        panels: saving,
        ...common,
      },
      caption: `Part of the central epsilon that is saved against ${baseline}.`,
    },
  ];
}

const YAXES = {
  epsilon: { title: 'central epsilon (nats)', scale: 'log' },
  amplification: { title: 'log2 of the amplification ratio', scale: 'linear' },
} as const;

const CAPTIONS = {
  epsilon: 'Central epsilon after shuffling.',
  amplification:
    'Base 2 logarithm of the amplification ratio, the budget at the bottom over the central epsilon, as in the paper: higher is better.',
} as const;

/** One range for all panels, with 0 in it: savings are shares of a whole. No curve lies on the frame. */
function tensAround(panels: readonly ChartPanel[]): [number, number] {
  const values = panels
    .flatMap(({ series }) => series)
    .flatMap(({ points }) => points)
    .flatMap(({ y }) => (y === null ? [] : [y]));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  // A value that is 0 up to rounding asks for no ten below it.
  const low = 10 * Math.floor(Math.min(0, least) / 10 + 1e-6);
  const high = 10 * Math.ceil(most / 10 - 1e-6);
  const room = 0.05 * (high - low);
  return [least - low < room ? low - room : low, high - most < room ? high + room : high];
}

/** From low to high, at equal distances, to three digits. */
export function linearGrid(low: number, high: number, points: number): number[] {
  return Array.from({ length: points }, (_, i) =>
    Number((low + ((high - low) * i) / (points - 1)).toPrecision(3)),
  );
}

/** From low to high, at equal ratios, to three digits. */
export function geometricGrid(low: number, high: number, points: number): number[] {
  return Array.from({ length: points }, (_, i) =>
    Number((low * (high / low) ** (i / (points - 1))).toPrecision(3)),
  );
}

function panelOf(
  { curves }: AmplificationFigure,
  panel: AmplificationPanel,
  shown: 'epsilon' | 'amplification' | 'saving',
): ChartPanel {
  return {
    title: panel.title,
    series: curves.flatMap(({ name, style, colourKey, role }, i) =>
      shown === 'saving' && role !== 'compared'
        ? []
        : {
            name,
            style,
            ...(colourKey === undefined ? {} : { colourKey }),
            points: panel.points.map((point) => ({
              x: point.x,
              y: heightOf(curves, point, i, shown),
            })),
          },
    ),
  };
}

function heightOf(
  curves: readonly AmplificationCurve[],
  point: AmplificationPoint,
  i: number,
  shown: 'epsilon' | 'amplification' | 'saving',
): number | null {
  if (shown === 'saving') return savingOf(curves, point, i);
  return shown === 'epsilon' ? point.epsilons[i]! : amplificationOf(point, i);
}

/** log2 of the budget over the central epsilon. */
function amplificationOf({ x, epsilons }: AmplificationPoint, i: number): number | null {
  const epsilon = epsilons[i] ?? null;
  return epsilon === null ? null : Math.log2(x / epsilon);
}

/**
 * Percentage by which curve `i` lies below the best earlier one at this point; null where either is missing.
 */
function savingOf(
  curves: readonly AmplificationCurve[],
  { epsilons }: AmplificationPoint,
  i: number,
): number | null {
  const earlier = epsilons.filter((value, k) => curves[k]!.role === 'earlier' && value !== null);
  const own = epsilons[i];
  if (earlier.length === 0 || own === null || own === undefined) return null;
  return 100 * (1 - own / Math.min(...(earlier as number[])));
}

export type AmplificationColumn<Curve extends string, Named extends string> =
  Named | `epsilon: ${Curve}` | `saved %: ${Curve}` | `log2 ratio: ${Curve}`;

export function amplificationTable<Curve extends string, Named extends string>(
  figure: AmplificationFigure<Curve, Named>,
): ResultTable<AmplificationColumn<Curve, Named>> {
  const { curves, panels, axes } = figure;
  const amplified = axes === 'amplification' ? curves : [];
  const compared = curves.flatMap(({ name, role }, i) => (role === 'compared' ? [{ name, i }] : []));
  return {
    columns: [
      ...figure.settingNames,
      figure.xName,
      ...curves.map(({ name }) => `epsilon: ${name}` as const),
      ...compared.map(({ name }) => `saved %: ${name}` as const),
      ...amplified.map(({ name }) => `log2 ratio: ${name}` as const),
    ],
    rows: panels.flatMap(({ setting, points }) =>
      points.map((point) => [
        ...setting,
        point.x,
        ...point.epsilons.map((value) => value ?? ''),
        ...compared.map(({ i }) => savingOf(curves, point, i) ?? ''),
        ...amplified.map((_, i) => amplificationOf(point, i) ?? ''),
      ]),
    ),
  };
}

/** 'n = 10,000: saves 12 to 31 %' for one curve, panel by panel. */
export function savingNote(figure: AmplificationFigure, name: string): string {
  const i = figure.curves.findIndex((curve) => curve.name === name);
  const ranges = figure.panels.map(({ title, points }) => {
    const saved = points.map((point) => savingOf(figure.curves, point, i)).filter((value) => value !== null);
    if (saved.length === 0) return `${title}: nothing to compare with`;
    const [least, most] = [Math.min(...saved).toFixed(0), Math.max(...saved).toFixed(0)];
    return `${title}: ${least === most ? least : `${least} to ${most}`} %`;
  });
  return `Saved by "${name}": ${ranges.join('; ')}.`;
}
