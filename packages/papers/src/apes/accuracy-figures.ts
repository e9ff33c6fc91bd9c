/**
 * Figures 3 to 5 of Y. Liu et al., "Echo of Neighbors", AAAI 2023: accuracy against the distribution of
 * budgets, the clip bound, and the share of dimensions that sparsification keeps.
 */
import type { ChartSeries } from '@shuffle-dp/experiments/charts';
import { finalAccuracy } from '@shuffle-dp/experiments/federated';
import { PAPER_NAMES, PRINTED_SHUFFLED, SHUFFLED_KINDS } from './printed.ts';
import {
  accuracyPoint,
  seedNote,
  SETTING_NOTE,
  train,
  trainShuffled,
  trialsText,
  type Variation,
  type VariationResult,
} from './trainings.ts';
import { BUDGET_DISTRIBUTIONS } from '../figures/budget-distributions.ts';
import type { ResultTable } from '../figures/figure-table.ts';
import type { Figure } from '../figures/figure.ts';

const CLIP_BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
const QUICK_CLIP_BOUNDS = [0.01, 0.1, 1];
const KEPT_SHARES = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];
const QUICK_KEPT_SHARES = [0.02, 0.1, 0.2];
/** @typeParam Varied what varies between the rows */
type Columns<Varied extends string> =
  Varied | 'budgets' | 'framework' | 'trials' | 'accuracy' | 'accuracy_ci_low' | 'accuracy_ci_high';

export const DISTRIBUTION_FIGURE: Figure<Columns<'distribution'>> = {
  id: 'apes.fig3',
  paper: 'apes',
  title: 'APES, Figure 3: accuracy and the distribution of the budgets',
  caption:
    'Test accuracy of the shuffled frameworks under the six distributions of local budgets, with the printed values of Tables 3 and 4.',
  cost: { full: 150, quick: 30 },
  make: async (context) => {
    const results = await trainShuffled(context);
    return {
      charts: [
        {
          chart: {
            id: 'apes.fig3',
            title: 'Accuracy and the distribution of the budgets',
            subtitle: trialsText(context),
            x: {
              title: 'distribution of the local budgets',
              scale: 'linear',
              names: BUDGET_DISTRIBUTIONS.map(({ name }) => name),
            },
            y: { title: 'accuracy (%)', scale: 'linear' },
            panels: [
              {
                title: '10,000 users',
                series: [
                  ...seriesOf(results),
                  ...SHUFFLED_KINDS.map((kind) => ({
                    name: `${PAPER_NAMES[kind]!}, printed`,
                    style: 'printed' as const,
                    colourKey: kind,
                    points: BUDGET_DISTRIBUTIONS.map(({ name }, i) => ({
                      x: i + 1,
                      y: PRINTED_SHUFFLED[name]![kind].accuracy,
                    })),
                  })),
                ],
              },
            ],
          },
          caption: 'Hollow marks: what the paper prints.',
        },
      ],
      table: tableOf('distribution', results),
      notes: [SETTING_NOTE, seedNote('apes.fig3')],
    };
  },
};

export const CLIP_BOUND_FIGURE: Figure<Columns<'clip_bound'>> = {
  id: 'apes.fig4',
  paper: 'apes',
  title: 'APES, Figure 4: accuracy and the clip bound',
  caption:
    'Test accuracy with Clip-Laplace and with Laplace noise against the bound to which each coordinate of a gradient is clipped.',
  cost: { full: 60, quick: 10 },
  make: async (context) => {
    const variations = (context.quick ? QUICK_CLIP_BOUNDS : CLIP_BOUNDS).map((clipBound) => ({
      name: String(clipBound),
      x: clipBound,
      budgets: 'uniform(0.05,1)',
      frameworks: [
        { kind: 'apes' as const, label: 'Clip-Laplace', clipBound },
        { kind: 'uni-shuffle' as const, label: 'Laplace', clipBound },
      ],
    }));
    const results = await train('apes.fig4', variations, context, 'sweep');
    return {
      charts: [
        {
          chart: {
            id: 'apes.fig4',
            title: 'Accuracy and the clip bound',
            subtitle: trialsText(context, 'sweep'),
            x: { title: 'clip bound C', scale: 'log' },
            y: { title: 'accuracy (%)', scale: 'linear' },
            panels: [{ title: 'budgets uniform on [0.05, 1]', series: seriesOf(results) }],
          },
          caption: '',
        },
      ],
      table: tableOf('clip_bound', results),
      notes: [bestNote('C', results), SETTING_NOTE, seedNote('apes.fig4')],
    };
  },
};

export const SPARSIFICATION_FIGURE: Figure<Columns<'kept_share'>> = {
  id: 'apes.fig5',
  paper: 'apes',
  title: 'APES, Figure 5: accuracy and sparsification',
  caption:
    'Test accuracy of S-APES against the share of the dimensions that it keeps: the largest after randomizing (as published), or random ones. ' +
    'APES keeps all.',
  cost: { full: 100, quick: 15 },
  make: async (context) => {
    const shares = context.quick ? QUICK_KEPT_SHARES : KEPT_SHARES;
    const variations: Variation[] = shares.map((keptShare) => ({
      name: String(keptShare),
      x: keptShare,
      budgets: 'uniform(0.05,1)',
      frameworks: [
        { kind: 's-apes', label: 'largest kept', keptShare },
        { kind: 's-apes', label: 'random kept', keptShare, sparsification: 'random' },
        // Does not depend on the share, and is trained once.
        ...(keptShare === shares[0] ? [{ kind: 'apes' as const, label: 'APES' }] : []),
      ],
    }));
    const results = await train('apes.fig5', variations, context, 'sweep');
    const series = seriesOf(results);
    const apes = series.find(({ name }) => name === 'APES')!;
    const level: ChartSeries = { ...apes, points: shares.map((x) => ({ ...apes.points[0]!, x })) };
    return {
      charts: [
        {
          chart: {
            id: 'apes.fig5',
            title: 'Accuracy and sparsification',
            subtitle: trialsText(context, 'sweep'),
            x: { title: 'share of dimensions kept, b / d', scale: 'log' },
            y: { title: 'accuracy (%)', scale: 'linear' },
            panels: [
              {
                title: 'budgets uniform on [0.05, 1]',
                series: [...series.filter(({ name }) => name !== 'APES'), level],
              },
            ],
          },
          caption: '',
        },
      ],
      table: tableOf('kept_share', results),
      notes: [SETTING_NOTE, seedNote('apes.fig5')],
    };
  },
};

export const APES_ACCURACY_FIGURES: readonly Figure[] = [
  DISTRIBUTION_FIGURE,
  CLIP_BOUND_FIGURE,
  SPARSIFICATION_FIGURE,
];

function seriesOf(results: readonly VariationResult[]): ChartSeries[] {
  const labels = [...new Set(results.flatMap(({ frameworks }) => frameworks.map(({ label }) => label)))];
  return labels.map((label) => ({
    name: PAPER_NAMES[label] ?? label,
    style: 'measured',
    colourKey: label,
    points: results.flatMap(({ variation, frameworks }) =>
      frameworks
        .filter((framework) => framework.label === label)
        .map((framework) => accuracyPoint(variation.x, framework)),
    ),
  }));
}

function tableOf<Varied extends string>(
  column: Varied,
  results: readonly VariationResult[],
): ResultTable<Columns<Varied>> {
  return {
    columns: [column, 'budgets', 'framework', 'trials', 'accuracy', 'accuracy_ci_low', 'accuracy_ci_high'],
    rows: results.flatMap(({ variation, frameworks }) =>
      frameworks.map((framework) => {
        const { mean, interval } = finalAccuracy(framework);
        const trials = framework.accuracies.length;
        const ends = trials > 1 ? [interval.lower, interval.upper] : ['', ''];
        return [variation.name, variation.budgets, framework.label, trials, mean, ...ends];
      }),
    ),
  };
}

function bestNote(parameter: string, results: readonly VariationResult[]): string {
  const labels = results[0]!.frameworks.map(({ label }) => label);
  const bests = labels.map((label, i) => {
    const best = results.reduce((top, next) =>
      finalAccuracy(next.frameworks[i]!).mean > finalAccuracy(top.frameworks[i]!).mean ? next : top,
    );
    return `${label} ${(100 * finalAccuracy(best.frameworks[i]!).mean).toFixed(1)} % at ${parameter} = ${best.variation.name}`;
  });
  return `Highest: ${bests.join('; ')}.`;
}
