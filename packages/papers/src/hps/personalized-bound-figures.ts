/**
 * Central epsilon against the number of users who have budgets of their own: Figures 2, 7 and 8 of Y. Liu et
 * al., "Echo of Neighbors", AAAI 2023, and Figure 4 of Y. Liu et al., "Enhanced Privacy Bound for Shuffle
 * Model with Personalized Privacy", CIKM 2024. Beyond the papers: what is proved, from both sides
 * (docs/personalized.md).
 */
import { RandomStream } from '@shuffle-dp/core';
import {
  type BudgetDistribution,
  parseBudgets,
  personalizedAccount,
  type PersonalizedSettingOptions,
  sampleBudgets,
} from '@shuffle-dp/experiments/personalized';
import {
  amplificationCharts,
  amplificationResult,
  drawPanels,
  geometricGrid,
  savingNote,
  type AmplificationFigure,
} from '../figures/amplification-curves.ts';
import {
  BUDGET_DISTRIBUTIONS,
  HPS_BUDGET_DISTRIBUTIONS,
  WIDE_BUDGET_DISTRIBUTIONS,
  type NamedBudgets,
} from '../figures/budget-distributions.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';
import {
  APPROXIMATE_CURVES,
  CLASSICAL_NOISE,
  ECHO_CURVES,
  LOWER,
  OWN_NOISE,
  PRINTED_CURVES,
  PURE_CURVES,
  UPPER,
  type BoundCurve,
} from './personalized-bound-curves.ts';
import { RANGE } from './setting.ts';

interface Subject {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly distributions: readonly NamedBudgets[];
  readonly curves: readonly BoundCurve[];
  readonly mechanism: PersonalizedSettingOptions['mechanism'];
  readonly delta: number;
  readonly localDelta: number;
  readonly users: readonly [number, number];
}

const CLIP_LAPLACE = {
  subtitle: 'Clip-Laplace noise, delta = 1e-8',
  mechanism: 'clip-laplace',
  delta: 1e-8,
  localDelta: 0,
  users: [1000, 100_000],
} as const;

const HPS = { distributions: HPS_BUDGET_DISTRIBUTIONS, delta: 1e-5, users: [1000, 10_000] } as const;

/**
 * Drawn budgets are rounded to the nearest of this many values, for all curves alike: certificates ask for
 * few of them.
 */
const LEVELS = { full: 16, quick: 6 } as const;
/** Labels of users that stand free of one another where three panels share a row. */
const DECADES = [1000, 10_000, 100_000];
/** An odd number, so that 10,000 of 1,000 to 100,000 is among them. */
const POINTS = { full: 7, quick: 3 } as const;

const ECHO_NOTE =
  'The earlier bounds are taken at the largest budget. "EoN, numerical" is what the tables of the paper hold; neither it nor Theorem 4 ' +
  'is an upper bound for all budgets. A curve without points says nothing there: its conditions fail.';

const HPS_NOTE =
  'HPS, CCC and EoN are not upper bounds here; the clone bounds at the largest budget are none for noise of unbounded support. ' +
  "CCC counts every hiding message twice, as in the authors' comparison.";

const levelsNote = ({ quick }: FigureContext): string =>
  `Budgets are rounded to the nearest of ${LEVELS[quick ? 'quick' : 'full']} values from the smallest to the largest, for all curves. ` +
  'The certified epsilon is that of the worst user.';

export const PERSONALIZED_BOUND_FIGURES: readonly Figure[] = [
  echoFigure('apes.fig2', 'Figure 2: budgets in [0.05, 1]', BUDGET_DISTRIBUTIONS.slice(3), PRINTED_CURVES),
  echoFigure('apes.fig7', 'Figure 7: budgets in [0.05, 0.5]', BUDGET_DISTRIBUTIONS.slice(0, 3)),
  echoFigure('apes.fig8', 'Figure 8: budgets in [0.05, 3]', WIDE_BUDGET_DISTRIBUTIONS),
  {
    id: 'hps.fig4',
    paper: 'hps',
    title: 'HPS, Figure 4: central epsilon and the number of users',
    caption:
      'Hypothesis-testing clones, the bounds that the paper compares with, and what is proved, for Laplace noise (pure local privacy) ' +
      'and Gaussian noise (local delta 1e-10). Where the certified curve lies above a published one, that one is no bound or not known to be one.',
    cost: { full: 240, quick: 60 },
    make: async (context) => {
      const pure = await drawn(
        {
          ...HPS,
          id: 'hps.fig4',
          title: 'Personal budgets, Laplace noise',
          subtitle: 'pure local privacy, delta = 1e-5',
          curves: PURE_CURVES,
          mechanism: 'laplace',
          localDelta: 0,
        },
        context,
      );
      const approximate = await drawn(
        {
          ...HPS,
          id: 'hps.fig4-approximate',
          title: 'Personal budgets, Gaussian noise',
          subtitle: 'local delta 1e-10, delta = 1e-5',
          curves: APPROXIMATE_CURVES,
          mechanism: 'gaussian',
          localDelta: 1e-10,
        },
        context,
      );
      return {
        charts: [
          ...amplificationCharts(pure),
          // Two noises are two mechanisms; what is proved is of the classical one.
          ...amplificationCharts(without(approximate, [OWN_NOISE])),
          ...amplificationCharts({
            ...without(approximate, [CLASSICAL_NOISE, UPPER.name, LOWER.name]),
            id: 'hps.fig4-program',
            title: 'Personal budgets, Gaussian noise of the authors’ program',
          }),
        ],
        table: longTable([pure, approximate]),
        notes: [
          HPS_NOTE,
          levelsNote(context),
          savingNote(pure, 'HPS'),
          savingNote(approximate, OWN_NOISE),
          'The noise of the authors’ program is less than its budgets ask for; a nominal budget of 2 is a real one of 5.5.',
        ],
      };
    },
  },
];

/** The same panels without some curves. */
function without(figure: AmplificationFigure, names: readonly string[]): AmplificationFigure {
  const kept = figure.curves.map(({ name }) => !names.includes(name));
  return {
    ...figure,
    curves: figure.curves.filter((_, i) => kept[i]),
    panels: figure.panels.map((panel) => ({
      ...panel,
      points: panel.points.map(({ x, epsilons }) => ({ x, epsilons: epsilons.filter((_, i) => kept[i]) })),
    })),
  };
}

function echoFigure(
  id: string,
  title: string,
  distributions: readonly NamedBudgets[],
  printedCurves: readonly BoundCurve[] = [],
): Figure {
  return {
    id,
    paper: 'apes',
    title: `APES, ${title}`,
    caption:
      'Central epsilon of one dimension by echoes of neighbours, by the bounds that the paper compares with at the largest budget, ' +
      'and as proved for the worst user.',
    cost: { full: 35, quick: 5 },
    make: async (context) => {
      const curves = [...ECHO_CURVES, ...printedCurves];
      const figure = await drawn({ ...CLIP_LAPLACE, id, title, distributions, curves }, context);
      return amplificationResult(figure, [
        ECHO_NOTE,
        levelsNote(context),
        savingNote(figure, 'EoN, numerical'),
        savingNote(figure, 'certified, upper'),
      ]);
    },
  };
}

async function drawn(subject: Subject, context: FigureContext): Promise<AmplificationFigure> {
  const { id, title, subtitle, distributions, curves, mechanism, delta, localDelta } = subject;
  const size = context.quick ? 'quick' : 'full';
  const plans = distributions.map(({ name, text }) => {
    const distribution = parseBudgets(text);
    return {
      title: name,
      setting: [name, text],
      epsilonsAt: (users: number) => {
        const stream = RandomStream.fromSeed(id).fork(name).fork(users);
        const account = personalizedAccount({
          budgets: rounded(sampleBudgets(distribution, users, stream), distribution, LEVELS[size]),
          mechanism,
          delta,
          localDelta,
          clip: RANGE,
          domain: 2,
          levels: LEVELS[size],
        });
        return curves.map((curve) => curve.epsilon(account, name));
      },
    };
  });
  return {
    id,
    title,
    subtitle,
    baseline: 'the best of the earlier ones at each point',
    axes: 'epsilon',
    xTitle: 'users n',
    ...(distributions.length === 4 ? {} : { x: { ticks: DECADES } }),
    xName: 'users',
    settingNames: ['distribution', 'budgets'],
    curves,
    columns: distributions.length === 4 ? 2 : 3,
    panels: await drawPanels(id, plans, geometricGrid(...subject.users, POINTS[size]), context),
  };
}

/** To the nearest of this many equally spaced values, the ends of the range among them. */
function rounded(budgets: Float64Array, { low, high }: BudgetDistribution, levels: number): Float64Array {
  const step = (high - low) / (levels - 1);
  return budgets.map((budget) => low + step * Math.round((budget - low) / step));
}

/** One row a value: the curves of the two parts differ. */
function longTable(figures: readonly AmplificationFigure[]): FigureResult['table'] {
  return {
    columns: ['noise', 'distribution', 'budgets', 'users', 'bound', 'epsilon'],
    rows: figures.flatMap(({ title, curves, panels }) =>
      panels.flatMap(({ setting, points }) =>
        points.flatMap(({ x, epsilons }) =>
          curves.map(({ name }, i) => [title.split(', ')[1]!, ...setting, x, name, epsilons[i] ?? '']),
        ),
      ),
    ),
  };
}
