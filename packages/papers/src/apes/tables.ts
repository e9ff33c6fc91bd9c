/**
 * Tables 3 and 4 of Y. Liu et al., "Echo of Neighbors", AAAI 2023: central epsilons as the paper counts them,
 * and trained accuracies. The accuracies are those of Figure 3, trained once for all three.
 */
import { dirname, join } from 'node:path';
import type { ChartAxis, ChartPanel, ChartPoint, ChartSeries } from '@shuffle-dp/experiments/charts';
import { PAPER_NAMES, PRINTED_SHUFFLED, PRINTED_TABLE_3, SHUFFLED_KINDS } from './printed.ts';
import { personalPrivacy, shuffledPrivacy, smallestBudgetPrivacy, type CountedPrivacy } from './privacy.ts';
import {
  accuracyPoint,
  seedNote,
  SETTING_NOTE,
  train,
  trainShuffled,
  trialsText,
  type VariationResult,
} from './trainings.ts';
import { BUDGET_DISTRIBUTIONS } from '../figures/budget-distributions.ts';
import { tableOf } from '../claims/table-values.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';

const TABLE_3 = 'apes.table3';
const TABLE_4 = 'apes.table4';
const UNIFORM2 = 'uniform(0.05,1)';

const PRIVACY_NOTE =
  'Epsilons count as the paper does: 10,000 users in one round, delta = 1e-8 for a dimension, 7851 tanh(1/2) 1e-8 for a user (printed as ' +
  '3.6e-5, which leaves nothing for the composition), Proposition 1 with 2b dimensions for S-APES. Neither the bound of one dimension for unequal budgets nor the factor of S-APES is proved, and the trainings have ' +
  '1,000 users in a round; what they really give away is in docs/federated-learning.md.';

export const APES_TABLES: readonly Figure[] = [
  {
    id: TABLE_3,
    paper: 'apes',
    title: 'APES, Table 3: privacy and accuracy',
    caption: 'Six frameworks with local budgets uniform on [0.05, 1]. Marks: as printed.',
    cost: { full: 15, quick: 3 },
    make: tableThree,
  },
  {
    id: TABLE_4,
    paper: 'apes',
    title: 'APES, Table 4: all distributions of budgets',
    caption:
      'Central epsilon of a user and accuracy under the six distributions of local budgets. Marks: as printed.',
    cost: { full: 5, quick: 5 },
    make: tableFour,
  },
];

async function tableThree(context: FigureContext): Promise<FigureResult> {
  const [shuffled] = await trainShuffled(context, ['Uniform2']);
  const [alone] = await trainAlone(context);
  const accuracyOf = (kind: string, x: number): ChartPoint => {
    // Personal budgets without a shuffler: the same messages.
    const wanted = kind === 'pldp' ? 'uni-shuffle' : kind;
    return accuracyIn([shuffled!, alone!], wanted, x);
  };
  const privacy: Readonly<Record<string, CountedPrivacy>> = {
    ...shuffledPrivacy(UNIFORM2),
    'ldp-min': smallestBudgetPrivacy(0.05),
    pldp: personalPrivacy(1),
  };
  const rows = PRINTED_TABLE_3.map((printed, i) => ({
    printed,
    dimension: privacy[printed.kind]?.dimension ?? null,
    user: privacy[printed.kind]?.user ?? null,
    accuracy: accuracyOf(printed.kind, i + 1),
  }));
  const axisOf = (shown: typeof rows): ChartAxis => ({
    title: 'framework',
    scale: 'linear',
    names: shown.map(({ printed }) => PAPER_NAMES[printed.kind]!),
  });
  const withPrivacy = rows.filter(({ dimension }) => dimension !== null);
  const panel = (
    title: string,
    shown: typeof rows,
    column: 'dimension' | 'user' | 'accuracy',
  ): ChartPanel => ({
    title,
    series: [
      {
        name: 'here',
        style: 'line',
        points: shown.map((row, i) => (column === 'accuracy' ? row.accuracy : { x: i + 1, y: row[column] })),
      },
      {
        name: 'printed',
        style: 'printed',
        points: shown.map(({ printed }, i) => ({ x: i + 1, y: printed[column] })),
      },
    ],
  });
  return {
    charts: [
      {
        chart: {
          id: TABLE_3,
          title: 'Accuracy of six frameworks',
          subtitle: `budgets uniform on [0.05, 1]; ${trialsText(context)}`,
          x: axisOf(rows),
          y: { title: 'accuracy (%)', scale: 'linear' },
          panels: [panel('', rows, 'accuracy')],
        },
        caption: 'PLDP and UniS send the same messages and are trained once.',
      },
      {
        chart: {
          id: `${TABLE_3}-privacy`,
          title: 'Central epsilon as the paper counts it',
          subtitle: 'budgets uniform on [0.05, 1], 10,000 users',
          x: axisOf(withPrivacy),
          y: { title: 'central epsilon (nats)', scale: 'log' },
          panels: [panel('one dimension', withPrivacy, 'dimension'), panel('a user', withPrivacy, 'user')],
          sharedY: false,
        },
        caption: '',
      },
    ],
    table: tableOf(rows, {
      framework: ({ printed }) => printed.kind,
      'epsilon of a dimension, printed': ({ printed }) => printed.dimension ?? '',
      'epsilon of a dimension': 'dimension',
      'epsilon of a user, printed': ({ printed }) => printed.user ?? '',
      'epsilon of a user': 'user',
      'accuracy %, printed': ({ printed }) => printed.accuracy,
      'accuracy %': ({ accuracy }) => accuracy.y ?? '',
    }),
    notes: [PRIVACY_NOTE, SETTING_NOTE, seedNote('apes.fig3')],
  };
}

async function tableFour(context: FigureContext): Promise<FigureResult> {
  const results = await trainShuffled(context);
  const rows = BUDGET_DISTRIBUTIONS.flatMap(({ name, text }, i) => {
    const privacy = shuffledPrivacy(text);
    return SHUFFLED_KINDS.map((kind) => ({
      x: i + 1,
      name,
      kind,
      printed: PRINTED_SHUFFLED[name]![kind],
      user: privacy[kind].user,
      accuracy: accuracyIn([results[i]!], kind, i + 1),
    }));
  });
  const series = (column: 'user' | 'accuracy'): ChartSeries[] =>
    SHUFFLED_KINDS.flatMap((kind): ChartSeries[] => {
      const own = rows.filter((row) => row.kind === kind);
      return [
        {
          name: PAPER_NAMES[kind]!,
          style: 'line',
          colourKey: kind,
          points: own.map((row) => (column === 'accuracy' ? row.accuracy : { x: row.x, y: row.user })),
        },
        {
          name: `${PAPER_NAMES[kind]!}, printed`,
          style: 'printed',
          colourKey: kind,
          points: own.map((row) => ({ x: row.x, y: row.printed[column] })),
        },
      ];
    });
  const x = {
    title: 'distribution of the local budgets',
    scale: 'linear',
    names: BUDGET_DISTRIBUTIONS.map(({ name }) => name),
  } as const;
  return {
    charts: [
      {
        chart: {
          id: TABLE_4,
          title: 'Central epsilon of a user, as the paper counts it',
          subtitle: '10,000 users, 7,850 dimensions, delta = 3.6e-5',
          x,
          y: { title: 'central epsilon (nats)', scale: 'log' },
          panels: [{ title: '', series: series('user') }],
        },
        caption: '',
      },
      {
        chart: {
          id: `${TABLE_4}-accuracy`,
          title: 'Accuracy',
          subtitle: trialsText(context),
          x,
          y: { title: 'accuracy (%)', scale: 'linear' },
          panels: [{ title: '', series: series('accuracy') }],
        },
        caption: '',
      },
    ],
    table: tableOf(rows, {
      distribution: 'name',
      framework: 'kind',
      'epsilon of a user, printed': ({ printed }) => printed.user,
      'epsilon of a user': 'user',
      'accuracy %, printed': ({ printed }) => printed.accuracy,
      'accuracy %': ({ accuracy }) => accuracy.y ?? '',
    }),
    notes: [
      PRIVACY_NOTE,
      'Table 4 prints 79.6 for UniS at Uniform2, Table 3 76.9; the latter is shown.',
      SETTING_NOTE,
      seedNote('apes.fig3'),
    ],
  };
}

/** Frameworks whose accuracy does not depend on the distribution of budgets, only on its smallest. */
function trainAlone(context: FigureContext): Promise<VariationResult[]> {
  const frameworks = [{ kind: 'non-private' as const }, { kind: 'ldp-min' as const }];
  const folder = join(dirname(context.folder), TABLE_3);
  return train(TABLE_3, [{ name: 'alone', x: 1, budgets: UNIFORM2, frameworks }], { ...context, folder });
}

function accuracyIn(results: readonly VariationResult[], kind: string, x: number): ChartPoint {
  const frameworks = results.flatMap((result) => result.frameworks);
  return accuracyPoint(
    x,
    frameworks.find(({ spec }) => spec.kind === kind)!,
  );
}
