/**
 * Figures 2 to 4 of S. Wang et al., "Shuffle Model of Differential Privacy: Numerical Composition for
 * Federated Learning", 2025: many rounds of deep learning by sampled vector randomized response, and of
 * decision trees by multi-message histograms. delta = 0.01/n throughout. Our curves add the bracket that is
 * proved.
 */
import {
  advancedCompositionEpsilon,
  basicCompositionEpsilon,
  certifiedComposedEpsilon,
  composedEpsilon,
  dworkCompositionEpsilon,
  strongerClonePair,
  type PairRounds,
} from '@shuffle-dp/accounting';
import { treeRounds } from '@shuffle-dp/protocols';
import { vectorRandomizedResponse } from '@shuffle-dp/randomizers';
import {
  amplificationResult,
  drawPanels,
  savingNote,
  type AmplificationColumn,
  type AmplificationCurve,
  type AmplificationFigure,
  type PanelPlan,
} from '../figures/amplification-curves.ts';
import type { Figure, FigureContext, FigureResult } from '../figures/figure.ts';

const USERS = [10_000, 100_000];
const CERTIFIED = 'certified, upper end';

/** Far above the charts' resolution, and a tenth of the time. */
const WIDTH = { relativeWidth: 1e-3 };

export const LEARNING_FIGURE: Figure<LearningColumns> = {
  id: 'comp.fig2',
  paper: 'composition',
  title: 'Composition paper, Figure 2: federated deep learning',
  caption:
    'Central epsilon of rounds of sampled vector randomized response (s bits, one nat each) by the parameters of ' +
    'the stronger clone, by those of Theorem 1, and as proved: the upper end by the blanket, the lower end by the worst data set known.',
  cost: { full: 6, quick: 4 },
  make: deepLearning,
};

export const TREE_FIGURE = treeFigure('comp.fig3', 5);
export const HIGHER_TREE_FIGURE = treeFigure('comp.fig4', 8);

export const COMPOSITION_FIGURES: readonly Figure[] = [LEARNING_FIGURE, TREE_FIGURE, HIGHER_TREE_FIGURE];

const LEARNING_CURVES = [
  { name: 'stronger clone', style: 'line', role: 'earlier' },
  { name: CERTIFIED, style: 'line', colourKey: 'certified', role: 'compared' },
  { name: 'certified, lower end', style: 'theory', colourKey: 'certified', role: 'compared' },
  { name: 'Theorem 1, as published', style: 'theory', colourKey: 'variation-ratio', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

type LearningCurve = (typeof LEARNING_CURVES)[number]['name'];
type LearningNames = 'users' | 'bits' | 'rounds';
type LearningColumns = AmplificationColumn<LearningCurve, LearningNames>;

/** Probability with which a bit is flipped. */
const FLIP = 1 / (Math.E + 1);

async function deepLearning(context: FigureContext): Promise<FigureResult<LearningColumns>> {
  const id = 'comp.fig2';
  const rounds = context.quick ? [2, 8, 32, 256] : [2, 4, 8, 16, 32, 64, 128, 256];
  const settings = [2, 4].flatMap((bits) => USERS.map((users) => ({ bits, users })));
  const plans = settings.map(({ bits, users }): PanelPlan => {
    const epsilon0 = bits * Math.log((1 - FLIP) / FLIP);
    const amplification = vectorRandomizedResponse({
      dimensions: bits,
      sampled: bits,
      epsilon0,
    }).amplification();
    const delta = 0.01 / users;
    return {
      title: `n = ${users.toLocaleString('en')}, s = ${bits}`,
      setting: [users, bits],
      epsilonsAt: (count) => {
        const pairEpsilon = (pair: PairRounds['pair']): number =>
          composedEpsilon([{ pair, users, count }], delta, WIDTH).upper;
        const { lower, upper } = certifiedComposedEpsilon(
          [{ amplification, users, count, epsilon0 }],
          delta,
          WIDTH,
        );
        return [
          pairEpsilon(strongerClonePair(epsilon0)),
          upper,
          lower,
          pairEpsilon(amplification.variationRatio!),
        ];
      },
    };
  });
  const figure: AmplificationFigure<LearningCurve, LearningNames> = {
    id,
    title: 'Composition paper, Figure 2: federated deep learning',
    subtitle: 'delta = 0.01/n, replace-one neighbours in all rounds',
    baseline: 'stronger-clone parameters under the same composition',
    axes: 'epsilon',
    xTitle: 'rounds T',
    x: { ticks: [2, 8, 32, 128] },
    xName: 'rounds',
    settingNames: ['users', 'bits'],
    curves: LEARNING_CURVES,
    panels: await drawPanels(id, plans, rounds, context),
  };
  return amplificationResult(figure, [
    savingNote(figure, 'Theorem 1, as published'),
    savingNote(figure, CERTIFIED),
    "Bits are flipped with probability 1/(e + 1) = 0.2689, as the text has it; the authors' program has (1 - sqrt(1/5))/2 = 0.2764, and so a smaller local budget.",
  ]);
}

const NUMERICAL = 'numerical composition, certified';
const ATTRIBUTES = [8, 16, 32];

const TREE_CURVES = [
  { name: 'basic composition', style: 'line', role: 'earlier' },
  { name: 'advanced composition', style: 'line', role: 'earlier' },
  // Not in the paper.
  {
    name: 'advanced composition, optimal form',
    style: 'theory',
    colourKey: 'advanced composition',
    role: 'context',
  },
  { name: NUMERICAL, style: 'line', colourKey: 'certified', role: 'compared' },
] as const satisfies readonly AmplificationCurve[];

type TreeCurve = (typeof TREE_CURVES)[number]['name'];
type TreeNames = 'users' | 'attributes' | 'trees' | 'messages';
type TreeColumns = AmplificationColumn<TreeCurve, TreeNames>;

function treeFigure(id: string, height: number): Figure<TreeColumns> {
  return {
    id,
    paper: 'composition',
    title: `Composition paper, Figure ${id.at(-1)}: federated decision trees of height ${height}`,
    caption:
      'Central epsilon of all histogram queries of one tree and of five, against the messages that a user sends in each query: one of ' +
      'their own and m - 1 blankets. Certified numerical composition beside basic and advanced composition (Dwork and Roth), and the best form of the latter (Kairouz et al.).',
    cost: { full: 20, quick: 10 },
    make: (context) => trees(id, height, context),
  };
}

async function trees(id: string, height: number, context: FigureContext): Promise<FigureResult<TreeColumns>> {
  const messages = context.quick ? [2, 4, 6] : [2, 3, 4, 5, 6];
  const plans = USERS.flatMap((users) =>
    [1, 5].flatMap((treeCount) =>
      ATTRIBUTES.map((count): PanelPlan => ({
        title: `n = ${users.toLocaleString('en')}, d = ${count}, ${treeCount === 1 ? '1 tree' : `${treeCount} trees`}`,
        setting: [users, count, treeCount],
        epsilonsAt: (messagesPerUser) => {
          const rounds = treeRounds({
            users,
            arities: Array<number>(count).fill(2),
            classes: 1,
            height,
            messagesPerUser,
          }).map((round) => ({ ...round, count: round.count * treeCount }));
          const delta = 0.01 / users;
          return [
            basicCompositionEpsilon(rounds, delta),
            dworkCompositionEpsilon(rounds, delta),
            advancedCompositionEpsilon(rounds, delta),
            composedEpsilon(rounds, delta, WIDTH).upper,
          ];
        },
      })),
    ),
  );
  const figure: AmplificationFigure<TreeCurve, TreeNames> = {
    id,
    title: `Composition paper, Figure ${id.at(-1)}: federated decision trees of height ${height}`,
    subtitle: 'delta = 0.01/n, binary attributes, replace-one neighbours in all rounds',
    baseline: 'the better of basic and advanced composition',
    axes: 'epsilon',
    xTitle: 'messages per user and query m',
    x: { scale: 'linear', ticks: [2, 3, 4, 5, 6] },
    xName: 'messages',
    settingNames: ['users', 'attributes', 'trees'],
    curves: TREE_CURVES,
    panels: await drawPanels(id, plans, messages, context),
    columns: ATTRIBUTES.length,
  };
  return amplificationResult(figure, [
    savingNote(figure, NUMERICAL),
    "Cells are nodes times values, without the class, as the paper's experiments count them; levels 0 to H - 1.",
  ]);
}
